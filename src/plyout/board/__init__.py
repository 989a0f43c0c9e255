"""A board in the browser, with the search tree beside it.

``server.py`` checks who asks and hands messages on; ``pages.py`` keeps one process for each page; ``worker.py`` is that
process. What a page may ask for is in ``commands.py``, and ``session.py`` does it: it owns the game (``game.py``) and
the searches (``side.py``), which ``telling.py`` tells the page about. The page only shows what it is told.
"""
