"""Proves from the IR how `ModularInversion.inverse` combines its parts, and therefore that x·result ≡ 1 mod m.

Initially, f = m, g = x, d = 0 and e = 1. A round uses the lowest `count` limbs of f and g. All higher limbs are 0, and |f|, |g| ≤ 2^(62·count). The proof shows
for each count:

* The words F and G of the division steps are f and g mod 2⁶⁴. `division_loop.py` describes how η and the counter continue.
* `inverse` calls `update` once, on d and e, with the matrix of the division steps. Nothing else in `inverse` changes d and e.
* f and g become (u·f + v·g)/2⁶² and (q·f + r·g)/2⁶² as integers. If the highest limbs of both f and g are 0 or −1, they are only signs. The code may
  then move these signs into the next lower limbs. After that, f and g need one limb fewer.
* Because |u| + |v| ≤ 2⁶², the new |f| is at most the greater of the old |f| and |g|, and so at most 2^(62·count). The same holds for the new |g|. A number
  whose highest limb is only a sign is at most 2^(62·(count − 1)).
* The code only increments the round counter and compares it with 18 (`division_loop.py`). So for each `count`, the proof runs a round with one value of the
  round counter.
* A further round follows unless all limbs of g are 0. So `inverse` returns only if g = 0. `rounds.py` proves that g = 0 after at most 18 rounds.
* `normalized` computes the result: the number in [0, m) that is congruent mod m to −d if f = −1, and to d otherwise. For x = 0 the result is 0.

Initially, d·x ≡ f and e·x ≡ g mod m. By the statements about `apply` and `update`, each round preserves both congruences. Because each matrix has determinant
2⁶² and f is odd, gcd(f, g) stays 1. So if g = 0, then f = ±1 and d·x ≡ ±1, and the result is the inverse of x.
"""

from dataclasses import dataclass

from proofs.claim import Claim, counted
from proofs.domains.polynomial import add, constant, number
from proofs.execution import wide_product
from proofs.execution.execute import paths
from proofs.execution.segments import Segment
from proofs.ir.loops import Flow
from proofs.ir.memory import Memory, Pointer
from proofs.outcomes import Unproven, only
from proofs.statements.inversion.division_loop import ROUNDS, DivisionLoop
from proofs.statements.inversion.matrices import MASK, MODULI, DivisionSteps, assume_divisible, memory, prepare, prove_normalized, require_applied

UPDATE = "ModularInversionV6update"


def moduli(module, limb_count):
    """Returns the moduli with `limb_count` limbs. In Embedded Swift, all four moduli have the same limb count."""
    return [m for count, found in MODULI.items() if count == limb_count or not DivisionSteps(count).names(module) for m in found]


def limbs_of_number(x, count):
    return [constant(x >> 62 * i & MASK if i < count - 1 else x >> 62 * i) for i in range(count)]


class Inverse:
    """Finds the parts of an `inverse` function, and runs the function to the first round."""

    def __init__(self, module, function, limb_count):
        self.function, self.limb_count = function, limb_count
        self.loop = DivisionLoop(module, function)
        self.update = only([i for i in function.blocks[self.loop.end] if i.op == "call" and UPDATE in i.args[0]], "calls of update")
        self.phis = function.phis(self.loop.rounds)
        self.words_of_g = {}  # round variable -> index of the word
        self.exits = set()  # pairs: (next block if g is 0, predecessor of that block)

    def count(self):
        """Returns the round variable that holds the number of limbs in use."""
        return only([i for i in self.phis if i.dest not in (self.loop.eta, self.loop.counter, *self.words_of_g)], "further variables of the rounds")

    def begin(self, run, x, modulus):
        """Returns (environment, question) at the first question, which asks whether g is 0."""
        self.result = Memory(8 * self.limb_count)
        self.self_memory = memory([*limbs_of_number(modulus, self.limb_count), constant(1)], read_only=True)
        arguments = [Pointer(self.result), Pointer(memory(x, read_only=True)), Pointer(self.self_memory)]
        environment = dict(zip(self.function.parameters, arguments))
        return environment, run.follow(self.function, environment, self.function.entry, None)

    def placed(self, run, modulus=None):
        """Returns the environment at the start of a round. The caller then stores the proof's numbers in the memory objects of this environment."""
        return enter_rounds(self, run, modulus or MODULI[self.limb_count][0][1])[1]

    def find_places(self, environment):
        """Finds the memory objects of d, e, f and g."""
        *matrix, d, e, own = [v for _, v in self.update.args[1]]
        self.d, self.e = environment[d].memory, environment[e].memory
        if environment[d].offset or environment[e].offset or environment[own].memory is not self.self_memory or environment[own].offset:
            raise Unproven("what update is called with")
        loaded = [i.args[1] for i in self.function.blocks[self.loop.entry] if i.op == "load"]
        allocated = {i.dest for i in self.function.instructions if i.op == "alloca"}
        self.f = only(list({id(environment[n].memory): environment[n].memory for n in loaded if n in environment}.values()), "numbers whose words are read")
        others = allocated & self.stored_in_rounds() - set(matrix)
        self.g = only([environment[n].memory for n in sorted(others) if environment[n].memory not in (self.f, self.d, self.e)], "further numbers of the rounds")

    def stored_in_rounds(self):
        """Returns the names of the base addresses at which the rounds store."""
        made = {i.dest: i for i in self.function.instructions if i.dest}
        found = set()
        for label in Flow(self.function).body(self.loop.rounds):
            for i in self.function.blocks[label]:
                if i.op == "store":
                    name = i.args[2]
                    while made[name].op == "getelementptr":
                        name = made[name].args[1]
                    found.add(name)
        return found

    @staticmethod
    def given_to_update(arguments):
        """Returns the entries of the matrix and the memory objects of the numbers. The matrix is passed as words or in memory."""
        *matrix, d, e, own = arguments
        if len(matrix) == 1 and not matrix[0].offset:
            matrix = matrix[0].memory.words(4)
        if any(place.offset for place in (d, e, own)):
            raise Unproven("what update is called with")
        return [*matrix, d.memory, e.memory, own.memory]


