"""Parses, mutates and encodes BER elements with correct lengths, for differential.py."""


def encode(tag, contents, form="minimal"):
    count = len(contents)
    if form == "indefinite":
        return bytes([tag, 0x80]) + contents + b"\0\0"
    if form == "long":
        return bytes([tag, 0x84]) + count.to_bytes(4, "big") + contents
    if count < 0x80:
        return bytes([tag, count]) + contents
    octets = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(octets)]) + octets + contents


class Element:
    def __init__(self, tag, contents, depth):
        self.tag, self.form, self.prefix, self.children = tag, "minimal", contents, []
        bits = tag == 0x03 and contents[:1] == b"\0"
        if tag & 0x20 or tag == 0x04 or bits:
            children = parse(contents[bits:], depth + 1)
            if children:
                self.prefix, self.children = contents[:bits], children

    def encoded(self):
        return encode(self.tag, self.prefix + b"".join(c.encoded() for c in self.children), self.form)

    def all(self, siblings):
        yield siblings, self
        for child in self.children:
            yield from child.all(self.children)


def parse(data, depth=0):
    """Returns the elements of `data`, or an empty list if `data` is not a sequence of whole elements."""
    found, position = [], 0
    while position < len(data):
        if depth > 20 or position + 2 > len(data) or data[position] & 0x1F == 0x1F:
            return []
        tag, length, position = data[position], data[position + 1], position + 2
        if length >= 0x80:
            count = length & 0x7F
            if not 0 < count <= 3:
                return []
            length, position = int.from_bytes(data[position:position + count], "big"), position + count
        if position + length > len(data):
            return []
        found.append(Element(tag, data[position:position + length], depth))
        position += length
    return found


def flip(data, rng):
    """Changes bytes without regard to element boundaries."""
    data = bytearray(data)
    position = rng.randrange(len(data) + 1)
    match rng.randrange(4):
        case 0 if position < len(data):
            data[position] ^= 1 << rng.randrange(8)
        case 1 if position < len(data):
            data[position] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
        case 2:
            del data[position:position + rng.randrange(1, 4)]
        case _:
            data[position:position] = rng.randbytes(rng.randrange(1, 4))
    return bytes(data)


def mutate(data, rng):
    """Returns `data` with up to two changes."""
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        top = parse(data)
        if not top or rng.randrange(5) == 0:
            data = flip(data, rng)
            continue
        places = [place for element in top for place in element.all(top)]
        siblings, element = rng.choice(places)
        index = siblings.index(element)
        match rng.randrange(10):
            case 0:
                del siblings[index]
            case 1:
                siblings.insert(index, element)
            case 2:
                other = rng.randrange(len(siblings))
                siblings[index], siblings[other] = siblings[other], siblings[index]
            case 3:
                siblings[index] = rng.choice([e for _, e in places if element not in [x for _, x in e.all([])]] or [element])
            case 4:
                element.tag = rng.choice([element.tag ^ 0x20, element.tag + 1 & 0xFF, 0x0C, 0x13, 0x17, 0x18, 0x05, 0x30])
            case 5:
                element.form = rng.choice(["long", "indefinite"])
            case _:
                element.prefix = flip(element.prefix, rng)
        data = b"".join(e.encoded() for e in top)
    return data
