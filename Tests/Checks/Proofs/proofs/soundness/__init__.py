"""Tests whether the proofs would fail for wrong code: mutants, random and wrong programs, numbers, machine code."""
