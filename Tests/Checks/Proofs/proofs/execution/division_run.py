"""Runs the IR of the division steps: data are polynomials mod 2⁶⁴, control values are numbers or ranges.

Each run has a first count z: the number of trailing zeros of g, at most `left`. The code computes this count before or during the run. Then g = 2ᶻ·h. Shifting
g to the right by z gives h; shifting another word to the left by z multiplies that word by 2ᶻ. The code may compute a second count, for a different `Stopped`
word. The run may copy a word that is shifted by the second count, but may not compute with that word.

A comparison of ranges is rejected unless it has a single outcome. None represents poison, for example the result of a shift by at least the word width. A
result computed from poison is None, and no branch may depend on poison. `execute_bits.py` contains the rules for numbers and control flow.

Trusted: each rule computes what the LLVM language reference specifies. This holds for all data, and if an operand is a range, for each number in the range.
"""

from proofs.domains.bits import signed
from proofs.domains.polynomial import add, multiply
from proofs.execution.division_values import Data, Difference, Halved, HighBits, M64, Range, Stopped, Word, Zeros, data
from proofs.execution.execute_bits import BitRun
from proofs.outcomes import Unproven, Unsupported

OPERATIONS = {  # (function for polynomials, function for numbers)
    "add": (add, lambda x, y: x + y),
    "sub": (lambda x, y: add(x, y, -1), lambda x, y: x - y),
    "mul": (multiply, lambda x, y: x * y),
}


def signed_bounds(number, width):
    if isinstance(number, int):
        return signed(number, width), signed(number, width)
    if not isinstance(number, Range):
        raise Unsupported("data as a number")
    return number.low, number.high


def unsigned_bounds(number, width):
    low, high = signed_bounds(number, width)
    if low < 0 <= high:
        raise Unsupported("a range with both signs as one without")
    return low % (1 << width), high % (1 << width)


def known(low, high, width):
    return low % (1 << width) if low == high else Range(low, high)


