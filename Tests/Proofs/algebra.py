"""Integers as polynomials, split into words: the algebra behind the proofs.

A word of the program is an exact integer, held as a polynomial with integer coefficients over *symbols*. Inputs are symbols.
Cutting a value V at bit k (a carry, the halves of a product, a shift) makes two more, V = lo + 2ᵏ·hi with 0 ≤ lo < 2ᵏ. That
one equation is used in both directions:

* `normal` replaces lo by V − 2ᵏ·hi. What remains is a polynomial in the inputs and the hi; carries telescope, so that a
  congruence mod p is read off from the coefficients. It never divides, so it also decides equality of low words mod 2ᵏ.
* `rational` replaces hi by (V − lo)/2ᵏ. What remains is a rational combination of inputs and low words, each of which has
  a range; low words that were used again cancel, and the ranges of the rest bound the value. As it is an integer, a
  range like (−1, 1) makes it 0: that is how a lost carry is proven to be none, and two overflow flags to exclude each other.

Facts (the branch conditions of the path) are equations between polynomials; a multiple of one may be added to any bound.
"""

SCALE = 64 * 40  # `rational` works with numerators over 2^SCALE and insists that every division is exact.


def add(a, b, factor=1):
    r = dict(a)
    for m, c in b.items():
        v = r.get(m, 0) + factor * c
        if v:
            r[m] = v
        else:
            r.pop(m, None)
    return r


def scale(a, factor):
    return {m: c * factor for m, c in a.items()} if factor else {}


def multiply(a, b):
    r = {}
    for m, c in a.items():
        for n, d in b.items():
            k = tuple(sorted(m + n))
            v = r.get(k, 0) + c * d
            if v:
                r[k] = v
            else:
                r.pop(k, None)
    return r


def constant(c):
    return {(): c} if c else {}


def is_constant(a):
    return not a or (len(a) == 1 and () in a)


def value(a):
    return a.get((), 0)


class Infeasible(Exception):
    """The facts of this path exclude each other: nothing is to prove on it."""


