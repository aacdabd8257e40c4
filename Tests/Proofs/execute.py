"""Symbolic execution of LLVM IR over `algebra`: one run per path, all paths explored.

A run follows the branches. A condition that the values do not decide is decided by the run's list of choices, and recorded
as a fact; `paths` starts a run for every list. Loops are run, not summarised: their counters are constants, and a run of
more than `STEP_LIMIT` instructions is an error. So is every instruction or operand that has no rule here.
"""

import re

import algebra
from algebra import Infeasible, add, constant, is_constant, multiply, scale, value
from conditions import AllBits, AnyBit, Comparison, Conditions, Undecided
from ir import Unsupported
from layout import width_of
from memory import Memory, Pointer


class Trap(Exception):
    """The path ends in a trap."""


class Unproven(Exception):
    """A promise of the IR (nuw, disjoint …) or of a statement does not follow."""


class FunctionReference:
    def __init__(self, name):
        self.name = name


def signed64(v):
    return (v + (1 << 63)) % (1 << 64) - (1 << 63)


def elements(pointer, kind):
    """(offset, kind) of each element of a vector."""
    m = re.fullmatch(r"<(\d+) x (i\d+)>", kind)
    return [(pointer.offset + width_of(m[2]) * i, m[2]) for i in range(int(m[1]))]


