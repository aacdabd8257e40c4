"""What a value of the program is in a proof: a polynomial over integers (`polynomial.py`), or a word of bits over GF(2) (`bits.py`)."""
