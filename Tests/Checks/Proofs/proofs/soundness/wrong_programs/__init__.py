"""Tests with wrong programs, which the proofs must reject, and tests of the provers' parts."""
