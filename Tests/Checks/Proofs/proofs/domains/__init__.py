"""The values in a proof: polynomials over integers (`polynomial.py`), or words of bits over GF(2) (`bits.py`)."""