def equal(run, a, b, modulus=0):
    difference = run.algebra.normal(add(a, b, -1))
    return not {m: c for m, c in difference.items() if not modulus or c % modulus}


def enter_rounds(inverse, run, modulus):
    """Returns (x, environment, question, variables) at the beginning of the first round, for the limbs of an arbitrary x."""
    x = [{(run.algebra.symbol(f"x{i}", 0, MASK),): 1} for i in range(inverse.limb_count)]
    environment, (question, previous) = inverse.begin(run, x, modulus)
    if not isinstance(question, tuple):
        raise Unproven("g is not asked for")
    label, before = run.follow(inverse.function, environment, question[2], previous, (inverse.loop.rounds,))
    if label != inverse.loop.rounds:
        raise Unproven("no round")
    inverse.find_places(environment)
    return x, environment, question, run.arriving(inverse.function, label, before, environment)


def prove_begin(module, inverse):
    """Proves that rounds begin if and only if x ≠ 0. They begin with f = m, g = x, d = 0, e = 1, all limbs in use and counter 0. Their values then identify the
    round variables that are words of g.
    """
    count, modulus = inverse.limb_count, MODULI[inverse.limb_count][0][1]
    run = Segment(module)
    x, _, question, entering = enter_rounds(inverse, run, modulus)
    inverse.words_of_g = {name: x.index(v) for name, v in entering.items() if v in x}
    require_zero_question(question[0], x)
    if [m.words(count) for m in (inverse.f, inverse.g, inverse.d, inverse.e)] != [
        limbs_of_number(modulus, count), x, limbs_of_number(0, count), limbs_of_number(1, count)
    ]:
        raise Unproven("the numbers that the rounds begin with")
    check_variables(inverse, run, entering, count, 0)
    run = Segment(module)  # x = 0
    _, (label, _) = inverse.begin(run, limbs_of_number(0, count), modulus)
    if label is not None or inverse.result.words(count) != limbs_of_number(0, count):
        raise Unproven("the result for 0")


def require_zero_question(question, words):
    """Requires that the code tests whether all words are 0. The test may omit words whose known value is 0."""
    key = lambda part: tuple(sorted(part.items()))
    if {key(part) for part in question.parts} | {()} != {key(word) for word in words} | {()}:
        raise Unproven("which words are asked to be 0")


def check_variables(inverse, run, entering, count, rounds):
    """Checks the limb count, the round counter, and the words of g that are loop variables. `division_loop.py` checks η."""
    words = inverse.g.words(inverse.limb_count)
    for name, v in entering.items():
        if name == inverse.loop.eta:
            continue
        if name == inverse.loop.counter:
            if v != constant(rounds):
                raise Unproven("the number of rounds")
        elif name in inverse.words_of_g:
            if not equal(run, v, words[inverse.words_of_g[name]]):
                raise Unproven("a word of g")
        elif name != inverse.count().dest or v != constant(count):
            raise Unproven("the number of limbs in use")


