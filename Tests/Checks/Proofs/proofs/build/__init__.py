"""Produces the IR of the release build and of other targets, and reads machine code to compare with the shipped code."""
