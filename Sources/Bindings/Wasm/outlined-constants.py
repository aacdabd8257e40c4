#!/usr/bin/env python3
"""Fails if object files define an outlined constant with two different values: outlined-constants.py LINK_FILE_LIST.

Swift 6.3.1 outlines a literal array from a function into a data symbol, named after the function with a number ("…Tv0_r").
In Embedded Swift, each calling module may compile the function itself. The module numbers the function's literals in the
order that they have after optimisation. The symbols are weak, so the linker keeps one symbol of each name. If two modules
number the literals differently, a function uses the wrong literal. For example, a report then names the wrong cause. No
other tool detects this compiler defect.
"""
import collections
import re
import sys

OUTLINED = re.compile(r"Tv\d*_r?$")
DATA, CUSTOM, SEGMENTS, SYMBOLS = 1, 0, 11, 8  # a symbol kind, section kinds and a subsection of "linking" (tool-conventions, Linking.md)
UNDEFINED, EXPLICIT_NAME, LOCAL = 0x10, 0x40, 0x02


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def take(self, count=None):
        count = self.number() if count is None else count
        self.at += count
        return self.data[self.at - count:self.at]

    def more(self):
        return self.at < len(self.data)


def segments(section):
    for _ in range(section.number()):
        flags = section.number()
        if flags == 2:
            section.number()
        if flags != 1:  # skips the offset expression: LEB128 constants, then the end opcode
            while section.byte() != 0x0B:
                section.number()
        yield section.take()


def symbols(table):
    for _ in range(table.number()):
        kind, flags = table.byte(), table.number()
        if kind == DATA:
            name = table.take().decode()
            if not flags & UNDEFINED:
                yield name, flags, table.number(), table.number(), table.number()
        elif kind == 3:
            table.number()
        else:
            table.number()
            if not flags & UNDEFINED or flags & EXPLICIT_NAME:
                table.take()


def constants(path):
    module, data, found = Reader(open(path, "rb").read()), [], []
    module.take(8)
    while module.more():
        kind, section = module.byte(), Reader(module.take())
        if kind == SEGMENTS:
            data = list(segments(section))
        elif kind == CUSTOM and section.take() == b"linking":
            section.number()
            while section.more():
                part, body = section.byte(), Reader(section.take())
                if part == SYMBOLS:
                    found = list(symbols(body))
    for name, flags, segment, offset, size in found:
        if OUTLINED.search(name) and not flags & LOCAL:
            # Skips the first word, a pointer that the linker fills in.
            yield name, data[segment][offset + 4:offset + size]


values = collections.defaultdict(set)
for path in open(sys.argv[1]).read().replace("'", "").replace('"', "").split():
    for name, value in constants(path):
        values[name].add(value)
differing = [name for name, found in values.items() if len(found) > 1]
for name in differing:
    print(f"{name} has {len(values[name])} values", file=sys.stderr)
if differing or not values:
    sys.exit("outlined-constants.py: " + ("a constant has several values, and the linker would keep one" if differing else "found no constants"))
print(f"{len(values)} outlined constants, each with one value")
