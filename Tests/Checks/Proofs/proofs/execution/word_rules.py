"""Executes instructions on words: a word of n bits is a polynomial with values in [0, 2ⁿ).

A rule computes the exact result. If the machine truncates the result, the rule returns the lower part of a `split`. Each promise of the IR (nuw, nsw, exact,
nneg, disjoint) must be proven, because a broken promise would make the result undefined. If a promise is not proven, the run ends with `Unproven`. A `select`
between two constants becomes a polynomial in the condition. `choices.py` merges some other `select`s. Each remaining `select` is treated as a branch.
"""

from proofs.domains.polynomial import add, constant, is_constant, multiply, only_symbol, scale, symbols_of, value, with_term
from proofs.execution.choices import Unmerged, is_word
from proofs.execution.conditions import AllBits, AnyBit, Comparison
from proofs.execution.memory_rules import elements_of
from proofs.ir.layout import bits_of
from proofs.outcomes import Unproven, Unsupported


def is_known(operand):
    return is_word(operand) and is_constant(operand)


class WordRules:
    """The part of `execute.Run` for words."""

    def words(self, environment, left, right, bits):
        return self.number(self.operand(left, environment, bits)), self.number(self.operand(right, environment, bits))

    def require_zero_word(self, word, promise):
        if not is_constant(word):
            low, high = self.algebra.tight(word, want=(0, 0))
            word = constant(low) if low == high else word
        if not is_constant(word) or value(word):
            raise Unproven(promise)

    def require_signed(self, exact, bits, promise):
        low, high = self.algebra.range(exact)
        if low < -(1 << bits - 1) or high >= 1 << bits - 1:
            raise Unproven(f"{promise} {low} {high}")

    def wrapped(self, exact, bits, flags, signed_exact):
        """Returns the word of a sum or difference; `signed_exact` computes the exact result of signed operands."""
        if "nuw" in flags:
            lo, hi = self.algebra.split(exact, bits, exact=True)
            self.require_zero_word(hi, "nuw")
        else:
            # A sign-extended flag is (2ⁿ − 1)·flag. The rule uses the congruent form −flag, because its range is smaller.
            half = 1 << bits - 1
            centred = {monomial: (c + half) % (1 << bits) - half for monomial, c in exact.items() if c % (1 << bits)}
            whole = self.without_reductions(self.flag_sum(centred, -1), bits)
            lo, hi = self.algebra.split(whole, bits, exact=True)
            found = only_symbol(lo)
            if found is not None and found[1] == 1 and not value(lo) and not is_constant(hi):
                self.unreduced[found[0]] = (whole, bits)
        lo = self.flag_sum(lo, 1)
        if "nsw" in flags:
            self.require_signed(signed_exact(), bits, "nsw")
        return lo

    def without_reductions(self, exact, bits):
        """Replaces truncated sums by the congruent, untruncated sums. The result then needs only one cut instead of several, and often no cut."""
        whole = exact
        for symbol in symbols_of(exact) & self.unreduced.keys():
            if (symbol,) in whole and self.unreduced[symbol][1] == bits:
                whole = with_term(whole, (symbol,), self.unreduced[symbol][0])
        return whole

    def flag_sum(self, word, sign):
        """If two flags are never both set, returns their sum (or the negated sum) as one flag."""
        word = self.algebra.substitute(word)
        flags = scale(word, sign)
        # A negated sum becomes a mask, and must therefore be a flag, so the search is thorough. For other sums, the search is short.
        if self.algebra.range(flags) == (0, 2) and self.algebra.tight(flags, splits=2 if sign < 0 else 0, want=(0, 1))[1] == 1:
            return scale(self.algebra.boolean(flags), sign)
        return word

    def op_add(self, environment, bits, left, right, flags):
        x, y = self.words(environment, left, right, bits)
        return self.wrapped(add(x, y), bits, flags, lambda: add(self.signed(x, bits), self.signed(y, bits)))

    def op_sub(self, environment, bits, left, right, flags):
        x, y = self.words(environment, left, right, bits)
        return self.wrapped(add(x, y, -1), bits, flags, lambda: add(self.signed(x, bits), self.signed(y, bits), -1))

    def op_mul(self, environment, bits, left, right, flags):
        x, y = self.words(environment, left, right, bits)
        product = multiply(x, y)
        lo, hi = self.algebra.split_product(product, bits)
        if "nuw" in flags:
            self.require_zero_word(hi, "nuw")
        if "nsw" in flags:
            for part in (x, y, product):
                if self.algebra.range(part)[1] >= 1 << bits - 1:
                    raise Unproven("mul nsw")
        return lo

    def shift(self, distance, bits=64):
        if not is_constant(distance):
            raise Unsupported("a shift by data")
        if value(distance) >= bits:
            raise Unproven("a shift by the width or more is poison")
        return value(distance)

    def op_shl(self, environment, bits, left, right, flags):
        word, distance = self.words(environment, left, right, bits)
        places = self.shift(distance, bits)
        lo, hi = self.algebra.split(word, bits - places)
        if "nuw" in flags:
            self.require_zero_word(hi, "nuw")
        if "nsw" in flags:
            self.require_signed(scale(self.signed(word, bits), 1 << places), bits, "nsw")
        return scale(lo, 1 << places)

    def op_lshr(self, environment, bits, left, right, flags):
        word, distance = self.words(environment, left, right, bits)
        lo, hi = self.algebra.split(word, self.shift(distance, bits))
        if "exact" in flags:
            self.require_zero_word(lo, "exact")
        return hi

    def op_and(self, environment, bits, left, right, flags):
        x, y = self.operand(left, environment, bits), self.operand(right, environment, bits)
        if bits == 1:
            self.require_conditions(x, y)
            return constant(int(self.decide(x) and self.decide(y)))
        if isinstance(x, AllBits) or isinstance(y, AllBits) or not (is_constant(x) or is_constant(y)):
            return AllBits(self.parts_of(AllBits, x, y))
        if is_constant(x):
            x, y = y, x
        return constant(value(x) & value(y)) if is_constant(x) else self.masked(x, value(y), bits)

    def parts_of(self, kind, *operands):
        """Returns the words that an `and` or `or` combines."""
        return [part for operand in operands for part in (operand.parts if isinstance(operand, kind) else [self.number(operand)])]

    def masked(self, word, mask, bits):
        """Returns word & mask. The mask must be a run of ones at either end, or the word must have only two possible values."""
        found = self.algebra.two_values(word)
        if found is not None:
            clear, set_, bit = found
            self.algebra.mask(bit)
            return add(constant(clear & mask), scale(bit, (set_ & mask) - (clear & mask)))
        if mask & (mask + 1) == 0:
            return self.algebra.split(word, mask.bit_length())[0]
        inverse = (1 << bits) - 1 - mask
        if inverse & (inverse + 1) == 0:
            return add(word, self.algebra.split(word, inverse.bit_length())[0], -1)
        raise Unsupported("and with a mask that is no run")

    def op_or(self, environment, bits, left, right, flags):
        x, y = self.operand(left, environment, bits), self.operand(right, environment, bits)
        are_words = is_word(x) and is_word(y)
        if "disjoint" not in flags and (bits == 1 or are_words and self.is_flag(x) and self.is_flag(y)):
            return self.either(x, y)
        if are_words:
            for upper, lower in ((x, y), (y, x)):
                if self.without_common_bits(upper, lower):
                    return add(upper, lower)
        if "disjoint" in flags:
            raise Unproven("disjoint")
        return AnyBit(self.parts_of(AnyBit, x, y))

    def either(self, x, y):
        """Returns the `or` of two conditions. If the conditions are never both true, the `or` is the sum."""
        if is_word(x) and is_word(y):
            if is_constant(x) and is_constant(y):
                return constant(value(x) | value(y))
            together = add(x, y)
            if self.algebra.tight(together, deep=False, want=(0, 1))[1] <= 1:
                return self.algebra.boolean(together)
        self.require_conditions(x, y)
        return constant(int(self.decide(x) or self.decide(y)))

    @staticmethod
    def require_conditions(*operands):
        """Requires that both operands of an `and` or `or` are defined, even if one operand decides the result."""
        if not all(isinstance(operand, (dict, Comparison)) for operand in operands):
            raise Unproven("a condition that is not known")

    def without_common_bits(self, upper, lower):
        """Returns whether every coefficient of `upper` is divisible by a power of two greater than `lower`."""
        zeros = [(coefficient & -coefficient).bit_length() - 1 for coefficient in upper.values()]
        low, high = self.algebra.range(lower)
        return not zeros or (low >= 0 and high < 1 << min(zeros))

    def op_xor(self, environment, bits, left, right, flags):
        x, y = self.operand(left, environment, bits), self.operand(right, environment, bits)
        ones = (1 << bits) - 1
        for word, other in ((x, y), (y, x)):
            if is_known(other) and value(other) in (0, ones):
                return add(other, self.number(word), -1) if value(other) else self.number(word)
        if bits == 1:
            return constant(int(self.decide(x)) ^ int(self.decide(y)))
        if is_known(x) and is_known(y):
            return constant(value(x) ^ value(y))
        raise Unsupported("xor")

    def op_zext(self, environment, bits, source, to, flags):
        word = self.number(self.operand(source, environment, bits))
        if "nneg" in flags:
            self.require_zero_word(self.algebra.split(word, bits - 1)[1], "nneg")
        return word

    def op_sext(self, environment, bits, source, to, flags):
        word = self.number(self.operand(source, environment, bits))
        if bits == 1:
            self.algebra.mask(word)
            return scale(word, (1 << to) - 1)
        return add(word, self.algebra.split(word, bits - 1)[1], (1 << to) - (1 << bits))

    def op_trunc(self, environment, bits, source, to, flags):
        lo, hi = self.algebra.split(self.number(self.operand(source, environment, bits)), to)
        if "nuw" in flags:
            self.require_zero_word(hi, "trunc nuw")
        if "nsw" in flags:
            if "nuw" not in flags:
                raise Unsupported("trunc nsw")
            self.require_zero_word(self.algebra.split(lo, to - 1)[1], "trunc nsw")
        return lo

    def op_icmp(self, environment, predicate, bits, left, right, flags):
        x, y = self.operand(left, environment, bits), self.operand(right, environment, bits)
        if "samesign" in flags:
            for word in (x, y):
                if self.algebra.range(self.number(word))[1] >= 1 << bits - 1:
                    raise Unproven("samesign")
        x = x if isinstance(x, (AnyBit, AllBits)) else self.number(x)
        return Comparison(predicate, x, self.number(y), bits)

    def op_select(self, environment, kind, condition, if_true, if_false):
        bits = bits_of(kind)
        chosen = self.operand(condition, environment, 1)
        if is_known(chosen):
            return self.operand(if_true if value(chosen) else if_false, environment, bits)
        x, y = self.operand(if_true, environment, bits), self.operand(if_false, environment, bits)
        if is_known(x) and is_known(y) and bits > 1:
            flag = self.number(chosen)
            self.algebra.mask(flag)
            return add(y, multiply(flag, add(x, y, -1)))
        if is_word(chosen) and self.is_flag(chosen) and (kind == "i1" or kind[0] == "{" or self.is_single(condition) and self.one_apart(x, y)):
            merged = self.chosen(chosen, x, y, bits)
            if not isinstance(merged, Unmerged):
                return merged
        return x if self.decide(chosen) else y

    def op_vector_select(self, environment, count, condition, kind, if_true, if_false):
        chosen, x, y = (self.operand(name, environment, int(kind[1:])) for name in (condition, if_true, if_false))
        x, y = elements_of(x, count), elements_of(y, count)
        return tuple(x[i] if self.decide(chosen[i]) else y[i] for i in range(count))

    def op_insertelement(self, environment, count, kind, vector, inserted, index):
        parts = list(elements_of(self.operand(vector, environment), count))
        parts[index] = self.operand(inserted, environment, int(kind[1:]))
        return tuple(parts)
