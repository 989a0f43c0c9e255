"""``plyout reproduce``: every table and figure of the five papers, with the paper's numbers beside ours."""
