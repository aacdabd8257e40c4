"""Parses the text of LLVM IR into functions, instructions and types, and models memory."""
