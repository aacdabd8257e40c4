"""Tests that `sha2.py` transcribes SHA-2 from FIPS 180-4 correctly, and tests the word operations of `bits`."""

import hashlib
import random
import unittest

from proofs.domains import bits
from proofs.soundness.numbers_of_runs import BitNumbers
from proofs.statements.sha2 import SHA256, SHA512, cube_root, primes


def initial(sha):
    """FIPS 180-4 §5.3.3 and §5.3.5: returns the fractional parts of the square roots of the first eight primes."""
    import math

    return [math.isqrt(p << 2 * sha.width) & bits.ones(sha.width) for p in primes(8)]


def digest(sha, message):
    """Computes the digest of a concrete message, as specified by FIPS 180-4 §5.1 and §6."""
    size = sha.width // 8
    padded = message + b"\x80"
    padded += bytes(-(len(padded) + 2 * size) % (16 * size)) + (8 * len(message)).to_bytes(2 * size, "big")
    words = [int.from_bytes(padded[i : i + size], "big") for i in range(0, len(padded), size)]
    state, terms = initial(sha), bits.Terms()
    for i in range(0, len(words), 16):
        state = sha.block(terms, state, words[i : i + 16])
    return b"".join(w.to_bytes(size, "big") for w in state)


class Sha2Tests(unittest.TestCase):
    def test_the_transcription_agrees_with_another_implementation(self):
        rng = random.Random(1)
        for sha, other in ((SHA256, hashlib.sha256), (SHA512, hashlib.sha512)):
            for length in (0, 1, 3, 55, 56, 63, 64, 111, 112, 127, 128, 129, 300):
                message = rng.randbytes(length)
                self.assertEqual(digest(sha, message), other(message).digest())

    def test_cube_roots_are_rounded_down(self):
        for n in [*range(1, 1000), 2 << 192, (7 << 64) ** 3, (7 << 64) ** 3 - 1]:
            self.assertTrue(cube_root(n) ** 3 <= n < (cube_root(n) + 1) ** 3, n)

    def test_operations_on_forms_are_those_on_numbers(self):
        rng = random.Random(2)
        width, ones = 32, bits.ones(32)
        for _ in range(300):
            terms = bits.Terms()
            numbers = BitNumbers(terms, [rng.randrange(1 << width) for _ in range(3)])
            words = [terms.atom(width) for _ in range(3)] + [rng.randrange(1 << width)]
            for _ in range(8):
                a, b, by = rng.choice(words), rng.choice(words), rng.randrange(width)
                x, y = numbers.of(a), numbers.of(b)
                word, expected = rng.choice([
                    (bits.xor(width, a, b), x ^ y), (bits.conjunction(width, a, b), x & y), (bits.disjunction(width, a, b), x | y),
                    (bits.shifted(width, a, by), x << by & ones), (bits.shifted(width, a, -by), x >> by), (bits.resized(by + 1, a), x & bits.ones(by + 1)),
                    (bits.reversed_bytes(width, a), int.from_bytes(x.to_bytes(4, "big"), "little")),
                ])
                self.assertEqual(numbers.of(word), expected)
                self.assertEqual(bits.possible(word) & expected, expected)
                if len(bits.terms_of(word)) < 20:
                    words.append(bits.resized(width, word) if not isinstance(word, bits.Bits) else bits.Bits(width, word.terms))

    def test_sums_are_equal_exactly_for_equal_summands(self):
        terms = bits.Terms()
        a, b, c = (terms.atom(32) for _ in range(3))
        sums = [terms.add(32, terms.add(32, x, y), z) for x, y, z in ((a, b, c), (c, a, b), (b, c, a))]
        self.assertEqual(sums[0], sums[1])
        self.assertEqual(sums[0], sums[2])
        self.assertEqual(terms.add(32, sums[0], c, -1), terms.add(32, a, b))
        self.assertEqual(terms.add(32, terms.add(32, a, 1), 0xFFFF_FFFF), a)
        for other in (terms.add(32, a, b), terms.add(32, sums[0], a), terms.add(32, sums[0], 1), bits.xor(32, bits.xor(32, a, b), c)):
            self.assertNotEqual(sums[0], other)
