"""Symbolic execution: the rules of instructions over the domains, and the paths through a function."""
