"""The groups in which ``plyout --help`` lists the commands, each with a summary that fits on a line of 80 signs."""

SECTIONS: dict[str, dict[str, str]] = {
    "Play and analyse": {
        "tour": "A guided first minute: what it finds, and why",
        "play": "Play against it in the terminal, at your level",
        "analyse": "Analyse the games of a PGN file, move by move",
        "board": "The browser: play, analyse, watch the tree grow",
    },
    "Search": {
        "search": "Search a position: moves, values, lines, and why",
        "presets": "The systems that can search, grouped by paper",
        "traps": "The moves of a position that allow a forced mate",
        "solve": "Have an engine solve puzzles",
        "perft": "Count move sequences: the test of a generator",
        "playouts": "Play random games out and count how they end",
    },
    "Papers": {
        "reproduce": "The papers' tables and figures, again, beside ours",
        "study": "A single study of a paper, with its figures",
        "graph-stats": "What a graph of positions saves against a tree",
        "similarity": "How alike two positions are, by eight measures",
        "trap-study": "Whether traps persist where positions stay alike",
        "trap-density": "How often positions of games hold traps",
        "visits-to-refutation": "How soon presets learn to avoid a trap",
    },
    "Matches": {
        "match": "Two engines play each other; Elo with error bars",
        "tournament": "Several engines: round robin, or one against each",
        "gauntlet": "A rating, against a ladder of engines",
        "rate": "A rating, against Stockfish of limited strength",
        "tune": "Parameters tuned by games (SPSA)",
        "results": "Results of matches: shown, compared, exported",
        "report": "A report about games, Markdown and one HTML page",
        "ratings": "One Elo scale for all players of some games",
        "elo": "What a result says: Elo, interval, SPRT",
    },
    "Networks": {
        "networks": "Networks: listed, shown, checked, extracted",
        "label": "Games with labels, to train networks on",
        "train": "Train networks on labelled games",
        "fit": "Fit the evaluation's weights to an engine's scores",
    },
    "Data": {
        "book": "Opening books: looked up, built, converted",
        "tables": "Endgame tables: listed, built, verified, probed",
        "mine": "Find puzzles and traps in our own games",
    },
    "Engine": {
        "uci": "Speak UCI, for chess programs",
        "bench": "Our speed beside others', in one run",
        "cache": "The compiled kernels on disk: shown, cleared",
    },
}
