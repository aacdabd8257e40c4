"""Proves from the IR that the SHA-2 compression function is the function of FIPS 180-4, for whole blocks of any content.

`Sha2` below transcribes FIPS 180-4 §4.1, §4.2 and §6 on the words of `bits.py`. Each statement is about the result of `compress` for given block counts. The
result equals the state that §6.2.2 (or §6.4.2) computes block by block from the same initial state. The proof compares both as functions of every bit of the
initial state and the blocks. The proof runs the loops for each block count. Together, the counts cover every path: single blocks, groups, and groups followed
by single blocks.
"""

from dataclasses import dataclass, replace

from proofs.claim import Claim
from proofs.domains.bits import conjunction, ones, reversed_bytes, shifted, xor
from proofs.execution.execute_bits import BitRun
from proofs.execution.routines import one_function
from proofs.outcomes import Unproven


def primes(count):
    found, n = [], 2
    while len(found) < count:
        if all(n % p for p in found):
            found.append(n)
        n += 1
    return found


def cube_root(n):
    """Returns ⌊∛n⌋."""
    x = 1 << -(-n.bit_length() // 3)
    while True:
        y = (2 * x + n // (x * x)) // 3
        if y >= x:
            return x
        x = y


@dataclass(frozen=True)
class Sha2:
    """A hash function of FIPS 180-4. In its functions, a positive amount is a right rotation, and a negative amount is a right shift."""

    name: str
    width: int
    rounds: int
    big_sigma0: tuple
    big_sigma1: tuple
    small_sigma0: tuple
    small_sigma1: tuple

    def constants(self):
        """Returns the constants of §4.2.2 and §4.2.3: the first bits of the fractional parts of the cube roots of the first primes."""
        return [cube_root(p << 3 * self.width) & ones(self.width) for p in primes(self.rounds)]

    def sigma(self, x, amounts):
        """§4.1.2 and §4.1.3, with ROTRⁿ(x) = (x >> n) ∨ (x << w − n) of §3.2."""
        result = 0
        for n in amounts:
            part = shifted(self.width, x, -abs(n))
            if n > 0:
                part = xor(self.width, part, shifted(self.width, x, self.width - n))
            result = xor(self.width, result, part)
        return result

    def ch(self, x, y, z):
        """(x ∧ y) ⊕ (¬x ∧ z)"""
        w = self.width
        return xor(w, conjunction(w, x, y), conjunction(w, xor(w, x, ones(w)), z))

    def maj(self, x, y, z):
        """(x ∧ y) ⊕ (x ∧ z) ⊕ (y ∧ z)"""
        w = self.width
        return xor(w, xor(w, conjunction(w, x, y), conjunction(w, x, z)), conjunction(w, y, z))

    def block(self, terms, state, message):
        """§6.2.2 and §6.4.2: returns the state after a block of sixteen words."""
        def total(*words):
            result = 0
            for word in words:
                result = terms.add(self.width, result, word)
            return result

        w = list(message)
        for t in range(16, self.rounds):
            w.append(terms.name(total(self.sigma(w[t - 2], self.small_sigma1), w[t - 7], self.sigma(w[t - 15], self.small_sigma0), w[t - 16])))
        a, b, c, d, e, f, g, h = state
        for t, k in enumerate(self.constants()):
            t1 = h, self.sigma(e, self.big_sigma1), self.ch(e, f, g), k, w[t]
            t2 = self.sigma(a, self.big_sigma0), self.maj(a, b, c)
            a, b, c, d, e, f, g, h = terms.name(total(*t1, *t2)), a, b, c, terms.name(total(d, *t1)), e, f, g
        return [terms.name(total(x, y)) for x, y in zip((a, b, c, d, e, f, g, h), state)]


SHA256 = Sha2("SHA256", 32, 64, (2, 13, 22), (6, 11, 25), (7, 18, -3), (17, 19, -10))
SHA512 = Sha2("SHA512", 64, 80, (28, 34, 39), (14, 18, 41), (1, 8, -7), (19, 61, -6))


def compress(module, sha):
    return one_function(module, "compress of " + sha.name, sha.name + "StateV8compressyy")


def prove_compression(module, sha, blocks):
    """Proves the compression of `blocks` blocks. Returns the number of executed instructions."""
    run, size = BitRun(module), sha.width // 8
    message = [[run.terms.atom(sha.width) for _ in range(16)] for _ in range(blocks)]
    state = [run.terms.atom(sha.width) for _ in range(8)]
    # The message starts at an odd address, because the words of a message need not be aligned.
    source = run.memory.allocate_words([reversed_bytes(sha.width, word) for block in message for word in block], size, before=1)
    target = run.memory.allocate_words(state, size, read_only=False)
    for block in message:
        state = sha.block(run.terms, state, block)
    run.call(compress(module, sha).name, [source, 16 * size * blocks, target])
    for i, word in enumerate(state):
        if run.memory.load(target + size * i, size) != word:
            raise Unproven(f"word {i} of the state")
    return run.steps


@dataclass
class Row(Claim):
    name: str
    sha: Sha2
    counts: tuple  # of blocks
    text: str

    @property
    def of(self):
        return (f"{self.sha.name}State.compress",)

    def first(self, module):
        return compress(module, self.sha)

    def prove(self, module):
        for blocks in self.counts:
            prove_compression(module, self.sha, blocks)
        return f"{', '.join(map(str, sorted(self.counts)))} blocks"


def rows():
    """Returns statements for the block counts below, at most three groups. SHA-256 processes groups of four blocks, SHA-512 groups of two."""
    return [
        Row(f"{sha.name} compress", sha, counts, f"FIPS 180-4 §{section} for every bit of state and blocks")
        for sha, section, counts in ((SHA256, "6.2.2", (1, 5, 0, 2, 3, 4, 6, 7, 8, 9, 12)), (SHA512, "6.4.2", (1, 3, 0, 2, 4, 5, 6)))
    ]


def embedded_rows():
    """Returns the statements for Embedded Swift, whose compression function processes one block at a time."""
    return [replace(row, counts=(0, 1, 2, 3)) for row in rows()]
