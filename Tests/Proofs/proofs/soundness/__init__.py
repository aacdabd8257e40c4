"""Whether the proofs would fail if the code were wrong: mutants, random programs, numbers, machine code, wrong programs."""
