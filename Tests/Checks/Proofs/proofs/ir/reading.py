"""Helper functions of the IR parser for text with brackets."""

import re

from proofs.outcomes import Unsupported

PARENTHESIS = re.compile(r"[()]")
SEPARATOR = re.compile(r"[(\[{<)\]}>,]")
DEPTH = {**dict.fromkeys("([{<", 1), **dict.fromkeys(")]}>", -1), ",": 0}


def split_arguments(text):
    """Splits at commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for found in SEPARATOR.finditer(text):
        depth += DEPTH[found[0]]
        if found[0] == "," and depth == 0:
            parts.append(text[start : found.start()].strip())
            start = found.end()
    last = text[start:].strip()
    return [*parts, last] if last else parts


def closing(text, start):
    """Returns the position of the bracket that closes the parenthesis at `start`."""
    depth = 0
    for found in PARENTHESIS.finditer(text, start):
        depth += DEPTH[found[0]]
        if depth == 0:
            return found.start()
    raise Unsupported("brackets: " + text)
