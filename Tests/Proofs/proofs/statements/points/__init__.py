"""Doubling and both additions of points, from the IR: the operations that the source's formulas say."""
