"""Represents the words of a program as polynomials over the integers.

A word of the program is an exact integer, represented by a polynomial with integer coefficients over *symbols*. Inputs are symbols. A carry, a shift, and the
halves of a product cut a value V at a bit k. The cut creates two symbols, lo and hi, with V = lo + 2ᵏ·hi and 0 ≤ lo < 2ᵏ. The provers use this equation in both
directions:

* `normal` (here) replaces lo by V − 2ᵏ·hi, which leaves a polynomial in the inputs and the hi symbols. Successive carries then cancel, so the coefficients show
  a congruence mod p. Because `normal` never divides, it also decides whether low words are equal mod 2ᵏ.
* `rational` (`bounds.py`) replaces hi by (V − lo)/2ᵏ, to bound the value.

`facts.py` stores the conditions of a path as equations.

Trusted: each symbol made here is an integer that satisfies its recorded equation and range.
"""

from proofs.domains.bounds import Bounds
from proofs.domains.facts import Facts
from proofs.domains.polynomial import add, constant, is_constant, multiply, only_symbol, replaced, scale, symbols_of, value, with_term


class Algebra(Bounds, Facts):
    """The symbols of one path, identified by numbers, and the facts about these symbols.

    The kinds of symbols:
    - "input"
    - "lo" and "hi": the lower and the upper part of a cut value
    - "sum": a name for a polynomial whose known range is smaller than the range computed from its terms
    - "block": a number whose words are inputs
    - "slack": the difference between the two sides of an inequality
    """

    def __init__(self):
        self.names, self.ranges, self.kind = [], [], []
        self.cut = []  # "lo": (V, k); "hi": (V, k, lo); "sum": the polynomial; else None
        self.normals = []  # normal form of each symbol
        self.low_words = {}  # (normal form mod 2^k, k) -> lo polynomial
        self.splits = {}  # (V, k) -> (lo, hi); ("sum", V) -> its name
        self.substitutions = {}  # symbol -> polynomial, from facts
        self.facts = []  # polynomials that are 0
        self.blocks = {}  # first word of a block -> its expression in terms of the block's number
        self.pairs = {}  # product of two symbols -> its expression in terms of a bounded sum of products
        self.block_words = {}  # number -> its words
        self.masks = []  # flags that select a constant; `tight` may bound the cases flag = 0 and flag = 1 separately

    # Symbols

    def symbol(self, name, low, high, kind="input", cut=None, normal=None):
        symbol = len(self.names)
        self.names.append(name)
        self.ranges.append((low, high))
        self.kind.append(kind)
        self.cut.append(cut)
        self.normals.append({(symbol,): 1} if normal is None else normal)
        return symbol

    def input_word(self, name, low=0, high=2**64 - 1):
        symbol = self.symbol(name, low, high)
        self.low_words[(frozenset({((symbol,), 1)}), 64)] = {(symbol,): 1}
        return {(symbol,): 1}

    def block(self, words, low, high):
        """Creates a bounded symbol for the number Σ wᵢ·2^(64i), and expresses the first word w₀ in terms of that symbol."""
        number = self.symbol("block", low, high, "block")
        expression = {(number,): 1}
        for position, word in enumerate(words[1:], 1):
            expression = add(expression, word, -(1 << 64 * position))
        (first,) = next(iter(words[0]))
        self.blocks[first] = expression
        self.block_words[number] = words

    def block_number(self, words):
        return next(number for number, its_words in self.block_words.items() if its_words is words)

    def boolean(self, polynomial):
        """Expresses a polynomial whose value is 0 or 1 as a symbol, as a constant, or as 1 minus a symbol."""
        polynomial = self.substitute(polynomial)
        if is_constant(polynomial) or (len([m for m in polynomial if m]) == 1 and self.range(polynomial) == (0, 1)):
            return polynomial
        return self.defined(polynomial, 0, 1)

    def defined(self, polynomial, low, high):
        """Creates a symbol for a polynomial whose known range is smaller than the range computed from its terms."""
        least, greatest = self.range(polynomial)
        if least >= low and greatest <= high:
            return polynomial
        key = ("sum", frozenset(polynomial.items()))
        if key not in self.splits:
            symbol = self.symbol("sum", low, high, "sum", polynomial, self.normal(polynomial))
            self.splits[key] = {(symbol,): 1}
        return self.splits[key]

    # Normal forms

    def normal(self, polynomial):
        """Rewrites the polynomial so that it contains only inputs and hi symbols, and applies the substitutions."""
        total = {}
        for monomial, coefficient in polynomial.items():
            term = {(): coefficient}
            for symbol in monomial:
                form = self.normals[symbol]
                term = multiply(term, form) if len(monomial) > 1 else scale(form, coefficient)
            total = add(total, term)
        return self.substitute(total)

    def substitute(self, polynomial):
        while self.substitutions:
            found = next((s for monomial in polynomial for s in monomial if s in self.substitutions), None)
            if found is None:
                break
            polynomial = replaced(polynomial, found, self.substitutions[found])
        return polynomial

    def with_blocks(self, polynomial):
        """Expresses a word through the bounded number that contains the word, and a product through the bounded sum that contains the product."""
        for product, expression in self.pairs.items():
            if product in polynomial:
                polynomial = with_term(polynomial, product, expression)
        for first, expression in self.blocks.items():
            while first in symbols_of(polynomial):
                polynomial = replaced(polynomial, first, expression)
        return polynomial

    # Cutting

    def split(self, polynomial, bits, exact=False):
        """Returns (lo, hi) with polynomial = lo + 2^bits·hi. `exact`: also tries to prove that hi is constant (a dropped carry)."""
        polynomial = self.substitute(polynomial)
        if is_constant(polynomial):
            return constant(value(polynomial) & ((1 << bits) - 1)), constant(value(polynomial) >> bits)
        key = (frozenset(polynomial.items()), bits)
        if key not in self.splits:
            self.splits[key] = (
                self._split_by_range(polynomial, bits) or self._split_of_bit(polynomial, bits)
                or exact and self._split_with_known_carry(polynomial, bits) or self._cut(polynomial, bits))
        return self.splits[key]

    def split_product(self, product, bits):
        """Splits like `split`, but first divides by a power of two: 2ⁿ·P cut at bit k and P cut at bit k − n have the same upper symbol."""
        zeros = min(((c & -c).bit_length() - 1 for c in product.values()), default=0) % bits
        lo, hi = self.split({monomial: c >> zeros for monomial, c in product.items()}, bits - zeros)
        return scale(lo, 1 << zeros), hi

    def _split_by_range(self, polynomial, bits):
        """Splits the polynomial if the range of the polynomial, or of its terms that are not multiples of 2^bits, allows only one hi value."""
        low, high = self.range(polynomial)
        if low >> bits == high >> bits:
            return add(polynomial, constant(low >> bits << bits), -1), constant(low >> bits)
        multiple = {monomial: c >> bits for monomial, c in polynomial.items() if c % (1 << bits) == 0}
        if multiple:
            rest = {monomial: c for monomial, c in polynomial.items() if c % (1 << bits)}
            low, high = self.range(rest)
            if low >> bits == high >> bits:
                return add(rest, constant(low >> bits << bits), -1), add(multiple, constant(low >> bits))
        return None

    def two_values(self, polynomial):
        """If the polynomial contains one symbol and has two possible values, returns (value for bit = 0, value for bit = 1, bit). Otherwise returns None."""
        found = only_symbol(polynomial)
        if found is None:
            return None
        symbol, coefficient = found
        first, last = self.ranges[symbol]
        if last != first + 1:
            return None
        bit = add({(symbol,): 1}, constant(first), -1)
        clear = value(polynomial) + first * coefficient
        return clear, clear + coefficient, bit

    def _split_of_bit(self, polynomial, bits):
        found = self.two_values(polynomial)
        if found is None:
            return None
        clear, set_, bit = found
        self.mask(bit)
        lo = add(constant(clear % (1 << bits)), scale(bit, set_ % (1 << bits) - clear % (1 << bits)))
        hi = add(constant(clear >> bits), scale(bit, (set_ >> bits) - (clear >> bits)))
        return lo, hi

    def _split_with_known_carry(self, polynomial, bits):
        low, high = self.tight(polynomial, want=(0, (1 << bits) - 1), splits=1)
        if low >> bits != high >> bits:
            return None
        return self.defined(add(polynomial, constant(low >> bits << bits), -1), 0, (1 << bits) - 1), constant(low >> bits)

    def _cut(self, polynomial, bits):
        """Creates a symbol for each part. Reuses a low word that has the same normal form mod 2^bits."""
        low, high = self.range(polynomial)
        normal = self.normal(polynomial)
        residue = {monomial: c % (1 << bits) for monomial, c in normal.items() if c % (1 << bits)}
        key = (frozenset(residue.items()), bits)
        if not residue or is_constant(residue):
            lo, lo_normal = constant(value(residue)), constant(value(residue))
        elif key in self.low_words:
            lo = self.low_words[key]
            lo_normal = self.normal(lo)
        else:
            hi_symbol = self.symbol("hi", low >> bits, high >> bits, "hi")
            lo_form = add(normal, {(hi_symbol,): 1 << bits}, -1)
            lo = {(self.symbol("lo", 0, (1 << bits) - 1, "lo", (polynomial, bits), lo_form),): 1}
            self.low_words[key] = lo
            self.cut[hi_symbol] = (polynomial, bits, lo)
            return lo, {(hi_symbol,): 1}
        difference = add(normal, lo_normal, -1)
        hi_form = {monomial: c // (1 << bits) for monomial, c in difference.items()}
        hi_symbol = self.symbol("hi", low >> bits, high >> bits, "hi", None, hi_form)
        self.cut[hi_symbol] = (polynomial, bits, lo)
        return lo, {(hi_symbol,): 1}
