"""Games that are on disk, analysed move by move: annotated PGN and one page for the browser."""
