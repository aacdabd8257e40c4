"""Proves the loop of `interleaveVarTime` in each IR function that contains the loop. The loop adds the multiples that the digits select.

    u₁·G + u₂·Q = Σᵢ 2ⁱ·(Σ over the digits d at position i: d·B_row),  B_row = 2^(partBits·part)·G or ·Q

This equation holds for the digits of `SignedWindows.recode` (`turn.py`). Each digit has a position and a row. Each row belongs to one part of u₁ or u₂. Here,
points are elements of a group. The three point routines compute S ↦ 2S, S + T and 2S + T, including the exceptional cases, as `formulas/` proves. S is any
group element, and is infinity at the start of the loop. T is any multiple in the table, and is never infinity (`WindowShape`). The proof shows:

* The loop begins with S = infinity at the highest position i. All inputs of the loop except the digits depend only on addresses and on the table's shape.
* An iteration at position i without digits computes S ↦ 2S. An iteration with digits whose multiples are T, T', T'' … computes 2S + T, and then adds T', T'' ….
  The proof runs the iteration at every i, without a digit and with one digit. The next iteration is at i − 1, and the loop ends after i = 0.
* The second digit of a list and all later digits start in the same state, and end in this state. If the compiler peeled two digits off the loop, this holds
  from the third digit on. The loop therefore adds the digits of a list of any length.
* The operand of an addition is the multiple of the digit, for every row and every odd digit of the row's width. The proof shows this for the first digit, each
  later digit that starts in a different state, and one further digit. A digit's number is only an index into the list, so this holds for every digit number.
* For the generator, the operand is exactly the point (2k + 1)·2^(partBits·part)·G, computed here. For Q, the operand is the table entry of the multiple. For a
  negative digit, y is negated. Every access is within its table, because any other access would stop the run.
* An iteration uses its position only to load the number of the first digit there, to count, and to end the loop. So the proof need not run every digit at every
  position: each digit runs at one position, and each position runs with one digit.
* An iteration therefore computes S ↦ 2S + Σ d·B_row, and the loop computes the sum above by Horner's rule.

In the proof, coordinates are numbers. The coordinates of Q's multiples are random. `negation.py` proves each negation of y in the code, for every y. The proof
also runs the whole function on scalars with extreme or random recodings. The resulting sum must be u₁·G + u₂·Q. The recoding is inlined in this function,
but `turn.py` proves the recoding in the driver. In Embedded Swift, this function and the driver call the same recoding function.
"""

import random
from dataclasses import dataclass

from proofs.claim import Claim
from proofs.execution.routines import words_of
from proofs.ir.loops import Flow, names_in
from proofs.ir.word_functions import is_of_words
from proofs.outcomes import Unproven, Unsupported, only
from proofs.statements.coordinates import coordinates
from proofs.statements.multiplication.loop_run import ROUTINES, LoopRun, folded
from proofs.statements.multiplication.multiples import Shape, Table
from proofs.statements.multiplication.negation import prove_negations
from proofs.statements.recoding.signed_windows import POSITIONS, SLOTS, Layout

PURE = ("alloca", "getelementptr", "add", "sub", "shl", "sdiv", "and", "icmp", "extractvalue", "zext", "inttoptr")
LISTS = (3, 200, 41, 90, 17, 123), (5, 77, 250, 9, 60, 2)  # two lists of digit numbers


def calls(block, routine):
    return any(instruction.op == "call" and routine in instruction.args[0] for instruction in block)


