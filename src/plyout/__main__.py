"""``python -m plyout``."""

from plyout.cli import main

main()
