"""Tests whether the proofs fail for wrong code, with mutants, random programs, wrong programs, concrete numbers and machine code."""
