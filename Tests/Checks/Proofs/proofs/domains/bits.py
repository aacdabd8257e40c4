"""Represents words bit by bit, as polynomials over GF(2), for the proofs of SHA-2 and other bitwise code.

A word is a number (`int`) or a `Bits`. A `Bits` is an exclusive or of terms (x₁ << s₁) ∧ (x₂ << s₂) ∧ … ∧ mask, with *atoms* xᵢ. A negative shift is a shift to
the right. These words are closed under exclusive or, and, or, not, shifts by a number, rotations and permutations of bytes. This form is unique because x ∧ x =
x, so equal functions of the atoms have equal forms.

A sum mod 2ⁿ becomes a new atom. Sums with the same summands and coefficients mod 2ⁿ share one atom. A sum of sums is flattened, unless the specification names
the inner sum. `name` marks such an inner sum, which then stays a single summand. Without this exception, sums would grow from round to round.
"""


def ones(width):
    return (1 << width) - 1


def signed(number, width):
    return (number + (1 << width - 1)) % (1 << width) - (1 << width - 1)


class Bits:
    """A word with at least one atom. `terms`: {factors: mask}; `factors`: a frozenset of (atom, shift)."""

    __slots__ = ("width", "terms", "_hash")

    def __init__(self, width, terms):
        self.width, self.terms, self._hash = width, terms, None

    def __eq__(self, other):
        return isinstance(other, Bits) and self.width == other.width and self.terms == other.terms

    def __hash__(self):
        if self._hash is None:
            self._hash = hash((self.width, frozenset(self.terms.items())))
        return self._hash


def terms_of(word):
    if isinstance(word, Bits):
        return word.terms
    return {frozenset(): word} if word else {}


def made(width, terms):
    terms = {factors: mask for factors, mask in terms.items() if mask}
    if not terms:
        return 0
    if len(terms) == 1 and frozenset() in terms:
        return terms[frozenset()]
    return Bits(width, terms)


def xor(width, a, b):
    if not isinstance(a, Bits) and not isinstance(b, Bits):
        return a ^ b
    terms = dict(terms_of(a))
    for factors, mask in terms_of(b).items():
        terms[factors] = terms.get(factors, 0) ^ mask
    return made(width, terms)


def conjunction(width, a, b):
    if not isinstance(a, Bits) and not isinstance(b, Bits):
        return a & b
    terms = {}
    for factors_of_a, mask_of_a in terms_of(a).items():
        for factors_of_b, mask_of_b in terms_of(b).items():
            mask = mask_of_a & mask_of_b
            if mask:
                factors = factors_of_a | factors_of_b
                terms[factors] = terms.get(factors, 0) ^ mask
    return made(width, terms)


def disjunction(width, a, b):
    return xor(width, xor(width, a, b), conjunction(width, a, b))


def shifted(width, a, by):
    """Shifts left, or right for a negative `by`; drops the bits that leave the word."""
    move = (lambda mask: mask << by & ones(width)) if by >= 0 else (lambda mask: mask >> -by)
    if not isinstance(a, Bits):
        return move(a)
    return made(width, {frozenset((atom, shift + by) for atom, shift in factors): move(mask) for factors, mask in a.terms.items()})


def resized(width, a):
    """Truncates a word to its low bits, or extends it with zeros."""
    if not isinstance(a, Bits):
        return a & ones(width)
    return made(width, {factors: mask & ones(width) for factors, mask in a.terms.items()})


def joined(width, words, bits):
    """Returns the number Σ wᵢ·2^(bits·i) as one word, for words wᵢ < 2^bits."""
    result = 0
    for i, word in enumerate(words):
        result = xor(width, result, shifted(width, resized(width, word), bits * i))
    return result


def possible(a):
    """Returns the bits that can be 1."""
    result = 0
    for mask in terms_of(a).values():
        result |= mask
    return result


def reversed_bytes(width, a):
    result = 0
    for place in range(0, width, 8):
        byte = conjunction(width, a, 0xFF << place)
        result = xor(width, result, shifted(width, byte, width - 8 - 2 * place))
    return result


class Terms:
    """Creates and stores the atoms of a proof."""

    def __init__(self):
        self.widths = []
        self.sums = {}  # (width, summands) -> atom
        self.summands = {}  # atom -> {word: coefficient}, for sums without a name

    def atom(self, width):
        self.widths.append(width)
        return Bits(width, {frozenset({(len(self.widths) - 1, 0)}): ones(width)})

    def whole_atom(self, a):
        """Returns the atom that the word equals, or None."""
        if len(a.terms) == 1:
            ((factors, mask),) = a.terms.items()
            if len(factors) == 1:
                ((atom, shift),) = factors
                if shift == 0 and mask == ones(self.widths[atom]) and a.width == self.widths[atom]:
                    return atom
        return None

    def add(self, width, a, b, factor=1):
        """Returns a + factor·b mod 2^width."""
        if not isinstance(a, Bits) and not isinstance(b, Bits):
            return a + factor * b & ones(width)
        total = {}
        for word, times in ((a, 1), (b, factor)):
            atom = self.whole_atom(word) if isinstance(word, Bits) else None
            parts = {word: 1} if isinstance(word, Bits) else {1: word}
            for part, coefficient in self.summands.get(atom, parts).items():
                total[part] = total.get(part, 0) + times * coefficient & ones(width)
        total = {part: coefficient for part, coefficient in total.items() if coefficient}
        if len(total) < 2:
            part, coefficient = next(iter(total.items()), (1, 0))
            if part == 1:
                return coefficient
            if coefficient == 1:
                return part
        key = width, frozenset(total.items())
        if key not in self.sums:
            self.sums[key] = self.atom(width)
            self.summands[self.whole_atom(self.sums[key])] = total
        return self.sums[key]

    def name(self, word):
        """Makes later sums treat the word as one summand; returns the word."""
        if isinstance(word, Bits):
            self.summands.pop(self.whole_atom(word), None)
        return word
