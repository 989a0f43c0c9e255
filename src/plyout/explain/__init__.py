"""Why a move, and why not another: statements about a search that are true, each with what makes it so."""

from plyout.explain.explain import explain
from plyout.explain.statement import CERTAIN, METHOD, SEARCH, Explanation, Statement

__all__ = ["CERTAIN", "METHOD", "SEARCH", "Explanation", "Statement", "explain"]
