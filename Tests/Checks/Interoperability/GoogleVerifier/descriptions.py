"""Parses, mutates and encodes key descriptions with correct lengths. Tag numbers may have any size."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Fuzzing"))
import elements  # noqa: E402 pylint: disable=wrong-import-position

# Tag numbers for mutants: the schema's numbers, the numbers that Google's library omits, and some undefined numbers.
NUMBERS = [*range(1, 12), 200, 203, 303, 305, *range(400, 406), *range(502, 510), 600, *range(701, 725), 799, 1 << 14]
VALUES = [b"", b"\0", b"\1", b"\0\0", b"\x80", b"\xff", b"\0\xff", b"\x7f" * 4, b"\x7f" + b"\xff" * 7, b"\1" + b"\0" * 8, b"\0" + b"\xff" * 8]


def identifier(number):
    """Returns the identifier octets of a constructed context-specific element with this tag number."""
    if number < 31:
        return bytes([0xA0 | number])
    octets = [number & 0x7F]
    while number := number >> 7:
        octets.append(0x80 | number & 0x7F)
    return b"\xbf" + bytes(reversed(octets))


class Node:
    def __init__(self, tag, contents):
        self.tag, self.contents, self.children = tag, contents, []
        if tag[0] & 0x20 or tag == b"\4":
            self.children = parse(contents)

    def encoded(self):
        contents = b"".join(map(Node.encoded, self.children)) or self.contents
        return self.tag + elements.encode(0, contents)[1:]

    def places(self, siblings):
        yield siblings, self
        for child in self.children:
            yield from child.places(self.children)


def parse(data):
    """Returns the elements of `data`, or an empty list if `data` is not a sequence of whole elements."""
    found, at = [], 0
    while at + 2 <= len(data):
        start = at
        at += 1
        if data[start] & 31 == 31:
            while at < len(data) and data[at] & 128:
                at += 1
            at += 1
        tag = data[start:at]
        if at >= len(data):
            return []
        length, at = data[at], at + 1
        if length > 127:
            count = length & 127
            length, at = int.from_bytes(data[at:at + count], "big"), at + count
        if at + length > len(data):
            return []
        found.append(Node(tag, data[at:at + length]))
        at += length
    return found if at == len(data) else []


def mutate(data, rng):
    """Returns `data` with at most two random changes."""
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        top = parse(data)
        if not top or rng.randrange(8) == 0:
            data = elements.flip(data, rng)
            continue
        places = [place for node in top for place in node.places(top)]
        siblings, node = rng.choice(places)
        index = next(i for i, other in enumerate(siblings) if other is node)
        match rng.randrange(8):
            case 0:
                del siblings[index]
            case 1:
                siblings.insert(index, node)
            case 2:
                other = rng.randrange(len(siblings))
                siblings[index], siblings[other] = siblings[other], siblings[index]
            case 3:
                other = rng.choice(places)[1]
                siblings[index] = Node(other.tag, other.contents)
            case 4 if node.tag[0] & 0xC0 == 0x80:
                node.tag = identifier(rng.choice(NUMBERS))
            case 4:
                node.tag = bytes([rng.choice([1, 2, 4, 5, 10, 12, 0x30, 0x31])])
            case 5:
                node.children, node.contents = [], rng.choice(VALUES)
            case _:
                contents = b"".join(map(Node.encoded, node.children)) or node.contents
                node.children, node.contents = [], elements.flip(contents, rng)
        data = b"".join(map(Node.encoded, top))
    return data
