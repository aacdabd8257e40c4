"""Proves safegcd: the division steps, their matrices, the function `inverse` around them, and the number of rounds."""
