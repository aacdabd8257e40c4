"""Proves the loop of a double multiplication, which adds up the digits' multiples."""
