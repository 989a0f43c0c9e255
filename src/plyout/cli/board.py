"""``plyout board``."""

from typing import Annotated

import typer

from plyout.errors import InputError


def board(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen; 0: wherever there is room.")] = 0,
    host: Annotated[
        str, typer.Option(help="Who can reach it: only this machine, unless another address is given.")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
) -> None:
    """A board in the browser: play, analyse, and look into the search tree while it grows. Ctrl-C ends it."""
    try:
        from plyout.board.guard import Door, is_loopback
        from plyout.board.server import listen, serve
    except ModuleNotFoundError as error:
        raise InputError(f"the board needs {error.name}: pip install 'plyout[board]'") from None
    import sys
    import threading
    import webbrowser

    listening = listen(host, port)
    door = Door(host, listening.getsockname()[1])
    print(door.address, flush=True)
    if not is_loopback(host):
        print("others can reach this server: whoever has the address can use it", file=sys.stderr)
    if browser:
        threading.Timer(0.5, webbrowser.open, [door.address]).start()
    serve(listening, door)