class DivisionRun(BitRun):
    STEP_LIMIT = 2000

    def __init__(self, module, zeros=None, differences=()):
        super().__init__(module)
        self.zeros = zeros  # z, the first count of trailing zeros
        self.following = None  # the second count
        self.differences = differences  # (number, number − z)
        self.multipliers = []  # for masked data: (symbol, mask, polynomial in earlier symbols)

    def op_icmp(self, environment, predicate, width, left, right, flags):
        x, y = self.operand(left, environment, width), self.operand(right, environment, width)
        if isinstance(x, int) and isinstance(y, int):
            return super().op_icmp(environment, predicate, width, left, right, flags)
        limits = (x_low, x_high), (y_low, y_high) = signed_bounds(x, width), signed_bounds(y, width)
        if "samesign" in flags and not (x_low >= 0 and y_low >= 0 or x_high < 0 and y_high < 0):
            raise Unproven("samesign")
        if predicate[0] == "u":
            limits = unsigned_bounds(x, width), unsigned_bounds(y, width)
        (x_low, x_high), (y_low, y_high) = limits if predicate[1:] != "gt" else limits[::-1]
        if predicate == "eq" and (x_high < y_low or y_high < x_low):
            return 0
        if predicate in ("slt", "ult", "sgt", "ugt"):
            if x_high < y_low:
                return 1
            if x_low >= y_high:
                return 0
        raise Unsupported(f"icmp {predicate}")

    def llvm_smin(self, name, width, left, right):
        limits = zip(signed_bounds(left, width), signed_bounds(right, width))
        return known(*map(min, limits), width)

    def llvm_ssub(self, name, width, left, right):
        if isinstance(left, int) and isinstance(right, int):
            return super().llvm_ssub(name, width, left, right)
        if not isinstance(right, Zeros) or name[1] != "with":
            raise Unsupported("a difference of ranges")
        if right is self.zeros:
            for number, rest in self.differences:
                if left is number:
                    return rest, 0
            raise Unsupported("a difference")
        low, high = self.fitting("sub", left, right, width)
        return Difference(left, right, low, high), 0

    def fitting(self, op, left, right, width):
        """Returns the bounds of a result; rejects a result that does not fit in a word."""
        results = [OPERATIONS[op][1](x, y) for x in signed_bounds(left, width) for y in signed_bounds(right, width)]
        if min(results) < -(1 << width - 1) or max(results) >= 1 << width - 1:
            raise Unsupported("a number beyond its word")
        return min(results), max(results)

    def op_zext(self, environment, width, word, to, flags):
        x = self.operand(word, environment, width)
        if isinstance(x, Range) and x.low >= 0:
            return x
        return super().op_zext(environment, width, word, to, flags)

    def op_sext(self, environment, width, word, to, flags):
        x = self.operand(word, environment, width)
        return x if isinstance(x, Range) else super().op_sext(environment, width, word, to, flags)

    def op_trunc(self, environment, width, word, to, flags):
        x = self.operand(word, environment, width)
        if isinstance(x, Range):
            if x.low < 0 or x.high >= 1 << to - 1:
                raise Unsupported("trunc of a range")
            return x
        return super().op_trunc(environment, width, word, to, flags)

    def llvm_cttz(self, name, width, word, zero_is_poison):
        """Counts the trailing zeros of a `Stopped` word, which is never 0."""
        if not isinstance(word, Stopped) or width != 64:
            raise Unsupported("a count of zeros")
        if self.zeros and self.zeros.are_of(word):
            return self.zeros
        if self.following or not isinstance(word.stop, int):
            raise Unsupported("a further count of zeros")
        self.following = Zeros(word, "P'", None)
        return self.following

    def op_load(self, environment, kind, pointer, alignment):
        """Returns a word that is identified by its address. This is correct because no run changes memory."""
        if kind != "i64":
            raise Unsupported("load of " + kind)
        return Word({(pointer, 0)})

    def refused(self, environment, *arguments):
        raise Unsupported("a store, or what could be stored to")

    op_store = op_alloca = refused

    def combine(self, op, width, left, right, flags):
        if left is None or right is None:
            return None
        if isinstance(left, int) and isinstance(right, int):
            is_poison = op in ("shl", "lshr", "ashr") and right >= width
            return None if is_poison else super().combine(op, width, left, right, flags)
        if width != 64 and not (isinstance(left, (int, Range)) and isinstance(right, (int, Range))) or flags and isinstance(left, (Data, Word)):
            raise Unsupported(f"{op} {' '.join(flags)} of {width} bits")
        return getattr(self, "mixed_" + op)(width, left, right, flags)

    def arithmetic(op):
        def rule(self, width, left, right, flags):
            if isinstance(left, Data) or isinstance(right, Data):
                if flags:
                    raise Unproven(op + " of data")
                return data(left).combine(data(right), *OPERATIONS[op])
            low, high = self.fitting(op, left, right, width)
            if "nuw" in flags and min(low, *signed_bounds(left, width), *signed_bounds(right, width)) < 0:
                raise Unproven("nuw")
            return known(low, high, width)

        return rule

    mixed_add, mixed_sub, mixed_mul = map(arithmetic, OPERATIONS)

    def mixed_and(self, width, left, right, flags):
        if isinstance(left, Range) and isinstance(right, int) and left.low >= 0 and left.high <= right and right & right + 1 == 0:
            return left
        left, right = (right, left) if isinstance(left, int) else (left, right)
        if isinstance(left, Data) and isinstance(right, int):
            symbol = f"w{len(self.multipliers)}"
            self.multipliers.append((symbol, right, left.polynomial))
            return Data({(symbol,): 1}, left.evaluate and (lambda f, h: left.evaluate(f, h) & right))
        raise Unsupported("and")

    def mixed_or(self, width, left, right, flags):
        if flags:
            raise Unsupported("or " + " ".join(flags))
        if isinstance(left, Word) and isinstance(right, Word):
            return Word(left.parts | right.parts)
        left, right = (right, left) if isinstance(left, (Data, Word)) else (left, right)
        if isinstance(right, (Data, Word)):
            if isinstance(left, HighBits):
                return Stopped(right, left.left)
            if isinstance(left, int) and left and (M64 - left).bit_count() == 1:  # −1 << stop
                return Stopped(right, (M64 - left).bit_length() - 1)
        raise Unsupported("or")

    def mixed_xor(self, width, left, right, flags):
        for number, other in ((left, right), (right, left)):
            if isinstance(number, Range) and other == 0:
                return number
        raise Unsupported("xor")

    def mixed_shl(self, width, left, right, flags):
        if width != 64 or isinstance(right, Range) and not 0 <= right.low <= right.high < width:
            raise Unsupported("a shift of another width, or one that may be by the width")
        if left == M64 - 1 and isinstance(right, Range) and "nuw" not in flags:
            return HighBits(right)
        if isinstance(right, Zeros):
            if isinstance(left, int) and flags and left << right.high >= 1 << width - 1:
                raise Unproven("shl " + " ".join(flags))
            return Data(multiply(data(left).polynomial, {(right.power,): 1}))
        if isinstance(right, int) and right < width:
            if isinstance(left, Data):
                return left.combine(data(1 << right), *OPERATIONS["mul"])
            if isinstance(left, Word):
                return left.shifted(right)
        raise Unsupported("shl")

    def mixed_lshr(self, width, left, right, flags):
        if isinstance(right, Zeros) and isinstance(left, (Data, Word)) and right.are_of(Stopped(left, right.stop)):
            return right.quotient or Halved(left, right)
        raise Unsupported("lshr")

    def mixed_ashr(self, width, left, right, flags):
        if isinstance(left, Range) and isinstance(right, int) and right < width and not flags and left.low >= 0 and left.high >> right == 0:
            return 0
        raise Unsupported("ashr")
