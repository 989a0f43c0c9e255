"""An engine from the options, whatever they are: those that it cannot be made with are left out, and that is said."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from plyout.errors import InputError
from plyout.uci.options import Settings, name_of

_LAST_RESORTS = ("plyout", "mcc")  # presets that play where another cannot
_SMALL = 1  # megabytes, for trials
_TOLD_AS_OPTION = re.compile(r"\b[a-z0-9]+_[a-z_]+\b")

Complain = Callable[[str], None]


class _Maker:
    """Makes engines of one preset."""

    def __init__(self, preset: str, game: str) -> None:
        self._preset, self._game = preset, game

    def make(self, changes: dict[str, Any], prepare: bool = True) -> Any:
        from plyout.engine import Engine

        engine = Engine(self._preset, self._game, **changes)
        if prepare:
            engine.prepare()
        return engine

    def make_with_what_works(self, changes: dict[str, Any], complain: Complain) -> Any:
        """In the order in which they were set, as many of the changes as agree."""
        if (error := self._failure({})) is not None:
            raise error
        kept: dict[str, Any] = {}
        for name, value in changes.items():
            if (error := self._failure(kept | {name: value})) is None:
                kept[name] = value
            else:
                complain(f"{name_of(name)}: {told(error).removeprefix(name_of(name) + ': ')}: left out")
        return self.make(kept)

    def _failure(self, changes: dict[str, Any]) -> Exception | None:
        """What is wrong with some changes; the memory is another matter, and a trial needs little."""
        try:
            self.make(changes | {"hash_mb": _SMALL}, prepare=False)
        except Exception as error:
            return error
        return None


def make_engine(settings: Settings, complain: Complain) -> Any:
    """An engine that is ready to search."""
    asked, changes = settings["Preset"], settings.changes()
    presets = dict.fromkeys((asked, *_LAST_RESORTS))
    failure = ""
    for preset, wanted in [(name, some) for some in (changes, {}) for name in presets]:
        maker = _Maker(preset, settings["UCI_Variant"])
        try:
            try:
                engine = maker.make(wanted)
            except Exception:
                engine = maker.make_with_what_works(wanted, complain)
        except Exception as error:
            failure = failure or told(error)
            continue
        if failure:
            options = " without any options" if changes and not wanted else ""
            complain(f"{failure}: playing with the preset {preset}{options}")
        return engine
    raise InputError(failure)


def told(error: Exception) -> str:
    """An error in words, with the names that options have."""
    text = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
    return _TOLD_AS_OPTION.sub(lambda found: name_of(found[0]), text)


def complaints_of(engine: Any) -> Iterator[str]:
    """What an engine has to say about what it was made of."""
    for text in engine.opening.book.complaints[:10] if engine.opening else ():
        yield f"left out of the book: {text}"
