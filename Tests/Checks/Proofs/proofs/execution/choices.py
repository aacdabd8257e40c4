"""Merges a choice between two values into one value, so that no separate paths are needed.

Code without carry instructions propagates carries through such choices. `chosen(c, x, y)` is x if the flag c is 1, and y if c is 0. In the following cases, the
choice has a value: the expression after the colon equals the choice for c = 0 and for c = 1.

* x and y are equal, or x − y is a constant: y + c·(x − y).
* x and y are words with x ≡ y + d mod 2ⁿ: the word of y + c·d. Here d is a constant, or contains flags whose products with c are 0 or carries. For example, the
  choice between a sum with a carry and the same sum without it becomes the sum with c as the carry.
* One flag is 0, the other is the carry or borrow of E, and E − d fits in a word for d = 1 or −1: the carry or borrow of E − d + c·d.
* One flag is 1: the sum of the other flag and c (or 1 − c, if y is 1), if the two summands are never both 1.
* The flags are the carries, or the borrows, of E and F: the carry or borrow of F + c·(E − F).
* Any two other flags: y + c·(x − y), if all products of flags in this expression are 0 or carries, and the expression lies between 0 and 1.
* x and y are structures of a word and a flag: each element is chosen separately.

Any other choice is `Unmerged`, which no rule accepts.

If both arms of a branch on a flag meet in a join block (`regions.py`), each phi of that block is such a choice. An arm must not store, call a function or
decide a condition, because a recorded fact would hold on that arm only.

Trusted: the equations of these cases.
"""

from proofs.domains.polynomial import add, constant, is_constant, only_symbol, scale, value
from proofs.ir.regions import join
from proofs.outcomes import CannotMerge, Unproven, Unsupported


class Unmerged:
    """A choice between two values that no rule merges."""


def is_word(operand):
    return isinstance(operand, dict)


