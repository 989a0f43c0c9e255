"""``python -m plyout``."""

from plyout.cli.main import main

main()
