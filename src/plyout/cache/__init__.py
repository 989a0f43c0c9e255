"""The compile cache on disk: where it is, who may use it, and how a file of it is checked. Numba is not needed here."""
