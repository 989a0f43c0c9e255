"""One process serves many tests: starting one takes a second."""

import re
from collections.abc import Iterator

import pytest

from tests.uci.client import Talk

_DEFAULT = re.compile(r"option name (.+) type \w+ default (\S*)")


class _Shared:
    talk: Talk | None = None
    defaults: dict[str, str]


@pytest.fixture(scope="session")
def _shared() -> Iterator[_Shared]:
    shared = _Shared()
    yield shared
    if shared.talk:
        shared.talk.close()


@pytest.fixture
def talk(_shared: _Shared, request: pytest.FixtureRequest) -> Iterator[Talk]:
    """An engine that is ready, in the start position, with the options at their defaults."""
    if _shared.talk is None:
        _shared.talk = Talk("uci")
        _shared.talk.send("uci")
        lines = _shared.talk.until("uciok")
        _shared.defaults = {m[1]: m[2] for line in lines if (m := _DEFAULT.match(line))}
        _shared.talk.ready()
    yield _shared.talk
    try:
        idle = _shared.talk.ask("debug off") == []
        for name in sorted(_shared.talk.changed):
            idle = idle and _shared.talk.ask(f"setoption name {name} value {_shared.defaults[name]}") == []
        idle = idle and _shared.talk.ask("ucinewgame") == []
    except (AssertionError, OSError, KeyError):
        idle = False
    _shared.talk.changed.clear()
    if not idle:  # the test has failed in the midst of something: the next one gets another process
        _shared.talk.close()
        _shared.talk = None
