"""Models memory as objects of known size, with aligned cells that never overlap.

An access must lie within its object, and be aligned to its width and to the alignment that the IR declares. A load must read exactly one cell that a store
wrote. All other accesses are rejected (`BadAccess`), so a proof reads exactly the result that the code stored in those bytes.
"""

from proofs.ir.layout import width_of
from proofs.outcomes import BadAccess


class Memory:
    """One object: an argument, a result or an `alloca`."""

    def __init__(self, size, alignment=8, words=(), read_only=False):
        self.size, self.alignment, self.read_only = size, alignment, read_only
        self.cells = {}  # offset -> (kind, value)
        self.alive = True
        self.stores = 0  # the number of stores by the code
        for i, word in enumerate(words):
            self.cells[8 * i] = ("i64", word)

    def _check(self, offset, kind, alignment):
        width = width_of(kind)
        if not self.alive:
            raise BadAccess("an access to an object after its lifetime")
        if offset < 0 or offset + width > self.size:
            raise BadAccess(f"{kind} at {offset}, outside of an object of {self.size} bytes")
        if offset % width or offset % alignment or self.alignment % alignment:
            raise BadAccess(f"{kind} at {offset} is not aligned to {max(width, alignment)}")

    def load(self, offset, kind, alignment=1):
        self._check(offset, kind, alignment)
        cell = self.cells.get(offset)
        if cell is None or cell[0] != kind:
            raise BadAccess(f"load of {kind} at {offset}")
        return cell[1]

    def store(self, offset, kind, value, alignment=1):
        self._check(offset, kind, alignment)
        if self.read_only:
            raise BadAccess("store to an argument")
        width = width_of(kind)
        for other, (other_kind, _) in self.cells.items():
            other_width = width_of(other_kind)
            if other < offset + width and offset < other + other_width and (other, other_width) != (offset, width):
                raise BadAccess(f"store of {kind} at {offset} over a part of {other_kind} at {other}")
        self.cells[offset] = (kind, value)
        self.stores += 1

    def require(self, offset, size, alignment):
        """Checks the promises of the IR about an address."""
        if size and not (self.alive and 0 <= offset <= self.size - size) or offset % alignment or self.alignment % alignment:
            raise BadAccess(f"an address is promised: {size} bytes at {offset}, aligned to {alignment}")

    def forget(self, start, end):
        """Removes the cells that overlap a range, so that code cannot read their old contents."""
        self.cells = {offset: cell for offset, cell in self.cells.items() if offset + width_of(cell[0]) <= start or end <= offset}

    def words(self, count):
        """Returns the first `count` words of 64 bits; each must have been stored as one word."""
        return [self.load(8 * i, "i64") for i in range(count)]

    def start_lifetime(self):
        self.cells, self.alive = {}, True

    def end_lifetime(self):
        self.cells, self.alive = {}, False


class Pointer:
    def __init__(self, memory, offset=0):
        self.memory, self.offset = memory, offset

    def moved(self, by, inbounds=False):
        offset = self.offset + by
        if inbounds and not (0 <= self.offset <= self.memory.size and 0 <= offset <= self.memory.size):
            raise BadAccess(f"an address from {self.offset} to {offset} outside of an object of {self.memory.size} bytes")
        return Pointer(self.memory, offset)
