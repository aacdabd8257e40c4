"""Computes the values of a run's symbols for given inputs, so that tests can compare the prover's results with numbers.

No proof relies on this module. Only the tests `test_signed.py`, `test_sha2.py` and `random_programs.py` use it.
"""

from proofs.domains.bits import Bits, terms_of
from proofs.domains.values import Values


class Numbers(Values):
    """The values of a run's polynomials for given inputs. The inputs are the first symbols of the run."""

    def __init__(self, run, *inputs):
        super().__init__(run.algebra, enumerate(inputs))
        self.made = run.made

    def is_on_path(self):
        return all(self.outcome(*condition) == outcome for condition, outcome in self.made)


class BitNumbers:
    """The values of bit-level words for given inputs. The inputs are the first atoms."""

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
