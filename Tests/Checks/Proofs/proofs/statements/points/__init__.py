"""Doubling and both additions of points, from the IR: the operations of the source's formulas."""
