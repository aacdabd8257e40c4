#!/usr/bin/env python3
"""Prints the sizes of an ELF32 file's loaded sections: code and constants, then variables.

    elf-size.py FILE

Source: the ELF specification, TIS 1.2, "Sections": flags 1 (write), 2 (allocated), type 8 (no bits in the file).
"""
import struct
import sys

data = open(sys.argv[1], "rb").read()
offset, = struct.unpack_from("<I", data, 32)
size, count = struct.unpack_from("<HH", data, 46)
text = variables = 0
for i in range(count):
    _, _, flags, _, _, length = struct.unpack_from("<IIIIII", data, offset + i * size)
    if flags & 2 and flags & 1:
        variables += length
    elif flags & 2:
        text += length
print(f"{text} bytes of code and constants, {variables} of variables")
