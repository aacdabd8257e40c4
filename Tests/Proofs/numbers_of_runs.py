"""What the symbols of a run are for given inputs: so a result of the prover is compared with a number.

Trusted by no proof: `test_signed.py` and `random_programs.py` use it.
"""

from bits import Bits, terms_of


class Numbers:
    """The value of a run's polynomials for given inputs, its first symbols."""

    def __init__(self, run, *inputs):
        self.algebra, self.run = run.algebra, run
        self.known = dict(enumerate(inputs))

    def of(self, polynomial):
        total = 0
        for monomial, coefficient in polynomial.items():
            for symbol in monomial:
                coefficient *= self.symbol(symbol)
            total += coefficient
        return total

    def symbol(self, symbol):
        if symbol not in self.known:
            kind, cut = self.algebra.kind[symbol], self.algebra.cut[symbol]
            if kind == "sum":
                self.known[symbol] = self.of(cut)
            else:
                self.known[symbol] = self.of(cut[0]) % (1 << cut[1]) if kind == "lo" else self.of(cut[0]) >> cut[1]
        return self.known[symbol]

    def is_on_path(self):
        """Whether the conditions of the path hold."""
        outcomes = {
            "flag": lambda left, *_: self.of(left), "eq": lambda left, right: self.of(left) == self.of(right),
            "ult": lambda left, right: self.of(left) < self.of(right), "slt": lambda left, right: self.of(left) < self.of(right),
        }
        return all(int(outcomes[condition[0]](*condition[1:3])) == outcome for condition, outcome in self.run.made)


class BitNumbers:
    """The value of words of bits for given inputs, the first atoms."""

    def __init__(self, terms, inputs):
        self.summed = {terms.whole_atom(atom): key for key, atom in terms.sums.items()}
        self.known = {atom: number % (1 << 64) for atom, number in enumerate(inputs)}

    def of(self, word):
        result = 0
        for factors, mask in terms_of(word).items():
            for atom, shift in factors:
                value = self.atom(atom)
                mask &= value << shift if shift >= 0 else value >> -shift
            result ^= mask
        return result

    def atom(self, atom):
        if atom not in self.known:
            width, parts = self.summed[atom]
            self.known[atom] = sum(factor * (self.of(part) if isinstance(part, Bits) else part) for part, factor in parts) % (1 << width)
        return self.known[atom]
