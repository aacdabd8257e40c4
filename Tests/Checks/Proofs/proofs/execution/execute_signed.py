"""Executes signed code. Any integer that is congruent to a word may represent the word.

`execute.Run` represents a word of n bits by a number in [0, 2ⁿ), which hides the sign. Here, a polynomial that is congruent to the word mod 2ⁿ represents the
word. Additions and multiplications do not reduce the polynomial. If an instruction depends on the exact word, the polynomial's range must show that the
polynomial equals the word. Instructions that depend on the signed word are sext, ashr and signed products. Carries depend on the unsigned word.
"""

from proofs.domains.polynomial import add, constant, is_constant, multiply, scale, value
from proofs.execution.conditions import AllBits, AnyBit, Comparison
from proofs.execution.execute import Run
from proofs.execution.memory_rules import elements_of
from proofs.execution.word_rules import is_known
from proofs.outcomes import Unproven, Unsupported


class HighHalf:
    """A 128-bit product shifted right by 64. Code may use only the low 64 bits of this value."""

    def __init__(self, word):
        self.word = word


class SignedRun(Run):
    def signed_value(self, word, bits):
        limit = 1 << bits - 1
        low, high = self.algebra.tight(word, want=(-limit, limit - 1))
        if low < -limit or high >= limit:
            if is_constant(word):
                return constant((value(word) + limit) % (2 * limit) - limit)
            raise Unproven(f"a signed word of {bits} bits in [{low}, {high}]")
        return word

    def signed(self, word, bits):
        low, high = self.algebra.range(word)
        return word if -(1 << bits - 1) <= low and high < 1 << bits - 1 else super().signed(word, bits)

    def op_vector(self, environment, left, right, op, count, bits, flags):
        if op not in ("add", "sub") or flags:
            raise Unsupported("a vector's " + op)
        x, y = (elements_of(self.operand(vector, environment, bits), count) for vector in (left, right))
        return tuple(add(p, q, 1 if op == "add" else -1) for p, q in zip(x, y))

    def unsigned_value(self, word, bits):
        low, high = self.algebra.range(word)
        return word if low >= 0 and high < 1 << bits else self.algebra.split(word, bits)[0]

    def combined(self, x, y, bits, flags, operation):
        """Returns the result of an operation. Verifies the promise of the flags: the operands and the exact result fit in words."""
        if not set(flags) <= {"nsw", "nuw"}:
            raise Unsupported(" ".join(flags))
        exact, half = operation(x, y), 1 << bits - 1
        for promise, fitting, least, greatest in (("nuw", self.unsigned_number, 0, 2 * half - 1), ("nsw", self.signed_value, -half, half - 1)):
            if promise in flags:
                exact = operation(fitting(x, bits), fitting(y, bits))
                low, high = self.algebra.tight(exact, want=(least, greatest))
                if low < least or high > greatest:
                    raise Unproven(f"{promise}: in [{low}, {high}]")
        if is_constant(exact):
            return constant(value(exact) % (1 << bits))
        return self.algebra.split(exact, bits)[0] if bits == 1 else exact

    def unsigned_number(self, word, bits):
        """Returns the number that represents a word; requires that the number equals the unsigned word."""
        low, high = self.algebra.tight(word, want=(0, (1 << bits) - 1))
        if low < 0 or high >= 1 << bits:
            if is_constant(word):
                return constant(value(word) % (1 << bits))
            raise Unproven(f"an unsigned word of {bits} bits in [{low}, {high}]")
        return word

    def op_add(self, environment, bits, left, right, flags):
        return self.combined(*self.words(environment, left, right, bits), bits, flags, add)

    def op_sub(self, environment, bits, left, right, flags):
        return self.combined(*self.words(environment, left, right, bits), bits, flags, lambda x, y: add(x, y, -1))

    def op_mul(self, environment, bits, left, right, flags):
        return self.combined(*self.words(environment, left, right, bits), bits, flags, multiply)

    def op_sext(self, environment, bits, source, to, flags):
        return self.signed_value(self.number(self.operand(source, environment, bits)), bits)

    def op_zext(self, environment, bits, source, to, flags):
        word = self.number(self.operand(source, environment, bits))
        if "nneg" in flags:
            low, high = self.algebra.tight(word, want=(0, (1 << bits - 1) - 1))
            if low < 0 or high >= 1 << bits - 1:
                raise Unproven("zext nneg")
        return self.unsigned_value(word, bits)

    def op_trunc(self, environment, bits, source, to, flags):
        x = self.operand(source, environment, bits)
        if isinstance(x, HighHalf):
            if to != 64 or "nsw" in flags:
                raise Unsupported("trunc of a high half")
            return x.word
        if flags:
            raise Unsupported("trunc " + " ".join(flags))
        return self.algebra.split(x, to)[0]

    def op_lshr(self, environment, bits, left, right, flags):
        if flags:
            raise Unsupported("lshr " + " ".join(flags))
        x, y = self.words(environment, left, right, bits)
        s = self.shift(y, bits)
        if bits == 128 and s == 64:
            return HighHalf(self.algebra.split(x, 64)[1])
        return self.algebra.split(self.unsigned_value(x, bits), s)[1]

    def op_ashr(self, environment, bits, left, right, flags):
        if flags:
            raise Unsupported("ashr " + " ".join(flags))
        x, y = self.words(environment, left, right, bits)
        return self.algebra.split(self.signed_value(x, bits), self.shift(y, bits))[1]

    def op_icmp(self, environment, predicate, bits, left, right, flags):
        x, y = self.operand(left, environment, bits), self.operand(right, environment, bits)
        if "samesign" in flags:
            for word in (x, y):
                low, high = self.algebra.tight(self.number(word), want=(0, (1 << bits - 1) - 1))
                if low < 0 or high >= 1 << bits - 1:
                    raise Unproven("samesign")
        # A comparison needs the exact words, signed or unsigned. Congruent numbers do not suffice.
        word = self.signed_value if predicate[0] == "s" else self.unsigned_value
        if isinstance(x, (AnyBit, AllBits)):
            x = type(x)([self.unsigned_value(part, bits) for part in x.parts])
        else:
            x = word(self.number(x), bits)
        return Comparison(predicate, x, word(self.number(y), bits), bits)

    def op_shl(self, environment, bits, left, right, flags):
        x, y = self.words(environment, left, right, bits)
        places = self.shift(y, bits)
        if flags:
            return self.combined(x, x, bits, flags, lambda x, _: scale(x, 1 << places))
        return scale(self.algebra.split(x, bits - places)[0], 1 << places)

    def op_and(self, environment, bits, left, right, flags):
        x, y = self.operand(left, environment, bits), self.operand(right, environment, bits)
        if is_known(x) and is_known(y):
            return constant((value(x) & value(y)) % (1 << bits))
        for p, q in ((x, y), (y, x)):
            if is_constant(p) and value(p) >= 0 and value(p) & (value(p) + 1) == 0:
                return self.algebra.split(q, value(p).bit_length())[0]
            if not is_constant(p) and self.algebra.range(p) == (-1, 0):  # a mask of all ones (−1) or all zeros
                return scale(multiply(p, q), -1)
        raise Unsupported("and")

    # The rules of `call_rules.py` read unsigned words. Only the upper word of fshl may be any congruent number, because fshl drops its highest bits.

    def llvm_uadd_with_overflow(self, bits, left, right):
        return super().llvm_uadd_with_overflow(bits, *self.unsigned_words(bits, left, right))

    def llvm_usub_with_overflow(self, bits, left, right):
        return super().llvm_usub_with_overflow(bits, *self.unsigned_words(bits, left, right))

    def llvm_umin(self, bits, left, right):
        return super().llvm_umin(bits, *self.unsigned_words(bits, left, right))

    def llvm_fshl(self, bits, upper, lower, distance):
        return super().llvm_fshl(bits, upper, *self.unsigned_words(bits, lower, distance))

    def unsigned_words(self, bits, *operands):
        return [self.unsigned_value(self.number(operand), bits) for operand in operands]


