"""What the documentation's site is made of: its sections, each with its pages in reading order.

Pages are those of ``docs/``; ``reference/`` is made from the sources.
"""

HOME = "README.md"
"""The first page is the repository's own."""

NAV: dict[str, tuple[str, ...]] = {
    "Learn": (
        "mcc.md", "traps.md", "alphaone.md", "graph-search.md", "books.md", "policy.md", "tables.md", "why.md",
        "rules.md", "reproduce.md", "results.md",
    ),
    "Use": (
        "play.md", "analyse.md", "board.md", "notebooks.md", "levels.md", "uci.md", "matches.md", "statistics.md",
        "tuning.md", "networks.md", "cluster.md",
    ),
    "Reference": (
        "commands.md", "reference/command-line.md", "reference/uci-options.md", "reference/parameters.md",
        "reference/python.md", "reference/file-formats.md",
    ),
    "Develop": ("architecture.md", "strength.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"),
}  # fmt: skip

FROM_THE_ROOT = ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
"""Pages that lie beside the README."""
