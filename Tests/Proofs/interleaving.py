"""Proves the loop that adds up the multiples of the digits, `interleaveVarTime`, from its IR in each function that has it.

    u₁·G + u₂·Q = Σᵢ 2ⁱ·(Σ over the digits d at position i: d·B_row),  B_row = 2^(partBits·part)·G or ·Q

is what `SignedWindows.recode` leaves (`recoding.py`: the digits of a row's part, by position). Points are here elements of a group, and the three
point routines what their formulas are proven to be, exceptional cases included (`points.py`): S ↦ 2S, S + T, 2S + T for any S, the infinity that
the loop begins with among them, and any multiple T, which is never infinite (`WindowShape`). Shown of the loop:

* It begins with S = infinity at i = the highest position. All else that it reads, but for the digits, is made of addresses and of the shape of the table.
* A turn at i without digits makes S ↦ 2S; one with digits T, T', T'' … makes 2S + T, then + T', + T'' …: for each i with no digit and with one; and each
  further digit of a list meets the state that the second met, so that a list of any length is added up. Then i − 1 follows, or the end after 0.
* The operand is the digit's multiple, for every row and every odd digit of its width, as the first and as a further digit, and for every number of a
  digit in the list, which is nothing but an index: of the generator the very point (2k + 1)·2^(partBits·part)·G, computed here, of Q the entry that has it, and −y
  for a negative digit. Every access is within its table, or the run would stop.
* By that a turn makes S ↦ 2S + Σ d·B_row, and the loop Horner's sum of the first line.

The coordinates are numbers, those of Q's multiples made up. What is inlined to negate y is proven where it stands, for every y (`negation.py`). And the whole function is run on scalars of which the recoding (inlined there, and proven where the driver calls it) is extreme or random: the sum is
(u₁, u₂).
"""

import random
from dataclasses import dataclass

from execute_bits import BitRun, chunks, signed
from ir import Unsupported
from loops import Flow, names_in
from negation import prove_negation
from outcomes import Unproven
from recoding import COUNT, DIGITS, FIRST, HIGHEST, SIZE
from statements import N256, N384, P256, P384

POSITIONS = 385
PURE = ("alloca", "getelementptr", "add", "sub", "shl", "sdiv", "and", "icmp", "extractvalue", "zext", "inttoptr")
SLOTS = 255
G256 = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
G384 = (
    0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
    0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
)
ROUTINES = {"JacobianPointV6double": "2S", "JacobianPointV10addVarTime": "S + T", "JacobianPointV19doubleAndAddVarTime": "2S + T"}


class Curve:
    def __init__(self, name):
        self.name = name
        self.p, self.n, self.G, self.limbs = {"P256": (P256, N256, G256, 4), "P384": (P384, N384, G384, 6)}[name]
        self.bits = 64 * self.limbs
        self.multiples = {}  # odd multiples of 2^k·G, by k

    def sum(self, A, B):
        if A == B:
            slope = (3 * A[0] * A[0] - 3) * pow(2 * A[1], -1, self.p)
        else:
            slope = (B[1] - A[1]) * pow(B[0] - A[0], -1, self.p)
        x = (slope * slope - A[0] - B[0]) % self.p
        return x, (slope * (A[0] - x) - A[1]) % self.p

    def odd_multiples(self, k, count):
        """(2i + 1)·2ᵏ·G for i < count."""
        found = self.multiples.get(k)
        if found is None or len(found) < count:
            base = self.G
            for _ in range(k):
                base = self.sum(base, base)
            double, found = self.sum(base, base), [base]
            while len(found) < count:
                found.append(self.sum(found[-1], double))
            self.multiples[k] = found
        return found[:count]

    def stored(self, x):
        return x * 2**self.bits % self.p


CURVES = {name: Curve(name) for name in ("P256", "P384")}
FIRST_WIDTH, WIDTH, PART = 10, 8, 32  # of the generator's table: the windows of part 0, those of the others, the bits of a part