class Algebra:
    def __init__(self):
        self.names, self.ranges, self.kind, self.cut = [], [], [], []
        self.normals = []  # normal form of each symbol
        self.low_words = {}  # (normal form mod 2^k, k) -> lo polynomial
        self.splits = {}  # (V, k) -> (lo, hi)
        self.substitutions = {}  # symbol -> polynomial, from facts
        self.facts = []  # polynomials that are 0
        self.blocks = {}  # first word of an input number -> its expression by the number
        self.pairs = {}  # product of two symbols -> its expression by a sum of products that has a bound
        self.block_words = {}  # number -> its words
        self.masks = []  # booleans that select a constant, worth a case split in bounds

    # Symbols

    def symbol(self, name, low, high, kind="input", cut=None, normal=None):
        s = len(self.names)
        self.names.append(name)
        self.ranges.append((low, high))
        self.kind.append(kind)
        self.cut.append(cut)
        self.normals.append({(s,): 1} if normal is None else normal)
        return s

    def input_word(self, name, low=0, high=2**64 - 1):
        s = self.symbol(name, low, high)
        self.low_words[(frozenset({((s,), 1)}), 64)] = {(s,): 1}
        return {(s,): 1}

    def block(self, words, low, high):
        """A bound on a whole number Σ wᵢ·2^(64i): its first word is expressed by the number, which becomes a symbol."""
        number = self.symbol("block", low, high, "block")
        expression = {(number,): 1}
        for i, w in enumerate(words[1:], 1):
            expression = add(expression, w, -(1 << 64 * i))
        (first,) = next(iter(words[0]))
        self.blocks[first] = expression
        self.block_words[number] = words

    def block_number(self, words):
        return next(n for n, w in self.block_words.items() if w is words)

    # Normal forms

    def normal(self, a):
        """In inputs and hi only, after the facts."""
        r = {}
        for m, c in a.items():
            term = {(): c}
            for s in m:
                n = self.normals[s]
                term = multiply(term, n) if len(m) > 1 else scale(n, c)
            r = add(r, term)
        return self.substitute(r)

    def substitute(self, a):
        while self.substitutions:
            hit = next((s for m in a for s in m if s in self.substitutions), None)
            if hit is None:
                break
            r = {}
            for m, c in a.items():
                if hit in m:
                    rest = list(m)
                    rest.remove(hit)
                    r = add(r, multiply({tuple(rest): c}, self.substitutions[hit]))
                else:
                    r = add(r, {m: c})
            a = r
        return a

    # Ranges

    def range(self, a):
        """Term by term."""
        low = high = 0
        for m, c in a.items():
            l, h = 1, 1
            for s in m:
                sl, sh = self.ranges[s]
                p = (l * sl, l * sh, h * sl, h * sh)
                l, h = min(p), max(p)
            if c < 0:
                l, h = h, l
            low += c * l
            high += c * h
        return low, high

    def rational(self, a, keep=(), substituting=True):
        """Numerators over 2^SCALE, with every hi replaced by (V − lo)/2ᵏ, newest first."""
        substitute = self.substitute if substituting else lambda x: x  # a fact, substituted into itself, is 0 = 0
        a = scale(substitute(a), 1 << SCALE)
        done = set(keep)
        while True:
            hit = max((s for m in a for s in m if self.kind[s] in ("hi", "sum") and s not in done), default=None)
            if hit is None:
                return a
            if self.kind[hit] == "sum":
                numerator, k = self.cut[hit], 0
            else:
                v, k, lo = self.cut[hit]
                numerator = substitute(add(v, lo, -1))
            r = {}
            for m, c in a.items():
                if hit in m:
                    rest = list(m)
                    rest.remove(hit)
                    if c % (1 << k):
                        raise ArithmeticError("SCALE is too small")
                    c >>= k
                    for n, d in numerator.items():
                        key = tuple(sorted(n + tuple(rest)))
                        v2 = r.get(key, 0) + c * d
                        if v2:
                            r[key] = v2
                        else:
                            r.pop(key, None)
                else:
                    v2 = r.get(m, 0) + c
                    if v2:
                        r[m] = v2
                    else:
                        r.pop(m, None)
            a = r

    def with_blocks(self, a):
        """Numbers and sums with a bound of their own in place of their parts."""
        for product, expression in self.pairs.items():
            if product in a:
                c = a[product]
                a = add(add(a, {product: c}, -1), expression, c)
        for first, expression in self.blocks.items():
            while any(first in m for m in a):
                r = {}
                for m, c in a.items():
                    if first in m:
                        rest = list(m)
                        rest.remove(first)
                        r = add(r, multiply({tuple(rest): c}, expression))
                    else:
                        r = add(r, {m: c})
                a = r
        return a

    def _shallow(self, a):
        """`rational`, but for the symbols of `a` alone."""
        return self.rational(a, keep=set(range(len(self.names))) - {s for m in self.substitute(a) for s in m})

    def _candidates(self, a, deep):
        """Rational forms of `a`: the expansion stops at the symbols of `a`, at the masks, or nowhere; then with facts added."""
        yield self._shallow(a)
        masks = {s for mask in self.masks for m in mask for s in m}
        expansions = [masks, set()] if masks else [set()]
        frontier, facts = [], []
        for keep in expansions:
            frontier.append(self.with_blocks(self.rational(a, keep)))
            yield frontier[-1]
        if not deep:
            return
        n = self.normal(a)
        for keep in expansions:
            frontier.append(self.with_blocks(self.rational(n, keep)))
            yield frontier[-1]
            facts += [f for f in (self.with_blocks(self.rational(f, keep, False)) for f in self.facts) if f]
        for _ in range(2):
            following = []
            for c in frontier:
                for f in facts:
                    following += self._eliminated(c, f)
            yield from following
            frontier = following[:24]

    def _eliminated(self, c, f):
        """c plus a multiple of f = 0, without one of their common newest symbols."""
        for m in sorted((m for m in f if m in c and m), reverse=True)[:2]:
            if c[m] % f[m] == 0:
                yield add(c, f, -(c[m] // f[m]))
            elif f[m] % c[m] == 0 and (f[m] // c[m]) & (f[m] // c[m] - 1) == 0:
                d = add(scale(c, f[m] // c[m]), f, -1)
                if all(v % (f[m] // c[m]) == 0 for v in d.values()):
                    yield {k: v // (f[m] // c[m]) for k, v in d.items()}

    def tight(self, a, deep=True, splits=2, want=None):
        """Integer bounds on `a`, from the best of all candidates and case splits on masks. `want` = (low, high) ends the search."""
        a = self.substitute(a)
        low, high = self.range(a)
        enough = (lambda: low == high) if want is None else (lambda: low >= want[0] and high <= want[1])
        if enough():
            return low, high
        for c in self._candidates(a, deep):
            l, h = self.range(c)
            l, h = -((-l) >> SCALE), h >> SCALE
            low, high = max(low, l), min(high, h)
            if low > high:
                raise Infeasible()
            if enough():
                return low, high
        if splits and deep:
            for mask in self._relevant_masks(a):
                bounds = []
                for bit in (0, 1):
                    saved = (dict(self.substitutions), list(self.facts), list(self.masks), list(self.ranges))
                    try:
                        self.assume(add(mask, constant(-bit)))
                        self.masks = [m for m in self.masks if m != mask]
                        bounds.append(self.tight(a, deep, splits - 1, want))
                    except Infeasible:
                        pass
                    finally:
                        self.substitutions, self.facts, self.masks, self.ranges = saved
                if not bounds:
                    raise Infeasible()
                low = max(low, min(b[0] for b in bounds))
                high = min(high, max(b[1] for b in bounds))
                if enough():
                    break
        return low, high

    def _relevant_masks(self, a):
        seen, stack = set(), [s for m in a for s in m]
        while stack:
            s = stack.pop()
            if s in seen:
                continue
            seen.add(s)
            cut = self.cut[s]
            for part in (cut,) if self.kind[s] == "sum" else (cut[0],) if cut else ():
                stack += [t for m in part for t in m]
        return [m for m in reversed(self.masks) if any(s in seen for k in m for s in k)][:2]

    def mask(self, bit):
        if not is_constant(bit) and bit not in self.masks:
            self.masks.append(bit)

    # Facts

    def check_feasible(self):
        for f in self.facts:
            low, high = self.tight(f)
            if low > 0 or high < 0:
                raise Infeasible()

    def assume(self, a):
        """Records a = 0."""
        a = self.substitute(a)
        if is_constant(a):
            if value(a):
                raise Infeasible()
            return
        low, high = self.range(a)
        if low > 0 or high < 0:
            raise Infeasible()
        self.facts.append(a)
        symbols = [m for m in a if m]
        if len(symbols) == 1 and len(symbols[0]) == 1 and abs(a[symbols[0]]) == 1:
            (s,), known = symbols[0], -value(a) * a[symbols[0]]
            if self.kind[s] == "sum":
                self.substitutions[s] = constant(known)
            elif self.kind[s] != "hi":
                # Not substituted: its normal form must not be forgotten.
                self.ranges[s] = (known, known)
                return
        expanded = a
        while any(self.kind[s] == "sum" for m in expanded for s in m):
            s = max(s for m in expanded for s in m if self.kind[s] == "sum")
            c = expanded.get((s,))
            if c is None:
                raise ArithmeticError("a product of a sum")
            expanded = self.substitute(add(add(expanded, {(s,): c}, -1), self.cut[s], c))
        if is_constant(expanded):
            if value(expanded):
                raise Infeasible()
            return
        for form in (expanded, a):
            for m in sorted((m for m in form if len(m) == 1), reverse=True):
                s = m[0]
                if abs(form[m]) == 1 and self.kind[s] != "sum":
                    solved = scale(add(form, {m: form[m]}, -1), -form[m])
                    if not any(s in k for k in solved):
                        self.substitutions[s] = solved
                        return

    # Cutting

    def split(self, a, k, exact=False):
        """(lo, hi) with a = lo + 2ᵏ·hi. `exact`: it pays to look for a constant hi (an addition whose carry is dropped)."""
        a = self.substitute(a)
        if is_constant(a):
            return constant(value(a) & ((1 << k) - 1)), constant(value(a) >> k)
        key = (frozenset(a.items()), k)
        if key not in self.splits:
            self.splits[key] = self._split(a, k, exact)
        return self.splits[key]

    def _split(self, a, k, exact):
        one = 1 << k
        low, high = self.range(a)
        if low >> k == high >> k:
            return add(a, constant(low >> k << k), -1), constant(low >> k)
        multiple = {m: c >> k for m, c in a.items() if c % one == 0}
        if multiple:
            rest = {m: c for m, c in a.items() if c % one}
            l, h = self.range(rest)
            if l >> k == h >> k:
                return add(rest, constant(l >> k << k), -1), add(multiple, constant(l >> k))
        symbols = {m for m in a if m}
        if len(symbols) == 1:
            (m,) = symbols
            first, last = self.ranges[m[0]]
            if len(m) == 1 and last == first + 1:  # two values
                bit = add({m: 1}, constant(first), -1)
                x = value(a) + first * a[m]
                y = x + a[m]
                self.mask(bit)
                return (
                    add(constant(x % one), scale(bit, y % one - x % one)),
                    add(constant(x >> k), scale(bit, (y >> k) - (x >> k))),
                )
        if exact:
            l, h = self.tight(a, want=(0, one - 1), splits=1)
            if l >> k == h >> k:
                return self.defined(add(a, constant(l >> k << k), -1), 0, one - 1), constant(l >> k)
        n = self.normal(a)
        residue = {m: c % one for m, c in n.items() if c % one}
        key = (frozenset(residue.items()), k)
        if not residue or is_constant(residue):
            lo, known = constant(value(residue)), constant(value(residue))
        elif key in self.low_words:
            lo = self.low_words[key]
            known = self.normal(lo)
        else:
            lo = known = None
        if lo is None:
            hi_symbol = self.symbol("hi", low >> k, high >> k, "hi")
            lo_symbol = self.symbol("lo", 0, one - 1, "lo", (a, k), add(n, {(hi_symbol,): one}, -1))
            lo = {(lo_symbol,): 1}
            self.low_words[key] = lo
        else:
            difference = add(n, known, -1)
            hi_symbol = self.symbol("hi", low >> k, high >> k, "hi", None, {m: c // one for m, c in difference.items()})
        self.cut[hi_symbol] = (a, k, lo)
        return lo, {(hi_symbol,): 1}

    def boolean(self, a):
        """`a`, known to be 0 or 1, as one symbol (or a constant, or 1 − a symbol)."""
        a = self.substitute(a)
        if is_constant(a) or (len([m for m in a if m]) == 1 and self.range(a) == (0, 1)):
            return a
        return self.defined(a, 0, 1)

    def defined(self, a, low, high):
        """A symbol for `a`, because its range is known to be smaller than that of its terms."""
        if self.range(a)[0] >= low and self.range(a)[1] <= high:
            return a
        key = ("sum", frozenset(a.items()))
        if key not in self.splits:
            s = self.symbol("sum", low, high, "sum", a, self.normal(a))
            self.splits[key] = {(s,): 1}
        return self.splits[key]
