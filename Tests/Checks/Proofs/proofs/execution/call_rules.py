"""Executes calls: of functions in the module, of functions with a contract, and of LLVM operations (`@llvm.…`).

A contract replaces the execution of a function by a statement that is proven elsewhere. The method for an LLVM operation has the operation's name
without types: `llvm_uadd_with_overflow` implements `@llvm.uadd.with.overflow.i64`. Its first argument is the width of the words. An operation without a method is
rejected, and so is an operation on vectors.
"""

import re

from proofs.domains.polynomial import add, constant, is_constant, scale, value
from proofs.ir.layout import bits_of
from proofs.outcomes import Trap, Unproven, Unsupported

TYPE = re.compile(r"[ipv]\d.*")  # i64, p0, v4i32


class CallRules:
    """The part of `execute.Run` for calls."""

    def op_call(self, environment, callee, arguments):
        values = [self.operand(name, environment, bits_of(kind)) for kind, name in arguments]
        if callee.startswith("%"):
            callee = environment[callee].name
        if callee in self.contracts:
            return self.contracts[callee](self, values)
        if not callee.startswith("@llvm."):
            return self.call(callee, values)
        parts = callee.lstrip("@").split(".")
        types = {part for part in parts if TYPE.fullmatch(part)}
        rule = getattr(self, "_".join(part for part in parts if part not in types), None)
        if rule is None or not {kind for kind in types if kind[0] != "p"} <= {kind for kind, _ in arguments}:
            raise Unsupported("call of " + callee)
        return rule(bits_of(arguments[0][0]) if arguments else None, *values)

    def llvm_uadd_with_overflow(self, bits, left, right):
        return self.algebra.split(add(self.number(left), self.number(right)), bits)

    def llvm_usub_with_overflow(self, bits, left, right):
        lo, hi = self.algebra.split(add(self.number(left), self.number(right), -1), bits)
        return lo, scale(hi, -1)

    def llvm_fshl(self, bits, upper, lower, distance):
        """Returns the upper word of (upper·2ⁿ + lower) << distance, for words of n bits."""
        upper, lower, distance = self.number(upper), self.number(lower), self.number(distance)
        if not is_constant(distance):
            raise Unsupported("a shift by data")
        places = value(distance) % bits
        kept = scale(self.algebra.split(upper, bits - places)[0], 1 << places)
        return add(kept, self.algebra.split(lower, bits - places)[1])

    def llvm_umin(self, bits, left, right):
        if not (is_constant(left) and is_constant(right)):
            raise Unsupported("a minimum of data")
        return constant(min(value(left), value(right)))

    def llvm_assume(self, bits, condition, *_):
        if not self.decide(condition):
            raise Unproven("an assumption")

    def llvm_trap(self, bits):
        self.algebra.check_feasible()
        raise Trap()
