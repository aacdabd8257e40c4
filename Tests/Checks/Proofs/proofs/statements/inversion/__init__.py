"""safegcd: the division steps, their matrices, `inverse` around them, and the number of rounds."""
