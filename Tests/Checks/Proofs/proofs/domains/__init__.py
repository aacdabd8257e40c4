"""Represents the values in a proof: as polynomials over the integers (`polynomial.py`), or as bit-level words over GF(2) (`bits.py`)."""
