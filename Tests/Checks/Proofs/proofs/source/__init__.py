"""Parses the Swift source of the point computations, and runs it on symbols."""
