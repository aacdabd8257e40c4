"""Helper functions of the IR parser for text with brackets."""

from proofs.outcomes import Unsupported


def split_arguments(text):
    """Splits at commas outside of brackets."""
    parts, depth, current = [], 0, ""
    for c in text:
        if c in "([{<":
            depth += 1
        elif c in ")]}>":
            depth -= 1
        if c == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += c
    if current.strip():
        parts.append(current.strip())
    return parts


def closing(text, start):
    """Returns the position of the bracket that closes the bracket at `start`."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    raise Unsupported("brackets: " + text)
