"""``plyout uci``."""

from typing import Annotated

import typer

from plyout.cli.common import Level, preset_names


def uci(
    preset: Annotated[
        str, typer.Option(help="The system that plays; see 'plyout presets'.", autocompletion=preset_names)
    ] = "plyout",
    level: Level = None,
) -> None:
    """Speak UCI, the protocol of chess programs; so does 'plyout' alone when its input is not a terminal."""
    from plyout.uci import main as speak

    speak(preset, level)
