"""The proven statements: a file or folder for each family of routines, in the article *Proofs*' order; a register."""