@dataclass(frozen=True)
class Shape:
    """Who calls the loop: `point` for a point seen for the first time, `table` with a table, `bases` with four multiples."""

    curve_name: str
    kind: str
    window: int
    part_bits: int

    @property
    def curve(self):
        return CURVES[self.curve_name]

    @property
    def parts(self):
        return self.curve.bits // self.part_bits

    @property
    def count(self):
        """Multiples of a part of Q."""
        return 1 << self.window - 2

    def widths(self):
        """Of the rows: the generator's parts, then those of Q."""
        return [FIRST_WIDTH] + [WIDTH] * (self.parts - 1) + [self.window] * self.parts

    def weight(self, row):
        return self.part_bits * (row if row < self.parts else row - self.parts)

    def digits(self):
        """Every (row, value)."""
        return [(row, v) for row, w in enumerate(self.widths()) for v in range(-(1 << w - 1) + 1, 1 << w - 1, 2)]


class Table:
    """Which multiple a point is: {x: (row or its generator's part, multiplier, y)}."""

    def __init__(self, shape):
        self.shape, curve = shape, shape.curve
        self.known, self.entries = {}, []
        for row in range(shape.parts):
            for i, (x, y) in enumerate(curve.odd_multiples(shape.weight(row), 1 << shape.widths()[row] - 2)):
                self.known[curve.stored(x)] = row, 2 * i + 1, curve.stored(y)
        rng = random.Random(f"{shape}")
        for row in range(shape.parts, 2 * shape.parts):
            for i in range(shape.count):
                x, y = rng.randrange(curve.p), rng.randrange(1, curve.p)
                self.entries.append((x, y))
                self.known[x] = row, 2 * i + 1, y

    def digit(self, x, y):
        """(row, value)"""
        row, multiplier, known = self.known.get(x, (None, 0, 0))
        if row is None or (y - known) % self.shape.curve.p and (y + known) % self.shape.curve.p:
            raise Unproven("an operand that is no multiple")
        return row, multiplier if (y - known) % self.shape.curve.p == 0 else -multiplier


class LoopRun(BitRun):
    """The point routines are not run: who is called with what is kept. What makes Q's multiples is replaced by their table."""

    STEP_LIMIT = 4_000_000

    def __init__(self, module, table):
        super().__init__(module)
        self.table, self.curve, self.events = table, table.shape.curve, []
        self.sum = self.memory.allocate(24 * self.curve.limbs)

    def number_at(self, address):
        words = [self.memory.load(address + 8 * i, 8) for i in range(self.curve.limbs)]
        return sum(self.number(w) << 64 * i for i, w in enumerate(words))

    def store_number(self, address, x, initial=False):
        for i in range(self.curve.limbs):
            self.memory.store(address + 8 * i, 8, x >> 64 * i & (1 << 64) - 1, initial=initial)

    def store_multiples(self, address, initial=False):
        for i, (x, y) in enumerate(self.table.entries):
            self.store_number(address + 16 * self.curve.limbs * i, x, initial)
            self.store_number(address + 8 * self.curve.limbs * (2 * i + 1), y, initial)

    def op_call(self, environment, callee, arguments):
        routine = next((meaning for name, meaning in ROUTINES.items() if name in callee), None)
        if routine is not None:
            *operand, place = [self.operand(v, environment) for _, v in arguments]
            if place != self.sum or len(operand) != ("T" in routine):
                raise Unproven("what a point routine is called with")
            point = [self.table.digit(self.number_at(q), self.number_at(q + 8 * self.curve.limbs)) for q in operand]
            self.events.append((routine, *point))
            return None
        if "oddMultiples" in callee:
            return self.store_multiples(self.operand(arguments[0][1], environment))
        if "7descend" in callee:  # m, count and affineCount, the span of the points
            values = [self.operand(v, environment) for _, v in arguments]
            if values[:3] != [self.table.shape.count, self.table.shape.parts, self.table.shape.parts]:
                raise Unproven("what descend is called with")
            return self.store_multiples(self.memory.load(values[3], 8))
        return super().op_call(environment, callee, arguments)

    def llvm_smul(self, name, width, a, b):
        exact = signed(self.number(a), width) * signed(self.number(b), width)
        return exact % (1 << width), int(exact != signed(exact % (1 << width), width))

    def llvm_memcpy(self, name, width, target, source, count, volatile):
        """Bytes that nothing was stored to, as between members, stay so."""
        for i, size in chunks(self.number(count)):
            o, offset = self.memory.access(source + i, size, 1)
            if any(self.covers(o, offset + k) for k in range(size)):
                for k, length in [(0, size)] if all(self.covers(o, offset + k) for k in range(size)) else [(k, 1) for k in range(size)]:
                    if self.covers(o, offset + k):
                        self.memory.store(target + i + k, length, self.memory.load(source + i + k, length))

    @staticmethod
    def covers(o, offset):
        return any(start in o.cells and start + o.cells[start][0] > offset for start in range(offset, offset - 16, -1))

    def op_sdiv(self, environment, width, a, b, flags):
        x, y = (signed(self.number(self.operand(v, environment, width)), width) for v in (a, b))
        if y == 0 or flags:
            raise Unproven("sdiv")
        return (abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)) % (1 << width)


