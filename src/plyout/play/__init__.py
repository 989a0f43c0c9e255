"""A game in the terminal: the game itself, the engines that play and advise, the screen, and the talk between them."""
