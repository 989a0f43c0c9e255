"""What a page, or the server for it, may ask of a session."""

from collections.abc import Callable
from typing import Any

from plyout.board.session import Session
from plyout.errors import InputError

Message = dict[str, Any]
Command = Callable[[Session, Message], None]
_LONGEST_LINE = 200  # plies


def _texts(values: Any) -> list[str]:
    return [str(value) for value in values][:_LONGEST_LINE]


def _move(session: Session, message: Message) -> None:
    if session.settings.mode == "play":
        if session.over:
            raise InputError("the game is over: begin another, or analyse it")
        if session.turn != session.settings.colour:
            raise InputError("it is not your move")
    session.play(str(message["uci"]))


def _line(session: Session, message: Message) -> None:
    """Go to where some moves lead, from the position that was searched."""
    session.may_wander()
    session.to_search(session.side(message.get("side", 0)))
    session.game.line(_texts(message["moves"]))
    session.moved()


def _goto(session: Session, message: Message) -> None:
    session.may_wander()
    before = session.game.here
    session.game.go_to(int(message["id"]))
    if session.game.here is before:
        session.tell()
    else:
        session.moved()


def _promote(session: Session, message: Message) -> None:
    session.game.promote()
    session.tell()


def _new(session: Session, message: Message) -> None:
    session.begin(lambda: session.game.begin(str(message.get("variant", "chess"))))


def _fen(session: Session, message: Message) -> None:
    variant = str(message.get("variant", "chess"))
    session.begin(lambda: session.game.read_fen(str(message["text"]), variant))


def _pgn(session: Session, message: Message) -> None:
    session.begin(lambda: session.game.read_pgn(str(message["text"])))


def _export(session: Session, message: Message) -> None:
    session.send({"t": "pgn", "text": session.pgn(), "fen": session.game.board.fen()})


def _look(session: Session, message: Message) -> None:
    session.side(message.get("side", 0)).look(_texts(message["line"]))


def _frame(session: Session, message: Message) -> None:
    session.side(message.get("side", 0)).teller.frame(int(message["n"]))


def _save(session: Session, message: Message) -> None:
    from plyout.board.saved import write_search

    try:
        side = session.side(message["side"])
        if side.shown is None:
            raise InputError("there is no search to save yet")
        if not side.at_rest():
            raise InputError("stop the search before you save it")
        write_search(message["path"], side.shown, session.pgn())
        session.send({"t": "_saved", "id": message["id"], "error": None})
    except (InputError, OSError) as error:
        session.send({"t": "_saved", "id": message["id"], "error": str(error)})


def _load(session: Session, message: Message) -> None:
    from plyout.board.saved import read_search

    try:
        session.open(*read_search(message["path"], next(session.numbers)))
        session.send({"t": "_loaded", "id": message["id"], "error": None})
    except (InputError, OSError) as error:
        session.send({"t": "_loaded", "id": message["id"], "error": str(error)})


OF_THE_PAGE: dict[str, Command] = {
    "move": _move, "line": _line, "goto": _goto, "promote": _promote, "new": _new, "fen": _fen, "pgn": _pgn,
    "export": _export, "look": _look, "frame": _frame,
    "back": lambda session, message: session.take_back(),
    "resign": lambda session, message: session.resign(),
    "settings": lambda session, message: session.change(dict(message["values"])),
    "analyse": lambda session, message: session.analyse(bool(message["on"])),
}  # fmt: skip
OF_THE_SERVER: dict[str, Command] = {
    "hello": lambda session, message: session.tell_all(), "save": _save, "load": _load,
}  # fmt: skip
