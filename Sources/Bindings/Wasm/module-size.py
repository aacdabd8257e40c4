#!/usr/bin/env python3
"""Prints the size of a WebAssembly module by section, by Swift module, and by function.

Usage: module-size.py MODULE [COUNT]

MODULE must contain a name section (wasm-opt -g). Lists the COUNT largest functions (default: 25). Data has no symbol names, so
the data section is a single row.
"""
import re
import subprocess
import sys

SECTIONS = {0: "custom", 1: "types", 2: "imports", 3: "functions", 4: "tables", 5: "memory", 6: "globals", 7: "exports", 8: "start",
            9: "elements", 10: "code", 11: "data", 12: "data count"}


def number(data, at):
    """Returns an unsigned LEB128 number and the offset after the number."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def text(data, at):
    length, at = number(data, at)
    return data[at:at + length].decode(), at + length


def sections(module):
    """Yields for each section: the identifier, the name if it is a custom section, and the start and end of the content."""
    if module[:8] != b"\0asm\1\0\0\0":
        raise SystemExit("module-size.py: not a WebAssembly module of version 1")
    at = 8
    while at < len(module):
        kind = module[at]
        length, at = number(module, at + 1)
        name, begin = text(module, at) if kind == 0 else ("", at)
        yield kind, name, begin, at + length
        at += length


def function_names(module, at, end):
    while at < end:
        subsection = module[at]
        length, at = number(module, at + 1)
        if subsection == 1:
            count, place = number(module, at)
            for _ in range(count):
                index, place = number(module, place)
                name, place = text(module, place)
                yield index, re.sub(r"\\([0-9a-f]{2})", lambda escape: chr(int(escape[1], 16)), name)
        at += length


def function_sizes(module, at):
    """Yields the size of each function's body, including the length field. The module has no imports, so the first function has index 0."""
    count, at = number(module, at)
    for _ in range(count):
        begin = at
        length, at = number(module, at)
        at += length
        yield at - begin


def demangled(names):
    simple = subprocess.run(["swift", "demangle", "--compact", "--simplified"], input="\n".join(names), text=True,
                            capture_output=True, check=True).stdout.splitlines()
    return dict(zip(names, simple, strict=True))


def swift_module(name):
    """Returns the Swift module that declares the function with this mangled name, even if the function is a specialised generic."""
    found = re.match(r"\$[es](\d+)", name)
    if found:
        return name[found.end():found.end() + int(found[1])]
    return "Swift" if name.startswith(("$e", "$s", "swift_")) else "others"


def table(title, rows):
    print(f"{title}:")
    for size, name in rows:
        print(f"{size:9,}  {name}")


def main(path, count="25"):
    with open(path, "rb") as file:
        module = file.read()
    sizes, names, parts = [], {}, []
    for kind, name, begin, end in sections(module):
        if name == "name":
            names = dict(function_names(module, begin, end))
            continue
        parts.append((end - begin, SECTIONS.get(kind, "unknown") + f" {name}".rstrip()))
        if kind == 10:
            sizes = list(function_sizes(module, begin))
    if not names:
        raise SystemExit("module-size.py: the module has no names; see --help")
    readable = demangled([names.get(index, "?") for index in range(len(sizes))])
    modules = {}
    for index, size in enumerate(sizes):
        module_name = swift_module(names.get(index, "?"))
        modules[module_name] = modules.get(module_name, 0) + size
    table("Bytes by section", sorted(parts, reverse=True))
    table("Bytes of code by module", sorted(((size, name) for name, size in modules.items()), reverse=True))
    functions = sorted(((size, readable[names.get(index, "?")]) for index, size in enumerate(sizes)), reverse=True)
    table(f"Bytes of code by function, the largest {count} of {len(sizes)}", functions[:int(count)])


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[1] == "--help":
        print(__doc__.strip())
        sys.exit(0 if "--help" in sys.argv else 2)
    main(*sys.argv[1:])
