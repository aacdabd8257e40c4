"""Proves the loop of a double-scalar multiplication, which adds the multiples that the digits select."""
