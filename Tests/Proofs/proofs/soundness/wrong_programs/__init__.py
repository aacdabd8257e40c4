"""Tests with programs that are wrong, each of which must be refused, and of the provers' parts."""
