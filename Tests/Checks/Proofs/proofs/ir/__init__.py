"""From the text of LLVM IR to functions, instructions, types and memory."""
