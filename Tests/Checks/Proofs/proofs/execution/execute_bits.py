"""Executes LLVM IR symbolically on the bit-level words of `bits.py`. The branches and addresses of the code must not depend on data.

`byte_rules.py` contains the rules for addresses and memory.

Each run has a single path. A condition or address that contains an atom is an error.
"""

import re

from proofs.domains.bits import Bits, Terms, conjunction, disjunction, ones, possible, resized, reversed_bytes, shifted, signed, xor
from proofs.execution.byte_rules import OF_MEMORY, ByteRules, width_of
from proofs.execution.control import Control
from proofs.ir.byte_memory import Address, ByteMemory
from proofs.ir.layout import bits_of
from proofs.outcomes import Trap, Unproven, Unsupported

class BitRun(ByteRules, Control):
    STEP_LIMIT = 400_000

    def __init__(self, module, address_bits=None):
        self.module, self.address_bits = module, address_bits or module.address_bits
        self.terms, self.memory = Terms(), ByteMemory()
        self.constants = {}  # global -> its address
        self.steps = 0
        self.visited = set()  # (function, label) of the blocks that ran

    def operand(self, name, environment, width=64):
        if name[0] == "%":
            return environment[name]
        if name[0] == "@":
            return self.constant(name)
        if name in ("true", "false"):
            return int(name == "true")
        if name in ("undef", "poison", "zeroinitializer"):
            return None if name != "zeroinitializer" else 0
        return int(name) % (1 << width)

    def elements(self, name, environment, count, width):
        if name.startswith("splat"):
            return (int(re.search(r" (-?\d+)\)", name)[1]) % (1 << width),) * count
        if name.startswith("<"):
            return tuple(self.operand(part.split()[1], environment, width) for part in name[1:-1].split(", "))
        v = self.operand(name, environment, width)
        return v if isinstance(v, tuple) else (v,) * count

    def constant(self, name):
        """Returns the address of a constant array of integers."""
        if name not in self.constants:
            width, numbers = self.module.integers(name)
            address = self.memory.allocate(width // 8 * len(numbers), read_only=True)
            for i, v in enumerate(numbers):
                self.memory.store(address + width // 8 * i, width // 8, v, initial=True)
            self.constants[name] = address
        return self.constants[name]

    def number(self, v):
        if type(v) is int:
            return v
        if not isinstance(v, int):
            raise Unsupported("a branch, an address or a shift that depends on data")
        return self.require_data(v)

    def run_function(self, function, environment):
        return self.run(function, environment, function.entry, None)[1]

    def run(self, function, environment, label, previous, stops=()):
        """Runs from a block to the return, or to a block in `stops`. Returns (None, returned value) or (stop block, previous block)."""
        first = True
        while first or label not in stops:
            first = False
            self.visited.add((function.name, label))
            last = self.run_block(function.blocks[label], previous, environment)
            if last.op == "ret":
                kind, source = last.args
                return None, None if source is None else self.operand(source, environment, bits_of(kind))
            if last.op == "switch":
                raise Unsupported(last.text)
            condition, targets = last.args
            previous, label = label, targets[0 if condition is None or self.number(self.operand(condition, environment, 1)) else 1]
        return label, previous

    def incoming(self, phi, previous, environment):
        source, (count, width) = phi.value_from(previous), width_of(phi.args[0])
        return self.elements(source, environment, count, width) if count else self.operand(source, environment, width)

    def combine(self, op, width, left, right, flags):
        if left is None or right is None:
            return None
        if isinstance(left, Address) or isinstance(right, Address):
            return self.combine_addresses(op, left, right, flags)
        if op in ("add", "sub") and (isinstance(left, Bits) or isinstance(right, Bits)) and not flags:
            negated = -right & ones(width) if op == "sub" and isinstance(right, int) else right
            if (op == "add" or isinstance(right, int)) and not possible(left) & possible(negated):
                return xor(width, left, negated)  # no carry
        if op in ("add", "sub"):
            result = self.terms.add(width, left, right, 1 if op == "add" else -1)
            self.promise(op, width, left, right, flags, result)
            return result
        if op == "mul":
            left, right = (left, right) if isinstance(right, int) else (right, left)
            result = self.terms.add(width, 0, left, self.number(right))
            self.promise(op, width, left, right, flags, result)
            return result
        if op == "and":
            return conjunction(width, left, right)
        if op == "xor":
            return xor(width, left, right)
        if op == "or":
            if "disjoint" in flags and conjunction(width, left, right) != 0:
                raise Unproven("disjoint")
            return disjunction(width, left, right)
        by = self.number(right)
        if by >= width:
            raise Unproven("a shift by the width or more is poison")
        if op == "shl":
            kept = possible(left) >> width - by - 1 == 0 if isinstance(left, Bits) else signed(left << by, width) == signed(left, width) << by
            if ("nuw" in flags and possible(left) >> width - by) or ("nsw" in flags and not kept):
                raise Unproven("shl " + " ".join(flags))
            return shifted(width, left, by)
        if "exact" in flags and possible(left) & ones(by):
            raise Unproven("exact")
        if op == "lshr":
            return shifted(width, left, -by)
        if op == "ashr":
            if isinstance(left, Bits) and not possible(left) >> width - 1:
                return shifted(width, left, -by)
            return signed(self.number(left), width) >> by & ones(width)
        raise Unsupported(op)

    def promise(self, op, width, left, right, flags, result):
        """Checks nuw and nsw if both operands are numbers. Otherwise rejects these flags, because the result may overflow for some data."""
        for flag in flags:
            if not isinstance(left, int) or not isinstance(right, int):
                raise Unproven(f"{op} {flag}")
            x, y = (left, right) if flag == "nuw" else (signed(left, width), signed(right, width))
            exact = {"add": x + y, "sub": x - y, "mul": x * y}[op]
            if exact != (result if flag == "nuw" else signed(result, width)):
                raise Unproven(f"{op} {flag}")

    def binary(op):
        def rule(self, environment, width, left, right, flags):
            return self.combine(op, width, self.operand(left, environment, width), self.operand(right, environment, width), flags)

        return rule

    op_add, op_sub, op_mul, op_shl, op_lshr, op_ashr, op_and, op_or, op_xor = map(
        binary, ("add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor"))

    def op_vector(self, environment, left, right, op, count, width, flags):
        x, y = self.elements(left, environment, count, width), self.elements(right, environment, count, width)
        return tuple(self.combine(op, width, p, q, flags) for p, q in zip(x, y))

    def op_zext(self, environment, width, word, to, flags):
        v = self.require_data(self.operand(word, environment, width))
        if "nneg" in flags and possible(v) >> width - 1:
            raise Unproven("nneg")
        return resized(to, v) if not isinstance(v, Bits) else Bits(to, v.terms)

    def op_sext(self, environment, width, word, to, flags):
        return signed(self.number(self.operand(word, environment, width)), width) % (1 << to)

    def op_trunc(self, environment, width, word, to, flags):
        v = self.require_data(self.operand(word, environment, width))
        if ("nuw" in flags and possible(v) >> to) or ("nsw" in flags and possible(v) >> to - 1):
            raise Unproven("trunc " + " ".join(flags))
        return resized(to, v)

    def op_icmp(self, environment, predicate, width, left, right, flags):
        x, y = self.operand(left, environment, width), self.operand(right, environment, width)
        if isinstance(x, Address) and y == 0 and predicate in ("eq", "ne"):
            return int(predicate == "ne")  # no object is at 0
        x, y = self.number(x), self.number(y)
        if "samesign" in flags and (x ^ y) >> width - 1:
            raise Unproven("samesign")
        if predicate[0] == "s":
            x, y = signed(x, width), signed(y, width)
        return int({"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[predicate[-2:]])

    def op_select(self, environment, kind, condition, left, right):
        c = self.number(self.operand(condition, environment, 1))
        return self.operand(left if c else right, environment, width_of(kind)[1])

    def op_insertelement(self, environment, count, kind, word, v, index):
        parts = list(self.elements(word, environment, count, int(kind[1:])))
        parts[index] = self.operand(v, environment, int(kind[1:]))
        return tuple(parts)

    def op_call(self, environment, callee, arguments):
        widths = [width_of(kind) for kind, _ in arguments]
        values = [
            self.elements(name, environment, *width) if width[0] else self.operand(name, environment, width[1])
            for (_, name), width in zip(arguments, widths)
        ]
        if not callee.startswith("@llvm."):
            return self.call(callee, values)
        name = callee[6:].split(".")
        rule = getattr(self, "llvm_" + name[0], None)
        if rule is None:
            raise Unsupported("call of " + callee)
        if name[0] not in OF_MEMORY:
            values = [self.require_data(v) for v in values]
        if widths[0][0]:
            rows = [v if isinstance(v, tuple) else (v,) * widths[0][0] for v in values]
            return tuple(rule(name, widths[0][1], *row) for row in zip(*rows))
        return rule(name, widths[0][1], *values)

    def llvm_assume(self, name, width, condition):
        if not self.number(condition):
            raise Unproven("an assumption")

    def llvm_trap(self, *_):
        raise Trap()

    def llvm_bswap(self, name, width, word):
        return reversed_bytes(width, word)

    def llvm_cttz(self, name, width, word, zero_is_poison):
        terms = word.terms if isinstance(word, Bits) else {frozenset(): word}
        for i in range(width):
            constant = terms.get(frozenset(), 0) >> i & 1
            if any(m and mask >> i & 1 for m, mask in terms.items()):
                raise Unsupported("a count of zeros that depends on data")
            if constant:
                return i
        if self.number(zero_is_poison):
            raise Unproven("a count of zeros of zero")
        return width

    def llvm_fshl(self, name, width, left, right, by):
        by = self.number(by) % width
        return xor(width, shifted(width, left, by), shifted(width, right, by - width))

    def least(name_of):
        def rule(self, name, width, left, right):
            x, y = self.number(left), self.number(right)
            key = (lambda v: signed(v, width)) if name_of[0] == "s" else (lambda v: v)
            return (min if name_of.endswith("min") else max)(x, y, key=key)

        return rule

    llvm_smin, llvm_umin, llvm_smax, llvm_umax = map(least, ("smin", "umin", "smax", "umax"))

    def overflowing(self, name, width, left, right, factor):
        x, y = self.number(left), self.number(right)
        if name[0][0] == "s":
            x, y = signed(x, width), signed(y, width)
        exact = x + factor * y
        wrapped = exact % (1 << width)
        return wrapped, int(exact != (signed(wrapped, width) if name[0][0] == "s" else wrapped))

    def llvm_sadd(self, name, width, left, right):
        return self.overflowing(name, width, left, right, 1)

    def llvm_ssub(self, name, width, left, right):
        return self.overflowing(name, width, left, right, -1)

    llvm_uadd, llvm_usub = llvm_sadd, llvm_ssub
