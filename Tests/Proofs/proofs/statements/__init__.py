"""The proven statements: a file or folder for each family of routines, in the order of the article *Proofs*; a
register.
"""
