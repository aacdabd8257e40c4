"""The proven statements: a file or folder for each family of routines, and `register.py`, which lists all of them."""
