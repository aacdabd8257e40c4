#!/usr/bin/env python3
"""Prints two sizes for a little-endian ELF file: its loaded code and constants, then its variables.

    elf-size.py FILE

The section flags 1 (writable) and 2 (allocated), and type 8 (no bytes in the file), are from the ELF specification,
TIS 1.2, "Sections".
"""
import struct
import sys

data = open(sys.argv[1], "rb").read()
is_64_bit = data[4] == 2
offset, = struct.unpack_from("<Q", data, 40) if is_64_bit else struct.unpack_from("<I", data, 32)
size, count = struct.unpack_from("<HH", data, 58 if is_64_bit else 46)
text = variables = 0
for i in range(count):
    section = struct.unpack_from("<IIQQQQ" if is_64_bit else "<IIIIII", data, offset + i * size)
    flags, length = section[2], section[5]
    if flags & 2 and flags & 1:
        variables += length
    elif flags & 2:
        text += length
print(f"{text} bytes of code and constants, {variables} of variables")