def prove_round(module, inverse, count, rounds):
    """Proves one round; returns the number of paths."""
    found, top = 0, 1 << 62
    limb_count, loop, function = inverse.limb_count, inverse.loop, inverse.function

    def prepared(run):
        environment = inverse.placed(run)
        (f, g), (u, v, q, r) = prepare(run, count, top, "fg")
        zeros = [constant(0)] * (limb_count - count)
        for place, limbs in ((inverse.f, f), (inverse.g, g)):
            for i, limb in enumerate(limbs + zeros):
                place.store(8 * i, "i64", limb)
        assume_divisible(run, ((u, v), (q, r)), f, g)
        for i in inverse.phis:
            if i.dest in inverse.words_of_g:
                environment[i.dest] = (g + zeros)[inverse.words_of_g[i.dest]]
            elif i.dest == loop.counter:
                environment[i.dest] = constant(rounds)
            elif i.dest == loop.eta:
                environment[i.dest] = {(run.algebra.symbol("eta", -2000, 2000),): 1}
            else:
                environment[i.dest] = constant(count)
        run.given = loop.counted
        label, _ = run.follow(function, environment, loop.rounds, None, (loop.head,))
        if label != loop.head:
            raise Unproven("no division steps")
        for name, limbs in (("f", f), ("g", g)):
            word = run.operand(loop.words[name], environment)
            if not equal(run, word, number((limbs + zeros)[:2], 62), 1 << 64):
                raise Unproven(f"the word of {name}")
        for name, entry in zip(loop.matrix, (u, v, q, r)):
            environment[name] = entry
        environment[loop.last_eta] = {(run.algebra.symbol("last", -2000, 2000),): 1}
        run.given = {}
        calls, kept = [], (inverse.d.words(limb_count), inverse.e.words(limb_count))
        run.called = {UPDATE: lambda given: calls.append(inverse.given_to_update(given))}
        run.before_case = lambda: [inverse.f.words(limb_count), inverse.g.words(limb_count)]
        answer, previous = run.follow(function, environment, loop.end, None)
        if not isinstance(answer, tuple):
            raise Unproven("g is not asked for")
        if calls != [[u, v, q, r, inverse.d, inverse.e, inverse.self_memory]]:
            raise Unproven("what update is called with")
        if kept != (inverse.d.words(limb_count), inverse.e.words(limb_count)):
            raise Unproven("d or e")
        return environment, f, g, (u, v, q, r), answer, previous

    for run, (environment, f, g, (u, v, q, r), (question, if_zero, if_not), previous) in paths(module, prepared, wide_product.contracts(module), Segment):
        after = [m.words(limb_count) for m in (inverse.f, inverse.g)]
        before = run.cases[0][2] if run.cases else after
        removed = len(run.cases) == 2 and all(case in (0, -1) for _, case, _ in run.cases)
        left = count - 1 if removed else count
        expected = [list(words) for words in before]
        for words, (_, case, _) in zip(expected, run.cases if removed else ()):
            words[count - 2] = add(words[count - 2], constant(case << 62))
            words[count - 1] = constant(0)
        if not all(equal(run, a, b, 1 << 64) for wanted, words in zip(expected, after) for a, b in zip(wanted, words)):  # the words that are stored
            raise Unproven("the highest limb")
        for words, case in zip(before, [c for c, _, _ in run.cases] if removed else ()):
            if not equal(run, run.signed(run.unsigned_value(words[count - 1], 64), 64), case):
                raise Unproven("the limb that is asked for")
        if any(w != constant(0) for words in after for w in words[left:]):
            raise Unproven("a limb above those in use")
        require_zero_question(question, after[1])
        if if_not != loop.rounds:
            raise Unproven("what follows")
        inverse.exits.add((if_zero, previous))
        check_variables(inverse, run, run.arriving(function, loop.rounds, previous, environment), left, rounds + 1)
        for words, row in zip(before, ((u, v), (q, r))):
            require_applied(run, memory(words), limb_count, row, f, g)
        found += 1
    return found


def prove_end(module, inverse, count):
    """Proves the result from d, for f = 1 and f = −1 with `count` limbs in use."""
    found = 0
    for name, modulus, bits in moduli(module, inverse.limb_count):
        def called(run, limbs, negate):
            environment = inverse.placed(run, modulus)
            for i, limb in enumerate(limbs):
                inverse.d.store(8 * i, "i64", limb)
            for i, limb in enumerate(limbs_of_number(-1 if negate else 1, count) + [constant(0)] * (inverse.limb_count - count)):
                inverse.f.store(8 * i, "i64", limb)
            label, before = only(list(inverse.exits), "ends of the rounds")
            environment[inverse.count().value_from(before)] = constant(count)
            if run.follow(inverse.function, environment, label, before)[0] is not None:
                raise Unproven("no result")
            return inverse.result

        found += prove_normalized(module, inverse.limb_count, name, modulus, bits, called, Segment)
    return found


@dataclass
class Row(Claim):
    limb_count: int
    of = ("ModularInversion.inverse",)
    text = "F, G, d, e, f, g and their limbs from round to round; a result for g = 0 only, ±d for f = ±1"

    @property
    def name(self):
        return f"safegcd inverse<{self.limb_count}>"

    def first(self, module):
        return DivisionSteps(self.limb_count).first(module)

    def assumes(self, name):
        return UPDATE in name

    def reads(self, module):
        """Selects all instructions that the proof of the division steps does not cover. That proof also covers some instructions before the steps."""
        function = self.first(module)
        loop = DivisionLoop(module, function)
        steps = {id(i) for label in Flow(function).body(loop.head) for i in function.blocks[label]}
        steps |= {id(i) for label in loop.entering for i in function.blocks[label] if i.dest not in loop.joined}
        return lambda label, i: id(i) not in steps

    def prove(self, module):
        inverse, found = Inverse(module, self.first(module), self.limb_count), 0
        prove_begin(module, inverse)
        for count in range(1, self.limb_count + 1):
            found += prove_round(module, inverse, count, 0 if count % 2 else ROUNDS - 1)
        for count in range(1, self.limb_count + 1):
            found += prove_end(module, inverse, count)
        return counted(found)


def rows():
    return [Row(5), Row(7)]
