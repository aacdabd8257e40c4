"""Finds two nested loops in the IR of `ModularInversion.inverse`: the 62 division steps, and the rounds around these steps.

The proof of an iteration (`division_steps.py`) makes assumptions about the loop, which this module proves. The assumptions concern the initial values of the
loop variables, and the maximum of ROUNDS rounds. They also state that η starts as −1, and that each round starts with the η of the previous round. By induction
over the iterations:

* When the loop first reaches the header, the invariant holds with K = 1: (u, v) = (1, 0), (q, r) = (0, 1), f = F, g = G and m = 0.
* |η| + left does not grow, because an iteration subtracts z from η and from `left`, and then may only change the sign of η. A round therefore adds at most 62
  to |η|. So |η| ≤ 1 + 62·ROUNDS always holds, and this bound is far below the limit of a word.
* If left > 0 after an iteration, then g is even, because `limit` ≥ 1. Therefore each iteration after the first makes at least one step, and the loop ends after
  at most 63 iterations.

Compilers emit the loop in one of two forms. In the first form, the loop variables are the state at the loop header. In the second form, the code counts the
trailing zeros of g before the header. The count z is then also a loop variable, and η − z, g/2ᶻ, 2ᶻ·u and 2ᶻ·v replace η, g, u and v. The IR may contain the
same variable more than once.
"""

from proofs.domains.polynomial import without
from proofs.execution.division_run import DivisionRun
from proofs.execution.division_values import Data, Difference, Halved, Range, Word, Zeros, data
from proofs.ir.loops import Flow, names_in
from proofs.outcomes import Unproven, Unsupported, only

ROUNDS = 18
STEPS = 62
LARGEST_ETA = 1 + STEPS * ROUNDS


