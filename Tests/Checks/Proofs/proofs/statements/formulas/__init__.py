"""Proves the point formulas, the tables of multiples and the final comparison, as identities of rational functions."""
