"""The point formulas, the tables of multiples and the last comparison, as identities of rational functions."""
