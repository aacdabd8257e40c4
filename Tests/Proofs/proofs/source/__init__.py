"""From Swift source to the statements and expressions in which points are computed, and a run of them."""
