"""What is known before searching: openings and books."""