class Run(Conditions):
    STEP_LIMIT = 20000

    def __init__(self, module, choices=(), contracts=None):
        super().__init__(choices)
        self.module = module
        self.algebra = algebra.Algebra()
        self.equations = []  # of the contracts: (number T, polynomial that R·T is)
        self.contracts = contracts or {}  # symbol -> what stands for a call of it
        self.steps = 0

    # Values

    def signed(self, a, bits):
        return add(a, self.algebra.split(a, bits - 1)[1], -(1 << bits))

    def operand(self, name, env, bits=64):
        if name[0] == "%":
            v = env[name]
            return self.algebra.substitute(v) if isinstance(v, dict) else v
        if name[0] == "@":
            return FunctionReference(name)
        if name in ("true", "false"):
            return constant(int(name == "true"))
        if name in ("undef", "poison"):
            return None
        if name == "zeroinitializer":
            return constant(0)
        if name[0] == "<":  # a vector of numbers
            return tuple(self.operand(part.split()[1], env, bits) for part in name[1:-1].split(", "))
        return constant(int(name) % (1 << bits))

    # Memory

    def load(self, pointer, kind, alignment=1):
        if kind.startswith("<"):
            return tuple(pointer.memory.load(*place, alignment if i == 0 else 1) for i, place in enumerate(elements(pointer, kind)))
        return pointer.memory.load(pointer.offset, kind, alignment)

    def store(self, pointer, kind, v, alignment=1):
        if not kind.startswith("<"):
            pointer.memory.store(pointer.offset, kind, v, alignment)
            return
        places = elements(pointer, kind)
        parts = v if isinstance(v, tuple) else (constant(0),) * len(places)
        for i, (place, part) in enumerate(zip(places, parts)):
            pointer.memory.store(*place, part, alignment if i == 0 else 1)

    # Control

    def call(self, name, arguments):
        function = self.module.function(name)
        env = dict(zip(function.parameters, arguments))
        label, previous = function.entry, None
        while True:
            block = function.blocks[label]
            incoming = {}
            for instruction in block:
                self.steps += 1
                if self.steps > self.STEP_LIMIT:
                    raise Unsupported("a loop without end")
                op = instruction.op
                if op == "phi":
                    source = next(v for v, l in instruction.args[1] if l == previous)
                    bits = int(instruction.args[0][1:]) if instruction.args[0][0] == "i" else 64
                    incoming[instruction.dest] = self.operand(source, env, bits)
                    continue
                if incoming:
                    env.update(incoming)
                    incoming = {}
                if op == "br":
                    condition, targets = instruction.args
                    previous = label
                    if condition is None or self.decide(self.operand(condition, env, 1)):
                        label = targets[0]
                    else:
                        label = targets[1]
                    break
                if op == "ret":
                    kind, source = instruction.args
                    if source is None:
                        return None
                    result = self.operand(source, env, 1 if kind == "i1" else 64)
                    return constant(self.decide(result)) if kind == "i1" else result
                if op == "unreachable":
                    raise Unsupported("unreachable without a trap")
                self.step(instruction, env)

    def step(self, instruction, env):
        rule = getattr(self, "op_" + instruction.op, None)
        if rule is None:
            raise Unsupported(instruction.text)
        result = rule(env, *instruction.args)
        if instruction.dest is not None:
            env[instruction.dest] = result

    def require(self, a, reason):
        """That a word is 0."""
        if not is_constant(a):
            low, high = self.algebra.tight(a, want=(0, 0))
            a = constant(low) if low == high else a
        if not is_constant(a) or value(a):
            raise Unproven(reason)

    def op_nop(self, env):
        return None

    def op_alloca(self, env, kind, alignment):
        return Pointer(Memory(self.module.types.size(kind), alignment))

    def op_load(self, env, kind, pointer, alignment):
        return self.load(self.operand(pointer, env), kind, alignment)

    def op_store(self, env, kind, source, pointer, alignment):
        bits = int(kind[1:]) if kind[0] == "i" else 64
        self.store(self.operand(pointer, env), kind, self.operand(source, env, bits), alignment)

    def op_getelementptr(self, env, element, pointer, index, flags):
        p, i = self.operand(pointer, env), self.operand(index, env)
        if not is_constant(i):
            raise Unsupported("an address that depends on data")
        return p.moved(self.module.types.size(element) * signed64(value(i)), "inbounds" in flags)

    def words(self, env, a, b, bits):
        return self.number(self.operand(a, env, bits)), self.number(self.operand(b, env, bits))

    def wrapped(self, a, bits, flags, signed_value):
        if "nuw" in flags:
            lo, hi = self.algebra.split(a, bits, exact=True)
            self.require(hi, "nuw")
        else:
            # A sign-extended flag is (2ⁿ − 1)·flag; as −flag its range is small.
            half = 1 << bits - 1
            centred = {m: (c + half) % (1 << bits) - half for m, c in a.items() if c % (1 << bits)}
            lo, hi = self.algebra.split(self.flag_sum(centred, -1), bits, exact=True)
        lo = self.flag_sum(lo, 1)
        if "nsw" in flags:
            low, high = self.algebra.range(signed_value())
            if low < -(1 << bits - 1) or high >= 1 << bits - 1:
                raise Unproven(f"nsw {low} {high}")
        return lo

    def flag_sum(self, a, sign):
        """The sum of two flags (or minus it), as one flag if both are never set together."""
        a = self.algebra.substitute(a)
        flags = scale(a, sign)
        # A sum that is negated will be a mask and must be a flag; of another it is worth a short try.
        if self.algebra.range(flags) == (0, 2) and self.algebra.tight(flags, splits=2 if sign < 0 else 0, want=(0, 1))[1] == 1:
            return scale(self.algebra.boolean(scale(a, sign)), sign)
        return a

    def op_add(self, env, bits, a, b, flags):
        x, y = self.words(env, a, b, bits)
        return self.wrapped(add(x, y), bits, flags, lambda: add(self.signed(x, bits), self.signed(y, bits)))

    def op_sub(self, env, bits, a, b, flags):
        x, y = self.words(env, a, b, bits)
        return self.wrapped(add(x, y, -1), bits, flags, lambda: add(self.signed(x, bits), self.signed(y, bits), -1))

    def op_mul(self, env, bits, a, b, flags):
        x, y = self.words(env, a, b, bits)
        lo, hi = self.algebra.split(multiply(x, y), bits)
        if "nuw" in flags:
            self.require(hi, "nuw")
        if "nsw" in flags:
            for v in (x, y, multiply(x, y)):
                if self.algebra.range(v)[1] >= 1 << bits - 1:
                    raise Unproven("mul nsw")
        return lo

    def shift(self, v, bits=64):
        if not is_constant(v):
            raise Unsupported("a shift by data")
        if value(v) >= bits:
            raise Unproven("a shift by the width or more is poison")
        return value(v)

    def op_shl(self, env, bits, a, b, flags):
        x, y = self.words(env, a, b, bits)
        s = self.shift(y, bits)
        lo, hi = self.algebra.split(x, bits - s)
        if "nuw" in flags:
            self.require(hi, "nuw")
        if "nsw" in flags:
            low, high = self.algebra.range(scale(self.signed(x, bits), 1 << s))
            if low < -(1 << bits - 1) or high >= 1 << bits - 1:
                raise Unproven("nsw")
        return scale(lo, 1 << s)

    def op_lshr(self, env, bits, a, b, flags):
        x, y = self.words(env, a, b, bits)
        lo, hi = self.algebra.split(x, self.shift(y, bits))
        if "exact" in flags:
            self.require(lo, "exact")
        return hi

    def op_and(self, env, bits, a, b, flags):
        if bits == 1:
            return constant(int(self.decide(self.operand(a, env, 1)) and self.decide(self.operand(b, env, 1))))
        x, y = self.operand(a, env, bits), self.operand(b, env, bits)
        if isinstance(x, AllBits) or isinstance(y, AllBits) or not (is_constant(x) or is_constant(y)):
            parts = []
            for v in (x, y):
                parts += v.parts if isinstance(v, AllBits) else [self.number(v)]
            return AllBits(parts)
        if is_constant(x):
            x, y = y, x
        if is_constant(x):
            return constant(value(x) & value(y))
        mask = value(y)
        symbols = [m for m in x if m]
        if len(symbols) == 1 and len(symbols[0]) == 1:
            first, last = self.algebra.ranges[symbols[0][0]]
            if last == first + 1:
                p = value(x) + first * x[symbols[0]]
                q = p + x[symbols[0]]
                bit = add({symbols[0]: 1}, constant(first), -1)
                self.algebra.mask(bit)
                return add(constant(p & mask), scale(bit, (q & mask) - (p & mask)))
        if mask & (mask + 1) == 0:
            return self.algebra.split(x, mask.bit_length())[0]
        inverse = (1 << bits) - 1 - mask
        if inverse & (inverse + 1) == 0:
            return add(x, self.algebra.split(x, inverse.bit_length())[0], -1)
        raise Unsupported("and with a mask that is no run")

    def op_or(self, env, bits, a, b, flags):
        x, y = self.operand(a, env, bits), self.operand(b, env, bits)
        if bits == 1:
            if isinstance(x, dict) and isinstance(y, dict):
                if is_constant(x) and is_constant(y):
                    return constant(value(x) | value(y))
                together = add(x, y)
                if self.algebra.tight(together, deep=False, want=(0, 1))[1] <= 1:
                    return self.algebra.boolean(together)
            return constant(int(self.decide(x) or self.decide(y)))
        if isinstance(x, dict) and isinstance(y, dict):
            for p, q in ((x, y), (y, x)):
                twos = [(c & -c).bit_length() - 1 for c in p.values()]
                low, high = self.algebra.range(q)
                if not twos or (low >= 0 and high < 1 << min(twos)):
                    return add(p, q)
        if "disjoint" in flags:
            raise Unproven("disjoint")
        parts = []
        for v in (x, y):
            parts += v.parts if isinstance(v, AnyBit) else [self.number(v)]
        return AnyBit(parts)

    def op_xor(self, env, bits, a, b, flags):
        x, y = self.operand(a, env, bits), self.operand(b, env, bits)
        for p, q in ((x, y), (y, x)):
            if isinstance(q, dict) and is_constant(q) and value(q) in (0, (1 << bits) - 1):
                return add(q, self.number(p), -1) if value(q) else self.number(p)
        if bits == 1:
            return constant(int(self.decide(x)) ^ int(self.decide(y)))
        if isinstance(x, dict) and isinstance(y, dict) and is_constant(x) and is_constant(y):
            return constant(value(x) ^ value(y))
        raise Unsupported("xor")

    def op_zext(self, env, bits, a, to, flags):
        x = self.number(self.operand(a, env, bits))
        if "nneg" in flags:
            self.require(self.algebra.split(x, bits - 1)[1], "nneg")
        return x

    def op_sext(self, env, bits, a, to, flags):
        x = self.number(self.operand(a, env, bits))
        if bits == 1:
            self.algebra.mask(x)
            return scale(x, (1 << to) - 1)
        return add(x, self.algebra.split(x, bits - 1)[1], (1 << to) - (1 << bits))

    def op_trunc(self, env, bits, a, to, flags):
        lo, hi = self.algebra.split(self.number(self.operand(a, env, bits)), to)
        if "nuw" in flags:
            self.require(hi, "trunc nuw")
        if "nsw" in flags:
            if "nuw" not in flags:
                raise Unsupported("trunc nsw")
            self.require(self.algebra.split(lo, to - 1)[1], "trunc nsw")
        return lo

    def op_icmp(self, env, predicate, bits, a, b, flags):
        x, y = self.operand(a, env, bits), self.operand(b, env, bits)
        if "samesign" in flags:
            for v in (x, y):
                low, high = self.algebra.range(self.number(v))
                if high >= 1 << bits - 1:
                    raise Unproven("samesign")
        x = x if isinstance(x, (AnyBit, AllBits)) else self.number(x)
        return Comparison(predicate, x, self.number(y), bits)

    def op_select(self, env, kind, condition, a, b):
        bits = int(kind[1:]) if kind[0] == "i" else 64
        c = self.operand(condition, env, 1)
        if isinstance(c, dict) and is_constant(c):
            return self.operand(a if value(c) else b, env, bits)
        x, y = self.operand(a, env, bits), self.operand(b, env, bits)
        if isinstance(x, dict) and isinstance(y, dict) and is_constant(x) and is_constant(y) and bits > 1:
            c = self.number(c)
            self.algebra.mask(c)
            return add(y, multiply(c, add(x, y, -1)))
        return x if self.decide(c) else y

    def op_vector_select(self, env, count, condition, kind, a, b):
        c, x, y = (self.operand(v, env, int(kind[1:])) for v in (condition, a, b))
        x, y = (v if isinstance(v, tuple) else (constant(0),) * count for v in (x, y))
        return tuple(x[i] if self.decide(c[i]) else y[i] for i in range(count))

    def op_insertelement(self, env, count, kind, a, v, index):
        parts = list(self.operand(a, env) or (None,) * count)
        parts[index] = self.operand(v, env, int(kind[1:]))
        return tuple(parts)

    def op_shufflevector(self, env, count, a):
        return (self.operand(a, env)[0],) * count

    def op_freeze(self, env, kind, a):
        return self.operand(a, env, int(kind[1:]))

    def op_extractvalue(self, env, a, index):
        return self.operand(a, env)[index]

    def op_insertvalue(self, env, count, a, kind, v, index):
        whole = self.operand(a, env)
        parts = list(whole) if whole is not None else [None] * count
        parts[index] = self.operand(v, env, int(kind[1:]))
        return tuple(parts)

    def op_call(self, env, callee, arguments):
        def bits(kind):
            return int(kind[1:]) if kind[0] == "i" and kind[1:].isdigit() else 64

        values = [self.operand(name, env, bits(kind)) for kind, name in arguments]
        if callee.startswith("%"):
            callee = env[callee].name
        if callee in self.contracts:
            return self.contracts[callee](self, values)
        if not callee.startswith("@llvm."):
            return self.call(callee, values)
        name = callee[6:].split(".")
        if callee.startswith(("@llvm.uadd.with.overflow.i64", "@llvm.usub.with.overflow.i64")):
            x, y = self.number(values[0]), self.number(values[1])
            if name[0] == "uadd":
                return self.algebra.split(add(x, y), 64)
            lo, hi = self.algebra.split(add(x, y, -1), 64)
            return lo, scale(hi, -1)
        if callee.startswith("@llvm.fshl.i64"):
            x, y, s = (self.number(v) for v in values)
            if not is_constant(s):
                raise Unsupported("a shift by data")
            s = value(s) % 64
            upper = scale(self.algebra.split(x, 64 - s)[0], 1 << s)
            return add(upper, self.algebra.split(y, 64 - s)[1])
        if callee.startswith("@llvm.memcpy"):
            target, source, count = values[0], values[1], value(values[2])
            if count % 8 or target.memory is source.memory and abs(target.offset - source.offset) < count:
                raise Unsupported("memcpy")
            for offset in range(0, count, 8):
                self.store(target.moved(offset), "i64", self.load(source.moved(offset), "i64"))
            return None
        if callee.startswith("@llvm.memset"):
            if value(values[2]) % 8:
                raise Unsupported("memset")
            filler = constant(value(values[1]) % 256 * 0x0101_0101_0101_0101)
            for offset in range(0, value(values[2]), 8):
                self.store(values[0].moved(offset), "i64", filler)
            return None
        if callee.startswith("@llvm.lifetime"):
            place = values[-1]
            if place.offset or len(values) == 2 and value(values[0]) != place.memory.size:
                raise Unsupported("the lifetime of a part of an object")
            place.memory.start_lifetime() if name[1] == "start" else place.memory.end_lifetime()
            return None
        if callee.startswith("@llvm.assume"):
            if not self.decide(values[0]):
                raise Unproven("an assumption")
            return None
        if name[0] == "umin" and all(map(is_constant, values)):
            return constant(min(map(value, values)))
        if callee.startswith("@llvm.trap"):
            self.algebra.check_feasible()
            raise Trap()
        raise Unsupported("call of " + callee)


def paths(module, prepare, contracts=None, run_class=Run):
    """Runs `prepare(run)` for every list of choices; yields (run, its result) of the feasible ones."""
    pending = [()]
    while pending:
        choices = pending.pop()
        run = run_class(module, choices, contracts)
        try:
            result = prepare(run)
        except Undecided:
            pending += [choices + (0,), choices + (1,)]
            if len(choices) > 200 or len(pending) > 4000:
                raise Unsupported("too many paths")
            continue
        except Infeasible:
            continue
        yield run, result
