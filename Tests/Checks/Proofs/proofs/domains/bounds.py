"""Computes bounds on the values of a polynomial over words.

`range` bounds term by term. `tight` bounds several forms of the same number and returns the best bounds. In the main form, *rational*, each hi is replaced by
(V − lo)/2ᵏ. The result is a rational combination of inputs and low words, whose ranges are known. Repeated low words cancel, and the ranges of the remaining
terms bound the value. An integer in the open interval (−1, 1) is 0. In this way, `tight` proves that a dropped carry is 0, and that two overflow flags are
never set together. A fact is a polynomial with the value 0, so a multiple of a fact may be added to any form.

Every form equals the polynomial, so a bad choice of forms gives wide bounds, but never wrong bounds.

Trusted: the forms are equal, and their ranges are rounded correctly to integers.
"""

from proofs.domains.polynomial import add, constant, is_constant, scale, symbols_of, without
from proofs.outcomes import Infeasible

SCALE = 64 * 40  # `rational` uses the common denominator 2^SCALE and requires that every division is exact.

ROUNDS_OF_FACTS = 2  # maximum number of facts added to a form
FORMS_PER_ROUND = 24  # maximum number of forms to which the next round adds facts
MOST_MASKS = 2  # maximum number of masks whose cases are bounded separately


