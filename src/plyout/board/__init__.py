"""A board in the browser, with the search tree beside it.

``server.py`` checks who asks and hands messages on; ``pages.py`` keeps one process for each page; ``worker.py`` is that
process: it owns the game (``game.py``) and the searches (``side.py``), and the page only shows what it says.
"""
