"""Models byte memory whose addresses are numbers, for code that reads unaligned words or makes pointers from integers."""

from proofs.domains.bits import Bits, resized, shifted, xor
from proofs.outcomes import BadAccess

SPACING = 1 << 20  # distance between the starts of two objects, so that an address identifies its object


class Address(int):
    """The address of a place in an object. Code must not depend on its number, which the model chooses (`byte_rules.py`)."""


def part(word, size, first, count):
    """Returns `count` octets of a word of `size` octets, from octet `first`. Rejects addresses and other words that are not plain data."""
    if type(word) is not int and not isinstance(word, Bits):
        raise BadAccess("a part of an address")
    return resized(8 * count, shifted(8 * size, word, -8 * first))


class Object:
    def __init__(self, size, alignment, read_only):
        self.size, self.alignment, self.read_only = size, alignment, read_only
        self.cells = {}  # offset -> (length in bytes, word); cells do not overlap
        self.alive = True
        self.stores = 0  # the number of stores by the code

    def start_of_cell(self, offset):
        """Returns the start of the cell that contains an octet, or None if the octet has no value."""
        return next((start for start in range(offset, offset - 16, -1) if start in self.cells and start + self.cells[start][0] > offset), None)


class ByteMemory:
    def __init__(self):
        self.objects = []

    def allocate(self, size, alignment=16, read_only=False):
        if size >= SPACING // 2:
            raise BadAccess("an object too large for the model")
        self.objects.append(Object(size, alignment, read_only))
        return Address(len(self.objects) * SPACING)

    def allocate_words(self, words, size, read_only=True, before=0):
        """Allocates an object with consecutive words of `size` bytes, the first at offset `before`. Returns the address of the first word."""
        address = Address(self.allocate(before + size * len(words), 16 if read_only else size, read_only) + before)
        for i, word in enumerate(words):
            self.store(address + size * i, size, word, initial=True)
        return address

    def addressed(self):
        return [(Address(SPACING * number), memory) for number, memory in enumerate(self.objects, 1)]

    def whole_words(self, address):
        """Returns {offset: number} of the 64-bit words of an object that are known numbers."""
        return {offset: word for offset, (length, word) in self.place(address)[0].cells.items() if length == 8 and type(word) is int}

    def place(self, address):
        """Returns (object, offset)."""
        if not isinstance(address, int):
            raise BadAccess("an address that depends on data")
        index = (address + SPACING // 4) // SPACING  # an address just before an object still belongs to that object
        if not 0 < index <= len(self.objects):
            raise BadAccess("an address of no object")
        return self.objects[index - 1], address - index * SPACING

    def moved(self, address, by, inbounds=False):
        """Returns the address `by` octets further. Rejects an address so far outside that the model could assign it to another object."""
        o, offset = self.place(address)
        if not -SPACING // 4 <= offset + by < SPACING - SPACING // 4:
            raise BadAccess(f"an address at {offset + by}, far outside of an object")
        if inbounds and not (0 <= offset <= o.size and 0 <= offset + by <= o.size):
            raise BadAccess(f"an address from {offset} to {offset + by}, outside of an object of {o.size} bytes")
        return Address(address + by)

    def access(self, address, length, alignment):
        o, offset = self.place(address)
        if not o.alive:
            raise BadAccess("an access to an object after its lifetime")
        if offset < 0 or offset + length > o.size:
            raise BadAccess(f"{length} bytes at {offset}, outside of an object of {o.size} bytes")
        if offset % alignment or o.alignment % alignment:
            raise BadAccess(f"an access at {offset} is not aligned to {alignment}")
        return o, offset

    def load(self, address, length, alignment=1):
        """Loads a little-endian word."""
        o, offset = self.access(address, length, alignment)
        cell = o.cells.get(offset)
        if cell is not None and cell[0] == length:
            return cell[1]
        result, width, i = 0, 8 * length, 0
        while i < length:
            start = o.start_of_cell(offset + i)
            if start is None:
                raise BadAccess(f"a load of what nothing was stored to, at {offset + i}")
            size, word = o.cells[start]
            first = offset + i - start
            count = min(size - first, length - i)
            found = part(word, size, first, count)
            result = xor(width, result, shifted(width, resized(width, found), 8 * i))
            i += count
        return result

    def store(self, address, length, word, alignment=1, initial=False):
        o, offset = self.access(address, length, alignment)
        if o.read_only and not initial:
            raise BadAccess("a store to what is only read")
        o.stores += not initial
        if offset in o.cells and o.cells[offset][0] == length:  # no other cell covers these bytes, because cells do not overlap
            o.cells[offset] = length, word
            return
        for start in range(offset - 15, offset + length):
            cell = o.cells.get(start)
            if cell is None or start + cell[0] <= offset or start >= offset + length:
                continue
            del o.cells[start]
            for i in range(cell[0]):
                if not offset <= start + i < offset + length:
                    o.cells[start + i] = 1, part(cell[1], cell[0], i, 1)
        o.cells[offset] = length, word

    def forget(self, address, length):
        """Removes the content of octets, so that code cannot read their old content."""
        self.store(address, length, 0, initial=True)
        o, offset = self.place(address)
        del o.cells[offset]

    def end_lifetime(self, address):
        self.lifetime(address).alive = False

    def start_lifetime(self, address):
        o = self.lifetime(address)
        o.cells, o.alive = {}, True

    def lifetime(self, address):
        o, offset = self.place(address)
        if offset:
            raise BadAccess("the lifetime of a part of an object")
        return o
