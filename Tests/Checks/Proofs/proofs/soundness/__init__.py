"""Tests whether the proofs fail for wrong code. The tests use mutants, random programs, wrong programs, concrete numbers and machine code."""