class Bounds:
    """The part of `algebra.Algebra` that bounds polynomials."""

    def range(self, polynomial):
        low = high = 0
        for monomial, coefficient in polynomial.items():
            least = greatest = 1
            for symbol in monomial:
                first, last = self.ranges[symbol]
                products = (least * first, least * last, greatest * first, greatest * last)
                least, greatest = min(products), max(products)
            if coefficient < 0:
                least, greatest = greatest, least
            low += coefficient * least
            high += coefficient * greatest
        return low, high

    def tight(self, polynomial, deep=True, splits=2, want=None):
        """Returns the best integer bounds from all forms and case splits. The search ends when the bounds are within `want` = (low, high)."""
        polynomial = self.substitute(polynomial)
        low, high = self.range(polynomial)

        def enough():
            return low == high if want is None else low >= want[0] and high <= want[1]

        if enough():
            return low, high
        for form in self._forms(polynomial, deep):
            least, greatest = self.range(form)
            low, high = max(low, -((-least) >> SCALE)), min(high, greatest >> SCALE)
            if low > high:
                raise Infeasible()
            if enough():
                return low, high
        if splits and deep:
            for mask in self._relevant_masks(polynomial):
                cases = self._bounds_by_case(polynomial, mask, splits, want)
                low = max(low, min(least for least, _ in cases))
                high = min(high, max(greatest for _, greatest in cases))
                if enough():
                    break
        return low, high

    # Case splits

    def mask(self, bit):
        """Records a bit, so that `tight` may bound the cases bit = 0 and bit = 1 separately."""
        if not is_constant(bit) and bit not in self.masks:
            self.masks.append(bit)

    def _bounds_by_case(self, polynomial, mask, splits, want):
        """Returns the bounds for mask = 0 and for mask = 1. Omits an infeasible case."""
        cases = []
        for bit in (0, 1):
            saved = (dict(self.substitutions), list(self.facts), list(self.masks), list(self.ranges))
            try:
                self.assume(add(mask, constant(-bit)))
                self.masks = [other for other in self.masks if other != mask]
                cases.append(self.tight(polynomial, True, splits - 1, want))
            except Infeasible:
                pass
            finally:
                self.substitutions, self.facts, self.masks, self.ranges = saved
        if not cases:
            raise Infeasible()
        return cases

    def _relevant_masks(self, polynomial):
        """Returns the newest masks on which the polynomial depends."""
        seen, waiting = set(), list(symbols_of(polynomial))
        while waiting:
            symbol = waiting.pop()
            if symbol in seen:
                continue
            seen.add(symbol)
            cut = self.cut[symbol]
            for part in (cut,) if self.kind[symbol] == "sum" else (cut[0],) if cut else ():
                waiting += symbols_of(part)
        return [mask for mask in reversed(self.masks) if symbols_of(mask) & seen][:MOST_MASKS]

    # Forms

    def rational(self, polynomial, keep=(), substituting=True):
        """Replaces every hi symbol outside `keep` by (V − lo)/2ᵏ, newest first. Returns the numerators over 2^SCALE."""
        substitute = self.substitute if substituting else lambda same: same  # substituting a fact into itself would leave 0 = 0
        form = scale(substitute(polynomial), 1 << SCALE)
        keep = set(keep)
        waiting = self._replaceable(form) - keep
        while waiting:
            newest = max(waiting)
            if self.kind[newest] == "sum":
                numerator, bits = self.cut[newest], 0
            else:
                cut_value, bits, lo = self.cut[newest]
                numerator = substitute(add(cut_value, lo, -1))
            if self._with_fraction(form, newest, numerator, bits):
                waiting |= self._replaceable(numerator) - keep
            else:
                waiting.remove(newest)
        return form

    def _replaceable(self, polynomial):
        return {symbol for symbol in symbols_of(polynomial) if self.kind[symbol] in ("hi", "sum")}

    @staticmethod
    def _with_fraction(form, symbol, numerator, bits):
        """Replaces one occurrence of a symbol in each monomial of a form by numerator/2^bits. Returns whether the form contained the symbol."""
        terms = [(monomial, form.pop(monomial)) for monomial in [monomial for monomial in form if symbol in monomial]]
        for monomial, coefficient in terms:
            if coefficient % (1 << bits):
                raise ArithmeticError("SCALE is too small")
            rest, factor = without(monomial, symbol), coefficient >> bits
            for other, c in numerator.items():
                key = tuple(sorted(other + rest))
                changed = form.get(key, 0) + factor * c
                if changed:
                    form[key] = changed
                else:
                    form.pop(key, None)
        return bool(terms)

    def _shallow(self, polynomial):
        """Returns the rational form in which only the polynomial's own symbols are expanded."""
        return self.rational(polynomial, keep=set(range(len(self.names))) - symbols_of(self.substitute(polynomial)))

    def _forms(self, polynomial, deep):
        """Yields rational forms of a polynomial: with only its own symbols expanded, with all but the masks expanded (if there are masks), and fully expanded.

        If `deep`, also yields expansions of the normal form, and forms with multiples of facts added.
        """
        yield self._shallow(polynomial)
        masks = {symbol for mask in self.masks for symbol in symbols_of(mask)}
        expansions = [masks, set()] if masks else [set()]
        frontier, facts = [], []
        for keep in expansions:
            frontier.append(self.with_blocks(self.rational(polynomial, keep)))
            yield frontier[-1]
        if not deep:
            return
        normal = self.normal(polynomial)
        for keep in expansions:
            frontier.append(self.with_blocks(self.rational(normal, keep)))
            yield frontier[-1]
            expanded = (self.with_blocks(self.rational(fact, keep, False)) for fact in self.facts)
            facts += [fact for fact in expanded if fact]
        for _ in range(ROUNDS_OF_FACTS):
            following = []
            for form in frontier:
                for fact in facts:
                    following += self._eliminated(form, fact)
            yield from following
            frontier = following[:FORMS_PER_ROUND]

    @staticmethod
    def _eliminated(form, fact):
        """Yields forms in which a multiple of the fact cancels one of the two newest monomials that form and fact share."""
        for monomial in sorted((m for m in fact if m in form and m), reverse=True)[:2]:
            in_form, in_fact = form[monomial], fact[monomial]
            if in_form % in_fact == 0:
                yield add(form, fact, -(in_form // in_fact))
            elif in_fact % in_form == 0 and (in_fact // in_form) & (in_fact // in_form - 1) == 0:
                factor = in_fact // in_form
                difference = add(scale(form, factor), fact, -1)
                if all(coefficient % factor == 0 for coefficient in difference.values()):
                    yield {m: coefficient // factor for m, coefficient in difference.items()}