def folded(events, weight):
    """What the routines make of S = 0, as (row < parts, row ≥ parts) sums of value·2^weight."""
    total = {}
    for routine, *digit in events:
        if routine.startswith("2S"):
            total = {row: 2 * v for row, v in total.items()}
        for row, value in digit:
            total[row] = total.get(row, 0) + value
    return {row: v << weight(row) for row, v in total.items()}


class Proof:
    def __init__(self, module, function, shape):
        self.module, self.function, self.shape = module, function, shape
        self.table, self.flow = Table(shape), Flow(function)
        self.outer, self.inner = loop_heads(self.flow)

    def arguments(self, run, u1, u2):
        limbs, values = self.shape.curve.limbs, []
        for u in (u1, u2):
            words = [u >> 64 * i & (1 << 64) - 1 for i in range(limbs)]
            if limbs == 4:  # in registers
                values += words
            else:
                values.append(run.memory.allocate(8 * limbs, read_only=True))
                run.store_number(values[-1], u, initial=True)
        size = 16 * limbs
        if self.shape.kind == "table":
            table = run.memory.allocate(size * len(self.table.entries), read_only=True)
            run.store_multiples(table, initial=True)
            return [run.sum, *values, table, len(self.table.entries), self.shape.window, self.shape.part_bits]
        bases = self.shape.parts if self.shape.kind == "bases" else 1
        point = run.memory.allocate(size * bases, read_only=True)
        for i in range(2 * bases):
            run.store_number(point + 8 * limbs * i, self.shape.curve.stored(self.shape.curve.G[i % 2]), initial=True)
        return [run.sum, *values, point]

    def started(self, u1, u2):
        """(run, environment) at the loop's first turn."""
        run = LoopRun(self.module, self.table)
        environment = dict(zip(self.function.parameters, self.arguments(run, u1, u2)))
        stop, previous = run.run(self.function, environment, self.function.entry, None, (self.outer,))
        if stop != self.outer or run.events:
            raise Unproven("no loop")
        self.enter(run, environment, self.outer, previous)
        one, size = self.shape.curve.stored(1), 8 * self.shape.curve.limbs
        if [run.number_at(run.sum + size * i) for i in range(3)] != [one, one, 0]:
            raise Unproven("the sum that the loop begins with")
        return run, environment

    def enter(self, run, environment, label, previous):
        """The values of a head's variables."""
        phis = [i for i in self.function.blocks[label] if i.op == "phi"]
        environment.update({i.dest: run.operand(next(v for v, l in i.args[1] if l == previous), environment, 64 if i.args[0] == "ptr" else int(i.args[0][1:])) for i in phis})

    def state(self, environment, label, without=()):
        return {name: environment[name] for name in self.flow.live[label] - set(without)}

    def position_name(self):
        (name,) = [i.dest for i in self.function.blocks[self.outer] if i.op == "phi"]
        return name

    def require_independent(self, run, environment):
        """That what the turns read besides position and memory is made of addresses and of the table's shape, by instructions that read neither scalars nor
        memory; and that what is asked of the highest position alone has one answer for all of them."""
        made = {i.dest: i for block in self.function.blocks.values() for i in block if i.dest}
        count = 8 if self.shape.curve.limbs == 4 else 2
        scalars, position = self.function.parameters[1 : 1 + count], self.position_name()
        first = {v for v, l in made[position].args[1] if l not in self.flow.body(self.outer)}
        stack, seen = [(name, name) for name in self.flow.live[self.outer] - {position}], set()
        while stack:
            name, whose = stack.pop()
            if name in seen or name in self.function.parameters and name not in scalars:
                continue
            seen.add(name)
            i = made.get(name)
            if i is not None and i.op == "icmp" and i.args[2] in first and not names_in(i.args[3]):
                if {run.op_icmp({i.args[2]: n}, *i.args) for n in range(POSITIONS)} != {environment[name]}:
                    raise Unproven("what is asked of the highest position")
                continue
            if i is None or i.op not in PURE and not (i.op == "call" and ".with.overflow." in i.args[0]):
                raise Unproven(f"what the loop begins with: {whose}")
            stack += [(n, whose) for n in names_in(i.args) & self.flow.defined]

    def windows(self, run):
        """The digits that the loop reads: the one object of that size in which there are some."""
        found = [n * (1 << 20) for n, o in enumerate(run.memory.objects, 1) if o.size == SIZE and o.alive]
        found = [base for base in found if run.memory.load(base + COUNT, 8)]
        if not found:
            raise Unproven("no digits")
        return found

    def whole_runs(self):
        """The sum for scalars that are extreme or random; and (run, environment) at the first turn, which all of them share."""
        n, rng = self.shape.curve.n, random.Random(1)
        alternating = int("10" * (self.shape.curve.bits // 2 - 1), 2)
        pairs = [(1, n - 1), (n - 1, 1), (alternating, n // 3), (2**self.shape.part_bits // 2 - 1, 1 << n.bit_length() - 1)]
        pairs += [(rng.randrange(n), rng.randrange(n)) for _ in range(2)]
        shared, position = None, self.position_name()
        for u1, u2 in pairs:
            run, environment = self.started(u1, u2)
            highest = max(run.memory.load(base + HIGHEST, 8) for base in self.windows(run))
            state = self.state(environment, self.outer, [position])
            if environment[position] != highest or shared is not None and state != shared:
                raise Unproven("what the loop begins with")
            shared = state
            if run.run(self.function, environment, self.outer, None)[0] is not None:
                raise Unproven("no end")
            sums = folded(run.events, self.shape.weight)
            found = [sum(v for row, v in sums.items() if (row < self.shape.parts) == first) for first in (True, False)]
            if found != [u1, u2]:
                raise Unproven("u₁·G + u₂·Q of a whole run")
        return self.started(*pairs[-1])

    def prove(self):
        run, environment = self.whole_runs()
        position = self.position_name()
        start = self.state(environment, self.outer, [position])
        self.require_independent(run, environment)
        bases = self.windows(run)
        alive = [o for o in run.memory.objects if o.alive]
        kept = {o: dict(o.cells) for o in run.memory.objects if o is run.memory.place(run.sum)[0]}

        def turn(i, chain):
            """Runs position i with digits [(slot from 1, row, value)]. The states at the head of the loop over them."""
            for o in alive:  # the turn of position 0 goes on to the end
                o.alive = True
            for base in bases:
                run.memory.store(base + FIRST + i, 1, chain[0][0] if chain else 0)
                for (slot, row, value), following in zip(chain, [*(c[0] for c in chain[1:]), 0]):
                    place = base + DIGITS + 4 * (slot - 1)
                    run.memory.store(place, 2, value % (1 << 16))
                    run.memory.store(place + 2, 1, row)
                    run.memory.store(place + 3, 1, following)
            before = [dict(run.memory.place(base)[0].cells) for base in bases] if chain and not i % 64 else None
            run.steps, run.events = 0, []
            local = {**start, position: i}
            label, previous, states = self.outer, None, []
            while True:
                label, previous = run.run(self.function, local, label, previous, (self.outer, self.inner))
                if label != self.inner:
                    break
                self.enter(run, local, self.inner, previous)
                states.append(self.state(local, self.inner))
                previous = None
            if label == self.outer:
                self.enter(run, local, self.outer, previous)
                if self.state(local, self.outer, [position]) != start:
                    raise Unproven("what the next turn begins with")
            if any(o.cells != cells for o, cells in kept.items()) or before and before != [run.memory.place(base)[0].cells for base in bases]:
                raise Unproven("a store to the sum or to the digits")
            following = local[position] if label == self.outer else None
            if following != (i - 1 if i else None):
                raise Unproven("the position that follows")
            wanted = [("2S + T" if k == 0 else "S + T", (row, value)) for k, (_, row, value) in enumerate(chain)] or [("2S",)]
            if run.events != wanted:
                raise Unproven(f"what is done for {chain}: {run.events}")
            return states

        digits, slot = self.shape.digits(), lambda k: 1 + k % SLOTS
        for i in range(POSITIONS):
            turn(i, [])
            turn(i, [(slot(i), *digits[i % len(digits)])])
        for k, digit in enumerate(digits):
            turn(k % POSITIONS, [(slot(k), *digit), (slot(k + 101), *digits[k - 1])])
        self.prove_lists(turn)
        prove_negation(self.module, self.flow, self.flow.body(self.outer), self.shape.curve)
        return f"{len(digits)} digits"

    def prove_lists(self, turn):
        """The third and the fourth digit meet the state of the second, but for the number of the digit in the list."""
        for value in (1, -3):
            row = 2 * self.shape.parts - 1
            states = turn(7, [(slot, row, value) for slot in (3, 200, 41, 90)])
            if len(states) != 4:
                raise Unproven("a turn of the inner loop a digit")
            changing = {name for name in states[1] if [s[name] for s in states[1:]] == [200, 41, 90]}
            if len(changing) != 1 or any({k: v for k, v in s.items() if k not in changing} != {k: v for k, v in states[1].items() if k not in changing} for s in states[2:]):
                raise Unproven("the state of a further digit")
            self.flow.require_address(changing.pop())


def loop_heads(flow):
    """The head of the loop over the positions, which calls `double`, and that of the loop over the digits, which calls `addVarTime`."""
    def head(name):
        (label,) = {l for l, block in flow.function.blocks.items() for i in block if i.op == "call" and name in i.args[0]} or {None}
        heads = flow.heads_around(label)
        if not heads:
            raise Unsupported("no loop around " + name)
        return heads[-1]

    return head("JacobianPointV6double"), head("JacobianPointV10addVarTime")


@dataclass
class Row:
    shape: Shape
    text = "the sum is Σ 2ⁱ·d·B_row; each digit's multiple, of its sign, within the tables"

    @property
    def name(self):
        return f"interleave {self.shape.curve_name} {self.shape.kind}<{self.shape.window}>"

    def first(self, module):
        mark = {"point": "ScalarQz_AiA06Affine", "table": "SpanVyAA06Affine", "bases": "InlineArrayVyqd__AA06Affine"}[self.shape.kind]
        names = [n for n in module.sources if "doubleMultiplyVarTime" in n and mark in n and f"{self.shape.curve_name[0]}{self.shape.curve_name[1:]}D0O" in n]
        if len(names) != 1:
            raise Unsupported(f"{len(names)} functions are doubleMultiplyVarTime of {self.name}")
        return module.function(names[0])

    def assumes(self, name):
        """What the proof does not read, as it has statements of its own: the point routines, the multiples of Q."""
        return any(part in name for part in (*ROUTINES, "oddMultiples", "7descend", "OnOneZ", "FieldV1moi", "subtractingOnce", "InlineArrayV9repeating"))

    def reads(self, module):
        """Of the function the loop, of what it calls everything."""
        function = self.first(module)
        flow = Flow(function)
        loop = {id(i) for label in flow.body(loop_heads(flow)[0]) for i in function.blocks[label]}
        others = {id(i) for label, block in function.blocks.items() for i in block} - loop
        return lambda label, i: id(i) not in others

    def prove(self, module):
        return Proof(module, self.first(module), self.shape).prove()


def rows():
    return [
        Row(Shape(*shape)) for shape in (
            ("P256", "point", 5, 256), ("P256", "table", 5, 32), ("P256", "bases", 4, 64),
            ("P384", "point", 5, 384), ("P384", "table", 5, 32), ("P384", "table", 8, 32),
        )
    ]
