"""Writes the IR of the release build and of other targets, and reads machine code for the comparison with the shipped code."""
