"""Proves point doubling and both point additions from the IR: they compute the operations of the source's formulas."""
