"""Executes calls: of functions in the module, of functions with a contract, and of LLVM operations (`@llvm.…`).

A contract replaces the execution of a function by a statement that is proven elsewhere. The method for an LLVM operation has the operation's name
without types and widths: `llvm_uadd_with_overflow` implements `@llvm.uadd.with.overflow.i64`. An operation without a method, or with a width that its method
does not support, is rejected.
"""

import re

from proofs.domains.polynomial import add, constant, is_constant, scale, value
from proofs.ir.layout import bits_of
from proofs.outcomes import Trap, Unproven, Unsupported

TYPE = re.compile(r"[ipv]\d.*")  # i64, p0, v4i32


def operation(callee):
    """Returns (method name, types), for example ("llvm_uadd_with_overflow", ("i64",))."""
    parts = callee.lstrip("@").split(".")
    types = tuple(part for part in parts if TYPE.fullmatch(part))
    return "_".join(part for part in parts if not TYPE.fullmatch(part)), types


class CallRules:
    """The part of `execute.Run` for calls."""

    # The only types that the rules for these operations support. Memory operations are not listed, because their arguments determine what they access.
    TYPES = {
        "llvm_uadd_with_overflow": ("i64",), "llvm_usub_with_overflow": ("i64",), "llvm_fshl": ("i64",),
    }

    def op_call(self, environment, callee, arguments):
        values = [self.operand(name, environment, bits_of(kind)) for kind, name in arguments]
        if callee.startswith("%"):
            callee = environment[callee].name
        if callee in self.contracts:
            return self.contracts[callee](self, values)
        if not callee.startswith("@llvm."):
            return self.call(callee, values)
        name, types = operation(callee)
        rule = getattr(self, name, None)
        if rule is None or self.TYPES.get(name, types) != types:
            raise Unsupported("call of " + callee)
        return rule(*values)

    def llvm_uadd_with_overflow(self, left, right):
        return self.algebra.split(add(self.number(left), self.number(right)), 64)

    def llvm_usub_with_overflow(self, left, right):
        lo, hi = self.algebra.split(add(self.number(left), self.number(right), -1), 64)
        return lo, scale(hi, -1)

    def llvm_fshl(self, upper, lower, distance):
        """Returns the upper word of (upper·2⁶⁴ + lower) << distance."""
        upper, lower, distance = self.number(upper), self.number(lower), self.number(distance)
        if not is_constant(distance):
            raise Unsupported("a shift by data")
        places = value(distance) % 64
        kept = scale(self.algebra.split(upper, 64 - places)[0], 1 << places)
        return add(kept, self.algebra.split(lower, 64 - places)[1])

    def llvm_umin(self, left, right):
        if not (is_constant(left) and is_constant(right)):
            raise Unsupported("a minimum of data")
        return constant(min(value(left), value(right)))

    def llvm_assume(self, condition, *_):
        if not self.decide(condition):
            raise Unproven("an assumption")

    def llvm_trap(self):
        self.algebra.check_feasible()
        raise Trap()