class LimbRun(SignedRun):
    """Adds rules for shifts and masks of words. Congruent numbers may represent these words."""

    def op_shl(self, environment, bits, left, right, flags):
        word, distance = self.words(environment, left, right, bits)
        if flags or is_constant(word):
            return super().op_shl(environment, bits, left, right, flags)
        return scale(word, 1 << self.shift(distance, bits))

    def op_and(self, environment, bits, left, right, flags):
        word, mask = self.operand(left, environment, bits), self.operand(right, environment, bits)
        if not is_constant(mask) or is_constant(word):
            return super().op_and(environment, bits, left, right, flags)
        ones = value(mask) % (1 << bits)
        zeros = (ones & -ones).bit_length() - 1
        if ones >> zeros & (ones >> zeros) + 1:
            raise Unsupported("a mask that is no run of ones")
        return add(self.low_bits(word, ones.bit_length()), self.low_bits(word, zeros) if zeros else {}, -1)

    def unsigned_value(self, word, bits):
        return self.residue(word, bits) or super().unsigned_value(word, bits)

    def low_bits(self, word, bits):
        return self.residue(word, bits) or self.algebra.split_product(word, bits)[0]

    def residue(self, word, bits):
        """Returns the lowest bits of a word if the terms of a congruent number determine these bits, else None."""
        residue = {m: c % (1 << bits) for m, c in self.algebra.normal(word).items() if c % (1 << bits)}
        low, high = self.algebra.range(residue)
        return residue if low >= 0 and high < 1 << bits else None