class Proof:
    def __init__(self, module, function, shape):
        self.module, self.function, self.shape = module, function, shape
        self.table, self.flow = Table(shape, coordinates(module, shape.curve.bits)), Flow(function)
        self.layout = Layout(module.address_bits // 8)
        self.outer, self.heads = loop_heads(self.flow)
        others = 4 if shape.kind in ("table", "whole") else 1
        counts = {others + 1 + 2 * shape.curve.limbs: True, others + 3: False}
        if len(function.parameters) not in counts:
            raise Unsupported("the parameters")
        self.in_registers = counts[len(function.parameters)]
        self.scalars = function.parameters[1:-others]

    def arguments(self, run, u1, u2):
        limbs, values = self.shape.curve.limbs, []
        for scalar in (u1, u2):
            words = words_of(scalar, limbs)
            if self.in_registers:
                values += words
            else:
                values.append(run.memory.allocate_words(words, 8))
        size = 2 * self.table.coordinates.size
        if self.shape.kind in ("table", "whole"):
            table = run.memory.allocate(size * len(self.table.entries), read_only=True)
            run.store_multiples(table, initial=True)
            return [run.sum, *values, table, len(self.table.entries), self.shape.window, self.shape.part_bits]
        bases = self.shape.parts if self.shape.kind == "bases" else 1
        point = run.memory.allocate(size * bases, read_only=True)
        run.store_points(point, [[self.table.stored(coordinate) for coordinate in self.shape.curve.G]] * bases, initial=True)
        return [run.sum, *values, point]

    def started(self, u1, u2):
        """Returns (run, environment) at the first iteration of the loop."""
        run = LoopRun(self.module, self.table)
        environment = dict(zip(self.function.parameters, self.arguments(run, u1, u2)))
        stop, previous = run.run(self.function, environment, self.function.entry, None, (self.outer,))
        if stop != self.outer or run.events:
            raise Unproven("no loop")
        self.enter(run, environment, self.outer, previous)
        one, size = self.table.stored(1), self.table.coordinates.size
        if [run.number_at(run.sum + size * i) % self.shape.curve.p for i in range(3)] != [one, one, 0]:
            raise Unproven("the sum that the loop begins with")
        return run, environment

    def enter(self, run, environment, label, previous):
        environment.update(run.arriving(self.function, label, previous, environment))

    def state(self, environment, label, without=()):
        return {name: environment[name] for name in self.flow.live[label] - set(without)}

    def position_name(self):
        (phi,) = self.function.phis(self.outer)
        return phi.dest

    def require_independent(self, run, environment):
        """Requires that all inputs of an iteration, except position and memory, depend only on addresses and the table's shape. The instructions that compute
        these inputs must read neither scalars nor memory. If a condition depends only on the highest position, it must have the same outcome for all positions.
        """
        made = {instruction.dest: instruction for instruction in self.function.instructions if instruction.dest}
        position = self.position_name()
        first = {value for value, label in made[position].args[1] if label not in self.flow.body(self.outer)}
        stack, seen = [(name, name) for name in self.flow.live[self.outer] - {position}], set()
        while stack:
            name, whose = stack.pop()
            if name in seen or name in self.function.parameters and name not in self.scalars:
                continue
            seen.add(name)
            maker = made.get(name)
            if maker is not None and maker.op == "icmp" and maker.args[2] in first and not names_in(maker.args[3]):
                if {run.op_icmp({maker.args[2]: highest}, *maker.args) for highest in range(POSITIONS)} != {environment[name]}:
                    raise Unproven("what is asked of the highest position")
                continue
            if maker is None or maker.op not in PURE and not (maker.op == "call" and is_of_words(self.module, maker.args[0])):
                raise Unproven(f"what the loop begins with: {whose}")
            stack += [(read, whose) for read in names_in(maker.args) & self.flow.defined]

    def require_counter(self, position, environment, bases):
        """Requires that an iteration uses its position only to load the number of the first digit there, to count, and to end the loop."""
        blocks, body = self.function.blocks, self.flow.body(self.outer)
        of_digits = set().union(*(self.flow.body(head) for head in self.heads))
        users = lambda name: [(label, i) for label in body for i in blocks[label] if name in names_in(i.args)]
        ends = lambda label, i: i.op == "br" and label not in of_digits and set(i.args[1]) - body
        lists = {base + self.layout.first for base in bases}
        names = [position]
        for name in names:
            for _, i in users(name):
                if i.op in ("add", "sub") and names_in(i.args) == {name}:
                    admitted = True
                    names += [i.dest] if i.dest not in names else []
                elif i.op == "icmp":
                    admitted = names_in(i.args) == {name} and all(ends(*user) for user in users(i.dest))
                elif i.op == "getelementptr":
                    admitted = name == position == i.args[2] and environment.get(i.args[1]) in lists and all(j.op == "load" for _, j in users(i.dest))
                else:
                    admitted = i.op == "phi" and i.dest == position
                if not admitted:
                    raise Unproven("another use of the position: " + i.text)

    def windows(self, run):
        """Finds the digits that the loop reads. They are in the memory objects that have the size of a `SignedWindows` and contain digits."""
        found = [base for base, memory in run.memory.addressed() if memory.size == self.layout.size and memory.alive]
        found = [base for base in found if run.memory.load(base + self.layout.count, self.layout.int_size)]
        if not found:
            raise Unproven("no digits")
        return found

    def whole_runs(self):
        """Checks the sum for extreme and random scalars. Returns (run, environment) at the first iteration. With all of these scalars, the state at the first
        iteration must be the same, except for the position.
        """
        n, rng = self.shape.curve.n, random.Random(1)
        alternating = int("10" * (self.shape.curve.bits // 2 - 1), 2)
        pairs = [(1, n - 1), (n - 1, 1), (alternating, n // 3), (2**self.shape.part_bits // 2 - 1, 1 << n.bit_length() - 1)]
        pairs += [(rng.randrange(n), rng.randrange(n)) for _ in range(2)]
        shared, position = None, self.position_name()
        for u1, u2 in pairs:
            run, environment = self.started(u1, u2)
            highest = max(run.memory.load(base + self.layout.highest, self.layout.int_size) for base in self.windows(run))
            state = self.state(environment, self.outer, [position])
            if environment[position] != highest or shared is not None and state != shared:
                raise Unproven("what the loop begins with")
            shared = state
            if run.run(self.function, environment, self.outer, None)[0] is not None:
                raise Unproven("no end")
            sums = folded(run.events, self.shape.weight)
            found = [sum(part for row, part in sums.items() if (row < self.shape.parts) == is_generator) for is_generator in (True, False)]
            if found != [u1, u2]:
                raise Unproven("u₁·G + u₂·Q of a whole run")
        return self.started(*pairs[-1])

    def prove(self):
        run, environment = self.whole_runs()
        position = self.position_name()
        start = self.state(environment, self.outer, [position])
        self.require_independent(run, environment)
        bases = self.windows(run)
        self.require_counter(position, environment, bases)
        alive = [memory for memory in run.memory.objects if memory.alive]
        sum_memory = run.memory.place(run.sum)[0]
        sum_cells = dict(sum_memory.cells)

        def turn(i, chain):
            """Runs the iteration at position i with the digits in `chain`, each (slot, row, value); slots count from 1. Returns (header of the digit
            loop, state) for each digit.
            """
            for memory in alive:  # the iteration at position 0 continues to the end of the function, where lifetimes end
                memory.alive = True
            for base in bases:
                run.memory.store(base + self.layout.first + i, 1, chain[0][0] if chain else 0)
                for (slot, row, value), following in zip(chain, [*(next_slot for next_slot, _, _ in chain[1:]), 0]):
                    place = base + self.layout.digits + 4 * (slot - 1)
                    run.memory.store(place, 2, value % (1 << 16))
                    run.memory.store(place + 2, 1, row)
                    run.memory.store(place + 3, 1, following)
            before = [dict(run.memory.place(base)[0].cells) for base in bases] if chain and not i % 64 else None
            run.steps, run.events = 0, []
            local = {**start, position: i}
            label, previous, states = self.outer, None, []
            while True:
                label, previous = run.run(self.function, local, label, previous, (self.outer, *self.heads))
                if label not in self.heads:
                    break
                self.enter(run, local, label, previous)
                states.append((label, self.state(local, label)))
                previous = None
            if label == self.outer:
                self.enter(run, local, self.outer, previous)
                if self.state(local, self.outer, [position]) != start:
                    raise Unproven("what the next turn begins with")
            if sum_memory.cells != sum_cells or before and before != [run.memory.place(base)[0].cells for base in bases]:
                raise Unproven("a store to the sum or to the digits")
            following = local[position] if label == self.outer else None
            if following != (i - 1 if i else None):
                raise Unproven("the position that follows")
            wanted = [("S + T" if is_further else "2S + T", (row, value)) for is_further, (_, row, value) in enumerate(chain)] or [("2S",)]
            if run.events != wanted:
                raise Unproven(f"what is done for {chain}: {run.events}")
            if len(states) != len(chain):
                raise Unproven("a head of a loop for each digit")
            return states

        met = self.states_of_lists(turn)
        digits, slot = self.shape.digits(), lambda number: 1 + number % SLOTS

        def turn_as_known(i, numbers):
            """Runs an iteration with the digits of these numbers. Requires that digit k starts in the state `met[k]`. A digit after the end of `met` must start
            in the last state of `met`.
            """
            states = turn(i, [(slot(number + 101 * place), *digits[number % len(digits)]) for place, number in enumerate(numbers)])
            for (head, state), (known_head, known) in zip(states, met + met[-1:]):
                if head != known_head or any(state[name] != (i if name == position else word) for name, word in known.items()):
                    raise Unproven("the state that a digit meets")

        for i in range(POSITIONS):
            turn(i, [])
            turn_as_known(i, [i])
        for number in range(len(digits)):
            turn_as_known(number % POSITIONS, [number - place for place in range(len(met) + 1)])
        for length in range(2, len(met) + 1):
            for number in range(0, len(digits), 1 + len(digits) // 100):
                turn_as_known(number % POSITIONS, [number - place for place in range(length)])
        body = self.flow.body(self.outer)
        prove_negations(self.module, self.flow, body, self.table, lambda base: run.memory.whole_words(environment[base]))
        return f"{len(digits)} digits"

    def states_of_lists(self, turn):
        """Returns [(header, state)] for the digits of a list, up to the state that all further digits share. The states do not contain digit numbers."""
        row, met = 2 * self.shape.parts - 1, None
        for value in (1, -3):
            lists = [turn(7, [(slot, row, value) for slot in slots]) for slots in LISTS]
            found = []
            for slots, pair in zip(zip(*LISTS), zip(*lists)):
                (head, state), (other_head, other) = pair
                changing = {name for name in state if state[name] != other[name]}
                if head != other_head or any((state[name], other[name]) != slots for name in changing):
                    raise Unproven("the state of a further digit")
                for name in changing:
                    self.flow.require_address(name)
                found.append((head, {name: word for name, word in state.items() if name not in changing}))
            if met is not None and met != found:
                raise Unproven("what a digit's value leaves")
            met = found
        count = next(count for count in range(1, len(met) + 1) if all(state == met[count - 1] for state in met[count:]))
        if count > len(met) - 2:
            raise Unproven("no state that all further digits meet")
        return met[:count]


def loop_heads(flow):
    """Returns the header of the loop over the positions, and the headers of the loops over the digits. The loop over the positions calls `double`, and a loop
    over digits calls `addVarTime`. If the loop over the positions also calls `addVarTime` outside of these loops, it can add a second digit there. The loops
    that call `doubleAndAddVarTime` are then loops over digits too.
    """
    def heads(routine):
        found = {tuple(flow.heads_around(label)[-1:]) for label, block in flow.function.blocks.items() if calls(block, routine)}
        if not found or () in found:
            raise Unsupported("no loop around " + routine)
        return {head for (head,) in found}

    outer, over_digits = heads("JacobianPointV6double"), heads("JacobianPointV10addVarTime")
    only(outer, "loops over the positions")
    if outer & over_digits:
        over_digits = (over_digits | heads("JacobianPointV19doubleAndAddVarTime")) - outer
    return outer.pop(), over_digits


@dataclass
class Row(Claim):
    shape: Shape
    of = ("PrimeCurve.interleaveVarTime",)
    text = "the sum is Σ 2ⁱ·d·B_row; each digit's multiple, of its sign, within the tables"

    @property
    def name(self):
        return f"interleave {self.shape.curve_name} {self.shape.kind}<{self.shape.window}>"

    def first(self, module):
        span = "SpanVyAA06Affine"
        mark = {"point": "ScalarQz_AiA06Affine", "table": span, "whole": span, "bases": "InlineArrayVyqd__AA06Affine"}[self.shape.kind]
        curve = f"{self.shape.curve_name}D0O"
        names = [name for name in module.sources if all(part in name for part in ("doubleMultiplyVarTime", mark, curve))]
        names = [name for name in names if "19doubleAndAddVarTime" in module.sources[name]]
        return module.function(only(names, "functions are doubleMultiplyVarTime of " + self.name))

    def assumes(self, name):
        """Returns whether a routine has its own statement. The point routines and the computation of Q's multiples have statements."""
        return any(part in name for part in (*ROUTINES, "oddMultiples", "7descend", "OnOneZ", "FieldV1moi", "subtractingOnce", "InlineArrayV9repeating"))

    def reads(self, module):
        """Selects the loop of the function, and all instructions of called functions."""
        function = self.first(module)
        flow = Flow(function)
        loop = {id(instruction) for label in flow.body(loop_heads(flow)[0]) for instruction in function.blocks[label]}
        others = {id(instruction) for instruction in function.instructions} - loop
        return lambda label, instruction: id(instruction) not in others

    def prove(self, module):
        return Proof(module, self.first(module), self.shape).prove()


def rows():
    return [
        Row(Shape(*shape)) for shape in (
            ("P256", "point", 5, 256), ("P256", "table", 5, 32), ("P256", "bases", 4, 64),
            ("P384", "point", 5, 384), ("P384", "table", 5, 32), ("P384", "table", 8, 32),
        )
    ]


def embedded_rows():
    return [Row(Shape(curve, "whole", 5, bits, 5)) for curve, bits in (("P256", 256), ("P384", 384))]
