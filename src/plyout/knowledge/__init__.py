"""What is known before searching: opening books and endgame tables."""