class Choices:
    """The part of `execute.Run` that merges a choice between two values into one value."""

    merging = 0  # nesting depth of regions in the run

    def is_flag(self, operand):
        low, high = self.algebra.range(operand)
        return low >= 0 and high <= 1

    def chosen(self, flag, if_set, if_clear, bits):
        """Returns the value of the choice, or `Unmerged`. `bits` is None for a structure."""
        if isinstance(if_set, tuple) and isinstance(if_clear, tuple) and len(if_set) == len(if_clear) == 2:
            return self.chosen(flag, if_set[0], if_clear[0], 64), self.chosen(flag, if_set[1], if_clear[1], 1)
        if not (is_word(if_set) and is_word(if_clear)):
            return if_set if if_set is if_clear else Unmerged()
        if_set, if_clear = self.algebra.substitute(if_set), self.algebra.substitute(if_clear)
        difference = add(if_set, if_clear, -1)
        if is_constant(difference):
            if difference:
                self.algebra.mask(flag)
            return add(if_clear, scale(flag, value(difference)))
        if self.is_flag(if_set) and self.is_flag(if_clear):
            return self._chosen_flag(flag, if_set, if_clear)
        return self._chosen_word(flag, if_set, if_clear, bits) if bits and bits > 1 else Unmerged()

    def is_single(self, condition):
        """Returns whether only one `select` of words in the block has this condition. If several have it, they choose between numbers of several words."""
        return sum(i.op == "select" and i.args[0] == "i64" and i.args[1] == condition for i in self.block) == 1

    def one_apart(self, sum_, word):
        """Returns whether `sum_` is the truncated value of `word` + 1 or `word` − 1. A choice between the two words then propagates a carry or borrow. Other
        choices get separate paths.
        """
        found = only_symbol(sum_) if is_word(sum_) and is_word(word) else None
        if found is None or found[1] != 1 or value(sum_) or self.algebra.kind[found[0]] != "lo" or not self.algebra.cut[found[0]]:
            return False
        return add(self.algebra.cut[found[0]][0], word, -1) in (constant(1), constant(-1))

    def _chosen_word(self, flag, if_set, if_clear, bits):
        normal = self.algebra.normal(add(if_set, if_clear, -1))
        half = 1 << bits - 1
        distance = {monomial: (c + half) % (1 << bits) - half for monomial, c in normal.items() if c % (1 << bits)}
        word = self._between(flag, if_clear, distance)
        return Unmerged() if word is None else self.algebra.split(word, bits, exact=True)[0]

    def _chosen_flag(self, flag, if_set, if_clear):
        opposite = add(constant(1), flag, -1)
        for c, x, y in ((flag, if_set, if_clear), (opposite, if_clear, if_set)):
            if y == {}:
                found = self._both(c, x)
            elif x == constant(1):
                found = self._either(c, y)
            else:
                found = self._chosen_carry(c, x, y)
            if found is not None:
                return found
        return self._chosen_sum(flag, if_set, if_clear) or Unmerged()

    def _chosen_sum(self, flag, if_set, if_clear):
        """Returns if_clear + flag·(if_set − if_clear) as one flag. The product of the flag and a carry is 0, or a carry in whose sum the flag replaces the
        constant 1 (`_both`). Returns None if no rule computes the products, or if the bounds do not show a flag.
        """
        found = self._between(flag, if_clear, self.algebra.without_sums(add(if_set, if_clear, -1)))
        if found is None:
            return None
        low, high = self.algebra.tight(found, deep=False, want=(0, 1))
        return self.algebra.boolean(found) if low >= 0 and high <= 1 else None

    def _between(self, flag, if_clear, distance):
        """Returns if_clear + flag·distance, or None if no rule computes the product. `distance` is a sum of flags and a constant."""
        opposite = add(constant(1), flag, -1)
        total = self._product(flag, distance)
        if total is not None:
            return add(if_clear, total)
        total = self._product(opposite, distance)
        return None if total is None else add(add(if_clear, distance), total, -1)

    def _product(self, flag, distance):
        """Returns flag·distance as a polynomial of degree 1. Returns None if a product of flags is neither 0 nor a carry."""
        total = scale(flag, value(distance))
        for monomial, coefficient in distance.items():
            if monomial:
                sign = -1 if self.algebra.range({monomial: 1})[0] < 0 else 1
                other = {monomial: sign}
                if len(monomial) > 1 or not self.is_flag(other):
                    return None
                both = {} if self._exclude(flag, other) else self._both(flag, other)
                if both is None:
                    return None
                total = add(total, both, coefficient * sign)
        return total

    def _carry_of(self, flag):
        """Returns (E, bits of a word, 1 or −1) for a flag that is the carry or borrow of E, else None."""
        found = only_symbol(flag)
        if found is None or value(flag) or self.algebra.kind[found[0]] != "hi" or abs(found[1]) != 1:
            return None
        exact, bits, _ = self.algebra.cut[found[0]]
        return exact, bits, found[1]

    def _chosen_carry(self, flag, if_set, if_clear):
        """Merges the carries of two sums into the carry of the merged sum."""
        x, y = self._carry_of(if_set), self._carry_of(if_clear)
        if x is None or y is None or x[1:] != y[1:]:
            return None
        exact = self._between(flag, y[0], add(x[0], y[0], -1))
        return None if exact is None else scale(self.algebra.split(exact, x[1])[1], x[2])

    def _both(self, flag, carry):
        """Returns flag ∧ carry: the carry of the same sum, with the flag in place of a constant 1. Returns None if `carry` is not the carry of a sum. Also
        returns None if the sum without the constant 1 may be negative or may itself carry.
        """
        found = self._carry_of(carry)
        if found is None:
            return None
        exact, bits, sign = found
        without = add(exact, constant(sign), -1)
        low, high = self.algebra.range(without)
        if low < 0 or high >= 1 << bits:
            return None
        return scale(self.algebra.split(add(without, scale(flag, sign)), bits)[1], sign)

    def _either(self, flag, other):
        return self.algebra.boolean(add(flag, other)) if self._exclude(flag, other) else None

    def _exclude(self, flag, other):
        """Returns whether two flags are never set together."""
        return self.algebra.tight(add(flag, other), deep=False, want=(0, 1))[1] <= 1

    # Branches whose arms rejoin

    def merged(self, function, label, environment, condition, targets):
        """Returns (the join block of a branch, the values of the block's phis), or None if the branch needs a decision."""
        flag = self.operand(condition, environment, 1)
        if not is_word(flag):
            return None
        flag = self.algebra.substitute(flag)
        meeting = None if is_constant(flag) or not self.is_flag(flag) else join(function, targets)
        if meeting is None:
            return None
        self.merging += 1
        try:
            ways = [self._way(function, meeting, target, label, dict(environment)) for target in targets]
        except (CannotMerge, Unproven, Unsupported):
            if self.merging > 1:
                raise CannotMerge()
            return None
        finally:
            self.merging -= 1
        values = {i.dest: self.chosen(flag, ways[0][i.dest], ways[1][i.dest], self.width(i.args[0])) for i in function.phis(meeting)}
        if any(isinstance(v, Unmerged) for v in values.values()):
            return None
        return meeting, values

    @staticmethod
    def width(kind):
        return int(kind[1:]) if kind[0] == "i" and kind[1:].isdigit() else None

    def _way(self, function, meeting, label, previous, environment):
        """Runs one arm of a branch; returns the values of the join block's phis."""
        given = None
        while label != meeting:
            last = self.run_block(function.blocks[label], previous, environment, given)
            following = self.next_block(function, label, environment, last)
            previous, (label, given) = label, following
        return self.arriving(function, meeting, previous, environment) if given is None else given
