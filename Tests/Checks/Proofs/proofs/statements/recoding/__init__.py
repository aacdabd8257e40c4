"""Proves `SignedWindows.recode`: the digits of a scalar add up to the scalar."""
