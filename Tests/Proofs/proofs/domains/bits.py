"""Words of bits as polynomials over GF(2): the algebra behind the proofs of SHA-2.

A word is a number (`int`) or a `Bits`: an exclusive or of terms (x₁ << s₁) ∧ (x₂ << s₂) ∧ … ∧ mask over *atoms* xᵢ, where a negative shift is
one to the right. Exclusive or, and, or, not, shifts by a number, rotations and permutations of bytes lead from such words to such words, and
as x ∧ x = x the form is unique: equal functions of the atoms are equal forms.

A sum mod 2ⁿ is a new atom, one for each set of summands with their coefficients mod 2ⁿ. A sum of sums is that of all summands, but for those
that `name` was called for: what a specification gives a name to stays one summand, and sums do not grow from round to round.
"""


def ones(width):
    return (1 << width) - 1


class Bits:
    """Not a number: at least one atom occurs. `terms`: {factors: mask}, the factors a frozenset of (atom, shift)."""

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
    """To the left, or with a negative `by` to the right; what leaves the word is dropped."""
    move = (lambda mask: mask << by & ones(width)) if by >= 0 else (lambda mask: mask >> -by)
    if not isinstance(a, Bits):
        return move(a)
    return made(width, {frozenset((atom, shift + by) for atom, shift in factors): move(mask) for factors, mask in a.terms.items()})


def resized(width, a):
    """The low bits of a word, or a word with zeros above it."""
    if not isinstance(a, Bits):
        return a & ones(width)
    return made(width, {factors: mask & ones(width) for factors, mask in a.terms.items()})


def possible(a):
    """The bits that can be 1."""
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
    """The atoms of a proof."""

    def __init__(self):
        self.widths = []
        self.sums = {}  # (width, summands) -> atom
        self.summands = {}  # atom -> {word: coefficient}, for sums without a name

    def atom(self, width):
        self.widths.append(width)
        return Bits(width, {frozenset({(len(self.widths) - 1, 0)}): ones(width)})

    def whole_atom(self, a):
        """The atom that a word is, if it is no more than one."""
        if len(a.terms) == 1:
            ((factors, mask),) = a.terms.items()
            if len(factors) == 1:
                ((atom, shift),) = factors
                if shift == 0 and mask == ones(self.widths[atom]) and a.width == self.widths[atom]:
                    return atom
        return None

    def add(self, width, a, b, factor=1):
        """a + factor·b mod 2^width."""
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
        """The word, which stays one summand from now on."""
        if isinstance(word, Bits):
            self.summands.pop(self.whole_atom(word), None)
        return word
