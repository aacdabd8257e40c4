"""What all readers of the IR share."""


class Unsupported(Exception):
    """An instruction or a use of one outside of what the prover models."""


class BadAccess(Unsupported):
    """An access to memory that is no whole, aligned word within an object."""


def split_arguments(text):
    """Splits at the commas outside of brackets."""
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
