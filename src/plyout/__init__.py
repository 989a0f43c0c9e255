"""A Monte-Carlo chess engine and a laboratory for such engines.

>>> from plyout import Engine, Limits
>>> str(Engine("mcc-combined", hash_mb=16).search("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", Limits(nodes=2000)).move)
'a1a8'
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Engine", "Limits", "Result", "Stop"]

if TYPE_CHECKING:
    from plyout.engine.engine import Engine
    from plyout.engine.result import Result
    from plyout.search.limits import Limits
    from plyout.search.threads import Stop


def __getattr__(name: str) -> Any:
    """Load the engine when it is first asked for: ``plyout --help`` and the UCI greeting answer without it."""
    if name not in __all__:
        raise AttributeError(f"module 'plyout' has no attribute {name!r}")
    from plyout import engine

    return getattr(engine, name)