class DivisionLoop:
    def __init__(self, module, function):
        self.module, self.function = module, function
        self.head, self.entry = only(
            [(label, l) for label, block in function.blocks.items() for i in block if i.op == "phi" for v, l in i.args[1] if v == str(STEPS)],
            "loops of 62 steps")
        self.find_end()
        self.find_rounds()
        self.enter()

    def find_end(self):
        """Finds the block after the loop. This block calls `update`, and passes the matrix as four words or as the address of four stored words."""
        self.end, arguments = only(
            [(label, i.args[1]) for label, block in self.function.blocks.items() for i in block
             if i.op == "call" and "ModularInversionV6update" in i.args[0]], "calls of update")
        kinds = [kind for kind, _ in arguments]
        if kinds == ["i64"] * 4 + ["ptr"] * 3:
            self.matrix = [name for _, name in arguments[:4]]
        elif kinds == ["ptr"] * 4:
            self.matrix = self.stored(arguments[0][1])
        else:
            raise Unsupported("what update is called with")

    def stored(self, pointer):
        """Returns the words that the block after the loop stores at an address."""
        made = {i.dest: i.args for i in self.function.instructions if i.op == "getelementptr"}
        places = {pointer: 0} | {dest: int(index) for dest, (element, base, index, _) in made.items() if (element, base) == ("i8", pointer)}
        words = {places[i.args[2]]: i.args[1] for i in self.function.blocks[self.end] if i.op == "store" and i.args[2] in places}
        if sorted(words) != [0, 8, 16, 24]:
            raise Unsupported("where the matrix is stored")
        return [words[place] for place in sorted(words)]

    def find_rounds(self):
        """Finds the loop of rounds, its variable η and its counter. In the first round, η starts as −1. In each later round, η starts as its value after the
        division steps of the previous round. The counter starts at 0, and the code traps when the counter reaches ROUNDS. The code does nothing else with the
        counter. So a round does the same for every value of the counter, and `inverse.py` need not run every value.
        """
        function = self.function
        around = [label for label in Flow(function).dominators[self.head] if label != self.head]
        label, eta = only([(label, i) for label in around for i in function.phis(label) if any(v == "-1" for v, _ in i.args[1])], "variables that begin as −1")
        (_, before), (self.last_eta, again) = sorted(eta.args[1], key=lambda pair: pair[0] != "-1")
        self.eta, self.rounds = eta.dest, label
        increments = {i.dest: i.args[1] for i in function.instructions if i.op == "add" and i.args[2] == "1"}
        counter = only(
            [i for i in function.phis(label) if ("0", before) in i.args[1]
             and any(l == again and increments.get(v) == i.dest for v, l in i.args[1])], "counters of rounds")
        self.counter, bits = counter.dest, int(counter.args[0][1:])
        *_, test, branch = [i for i in function.blocks[label] if i.op != "nop"]
        if (test.op, test.args[:4]) != ("icmp", ("eq", bits, self.counter, str(ROUNDS))) or branch.args[0] != test.dest:
            raise Unproven("the number of rounds")
        if not any(i.op == "call" and i.args[0].startswith("@llvm.trap") for i in function.blocks[branch.args[1][0]]):
            raise Unproven("a round too many does not trap")
        following = counter.value_from(again)
        users = {id(i) for i in function.instructions if names_in(i.args) & {self.counter, following}}
        if users != {id(counter), id(test), *(id(i) for i in function.instructions if i.dest == following)}:
            raise Unproven("another use of the number of rounds")
        if any(set(targets) & {label} for targets in self.targets(outside=(before, again))):
            raise Unproven("a third way into a round")

    def targets(self, outside):
        return [i.args[1] for label, block in self.function.blocks.items() if label not in outside for i in block if i.op == "br"]

    def enter(self):
        """Runs from the start of a round to the loop. Identifies the loop variables by their initial values. f and g become words."""
        run = DivisionRun(self.module)
        eta = Range(-LARGEST_ETA, LARGEST_ETA)
        environment = {i.dest: Word({(i.dest, 0)}) for i in self.function.phis(self.rounds)} | {self.counter: Range(0, ROUNDS - 1), self.eta: eta}
        label, before = run.run(self.function, environment, self.rounds, None, (self.head,))
        if (label, before) != (self.head, self.entry):
            raise Unproven("the way into the loop")
        values = run.arriving(self.function, self.head, before, environment)
        self.name_variables(values)
        state = self.state(values)
        self.words = {name: only([n for n, v in environment.items() if v is state[name]], "the word " + name) for name in "fg"}
        if state["eta"] is not eta or state["left"] != STEPS or [data(state[name]).polynomial for name in "uvqr"] != [{(): 1}, {}, {}, {(): 1}]:
            raise Unproven("how the loop begins")
        self.entering = {label for function, label in run.visited if function == self.function.name}
        self.counted = self.depending_on_zeros(environment)
        self.joined = {n for n, v in environment.items() if isinstance(v, Word)}  # the values from which F and G are computed
        self.visited = run.visited

    def depending_on_zeros(self, environment):
        """Returns {name: number or None} for the values that are computed before the loop and depend on the count of zeros."""
        found = {n: None for n, v in environment.items() if isinstance(v, Zeros)}
        before = None
        while before != len(found):
            before = len(found)
            for label in self.entering:
                for i in self.function.blocks[label]:
                    if i.dest and i.op != "phi" and names_in(i.args) & found.keys():
                        found[i.dest] = environment[i.dest] if isinstance(environment[i.dest], int) else None
        return found

    def name_variables(self, values):
        """Identifies the loop variables by their initial values. If a guess is wrong, the proof of an iteration or of F and G (`inverse.py`) fails."""
        kinds = {}  # kind of initial value -> variables that are not passed to `update`
        for name, v in values.items():
            if name not in self.matrix:
                kinds.setdefault(v if isinstance(v, int) else type(v), []).append(name)
        self.counts_before = Zeros in kinds
        given = dict(zip("uvqr", self.matrix))
        if self.counts_before:
            self.variables = {name: [given[name]] for name in "uvqr"} | {"zeros": kinds[Zeros], "g": kinds.get(Halved, []), "f": kinds.get(Word, [])}
            self.variables |= {"eta": kinds.get(tuple, [])}
        else:
            joined = {v for label in Flow(self.function).body(self.head) for i in self.function.blocks[label] if i.op == "or" for v in i.args[1:3]}
            words = kinds.get(Word, [])
            self.variables = {"u": kinds.get(1, []), "v": kinds.get(0, []), "q": [given["q"]], "r": [given["r"]], "eta": kinds.get(Range, [])}
            # g is the word that the code combines with the stop bits by `or` (`Stopped`)
            self.variables |= {"g": [n for n in words if n in joined], "f": [n for n in words if n not in joined]}
        self.variables["left"] = kinds.get(STEPS, [])
        if sorted(n for names in self.variables.values() for n in names) != sorted(values) or not all(self.variables.values()):
            raise Unsupported("other variables of the loop")

    def environment(self, state, zeros, eta):
        """Returns the loop variables in a state. If the loop counts zeros before the header, `eta` is the value of η − z."""
        if self.counts_before:
            shifted = {name: Data({(zeros.power, name): 1}) for name in "uv"}
            state = state | shifted | {"g": zeros.quotient, "zeros": zeros, "eta": (eta, 0)}
        return {name: state[variable] for variable, names in self.variables.items() for name in names}

    def state(self, values):
        found = {}
        for variable, names in self.variables.items():
            first, *others = [values[name] for name in names]
            if not all(same(first, other) for other in others):
                raise Unproven("two forms of " + variable)
            found[variable] = first
        if not self.counts_before:
            return found
        zeros, g, (eta, overflow) = found.pop("zeros"), found["g"], found["eta"]
        if not (isinstance(zeros, Zeros) and isinstance(g, Halved) and isinstance(eta, Difference)):
            raise Unproven("what is counted")
        if zeros.stop != found["left"] or g.zeros is not zeros or eta.zeros is not zeros or overflow:
            raise Unproven("other zeros")
        return found | {"g": g.word, "eta": eta.number} | {name: divided(data(found[name]), zeros.power) for name in "uv"}


def same(left, right):
    return left is right or isinstance(left, Data) and isinstance(right, Data) and left.polynomial == right.polynomial


def divided(word, power):
    """Undoes the shift of a word by the count of zeros."""
    if not all(power in monomial for monomial in word.polynomial):
        raise Unproven("a row that is not shifted")
    return Data({without(monomial, power): c for monomial, c in word.polynomial.items()})
