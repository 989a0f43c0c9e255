"""``python -m plyout``, and the command ``plyout``."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line. Loading it takes a moment, in which Ctrl-C may come as well."""
    try:
        from plyout.cli.main import main as run
    except KeyboardInterrupt:
        print("plyout: interrupted", file=sys.stderr)
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
