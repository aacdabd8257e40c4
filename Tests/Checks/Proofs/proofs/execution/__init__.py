"""Symbolic execution: the rules of instructions in each domain, and the paths through a function."""
