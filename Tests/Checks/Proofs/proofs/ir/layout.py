"""Computes the sizes of a module's types from LLVM's data layout for the proven targets."""

import re

from proofs.ir.reading import split_arguments
from proofs.outcomes import Unsupported

WIDTHS = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "ptr": 8}


def width_of(kind):
    """Returns the size of a scalar in bytes, which is also its alignment."""
    if kind not in WIDTHS:
        raise Unsupported("an access of " + kind)
    return WIDTHS[kind]


def bits_of(kind):
    """Returns the width of an integer type. For any other type, returns 64, the width of an address."""
    return int(kind[1:]) if kind[0] == "i" and kind[1:].isdigit() else 64


class Types:
    def __init__(self, texts, address_bytes=8):
        self.definitions, self.sizes, self.address_bytes = {}, {}, address_bytes
        for text in texts:
            for name, definition in re.findall(r"^(%\"[^\"]+\"|%[\w.$-]+) = type (.*)$", text, re.M):
                if self.definitions.setdefault(name, definition) != definition:
                    self.definitions[name] = "ambiguous"  # has no size

    def layout(self, kind):
        """Returns (size, alignment) in bytes."""
        kind = kind.strip()
        if kind == "ptr":
            return self.address_bytes, self.address_bytes
        if kind in WIDTHS:
            return WIDTHS[kind], WIDTHS[kind]
        if kind in self.definitions:
            return self.layout(self.definitions[kind])
        m = re.fullmatch(r"\[(\d+) x (.*)\]", kind)
        if m:
            size, alignment = self.layout(m[2])
            return int(m[1]) * size, alignment
        packed = kind.startswith("<{") and kind.endswith("}>")
        if not packed and not (kind.startswith("{") and kind.endswith("}")):
            raise Unsupported("the size of " + kind)
        offset, greatest = 0, 1
        for part in split_arguments(kind[2:-2] if packed else kind[1:-1]):
            size, alignment = self.layout(part)
            if packed:
                alignment = 1
            offset += -offset % alignment + size
            greatest = max(greatest, alignment)
        return offset + -offset % greatest, greatest

    def size(self, kind):
        if kind not in self.sizes:
            self.sizes[kind] = self.layout(kind)[0]
        return self.sizes[kind]
