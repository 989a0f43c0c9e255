"""One page that needs nothing else: the board's pieces and our script are in it, and it may load nothing.

The pieces and the functions that draw them are those of the board in the browser (`plyout.board`).
"""

import base64
import hashlib
import json
import re
from html import escape
from importlib import resources
from typing import Any

_BOARD = "board/static"
_PIECES = ("vendor/chessground/chessground.base.css", "vendor/chessground/chessground.cburnett.css")
_NEEDED = ("headers", "number", "start", "opening", "white", "black", "moves")


def page(title: str, games: list[dict[str, Any]], about: str) -> str:
    """The page of games, as `plyout.lab.analyse.told` tells them."""
    style = "\n".join([*map(_of_board, _PIECES), _own("page.css")])
    script = "\n".join([_inlined(_of_board("position.js")), _own("page.js")])
    told = json.dumps([_shown(game) for game in games], ensure_ascii=False, separators=(",", ":"))
    parts = {
        "HASH": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        "TITLE": escape(title), "ABOUT": escape(about), "STYLE": style, "SCRIPT": script,
        "DATA": told.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"),
    }  # fmt: skip
    return re.sub("@([A-Z]+)@", lambda found: parts[found[1]], _own("page.html"))


def _own(name: str) -> str:
    return (resources.files(__package__) / "static" / name).read_text(encoding="utf-8")


def _of_board(name: str) -> str:
    return (resources.files("plyout") / _BOARD / name).read_text(encoding="utf-8")


def _inlined(module: str) -> str:
    """A module that stands in another's place: what it gives to others is there at once."""
    return re.sub(r"^export (?=function|const|class)", "", module, flags=re.MULTILINE)


def _shown(game: dict[str, Any]) -> dict[str, Any]:
    """What the page shows of a game: of explanations the sentences."""
    moves = [
        {name: value for name, value in move.items() if name != "fell"} | {"why": _sentences(move["why"])}
        for move in game["moves"]
    ]
    return {name: game[name] for name in _NEEDED} | {"moves": moves}


def _sentences(why: dict[str, Any] | None) -> dict[str, Any] | None:
    def of(move: dict[str, Any]) -> dict[str, Any]:
        return {"san": move["san"], "statements": [{"kind": s["kind"], "text": s["text"]} for s in move["statements"]]}

    if why is None:
        return None
    return {"why": of(why["why"]) if why["why"] else None, "why_not": [of(move) for move in why["why_not"]]}
