"""Preset, position and limits in; a result out: the Python API."""

from plyout.engine.engine import Engine
from plyout.engine.result import Result
from plyout.search.limits import Limits
from plyout.search.threads import Stop

__all__ = ["Engine", "Limits", "Result", "Stop"]
