"""Finds the loops of `ModularInversion.inverse` in its IR: the 62 division steps, and the rounds around them.

What the proof of a turn (`division_steps.py`) assumes of the loop is read here: how its variables begin, that at most ROUNDS rounds are
made, and that η begins as −1 and is handed from round to round. With the turn it follows, by induction:

* At the head the invariant holds for K = 1: (u, v) = (1, 0), (q, r) = (0, 1), f and g are the words F and G themselves, m = 0.
* |η| + left does not grow: a turn takes z from both, and at most changes the sign of η. A round so adds at most 62 to |η|, and |η| ≤ 1 + 62·ROUNDS
  throughout, far below what a word holds.
* After its first turn g is even when left > 0 (`limit` ≥ 1), so each further turn takes a step at least, and the loop ends after 63 turns at most.
"""

from ir import Unsupported
from outcomes import Unproven

ROUNDS = 18
STEPS = 62
LARGEST_ETA = 1 + STEPS * ROUNDS


def one(found, what):
    if len(found) != 1:
        raise Unsupported(f"{len(found)} of {what}")
    return found[0]


class DivisionLoop:
    def __init__(self, function):
        self.function = function
        self.head, self.entry = one(
            [(label, l) for label, block in function.blocks.items() for i in block if i.op == "phi" for v, l in i.args[1] if v == str(STEPS)],
            "loops of 62 steps")
        self.initial = {i.dest: next(v for v, l in i.args[1] if l == self.entry) for i in self.phis(self.head)}
        # Where the loop ends, `update` is called with the matrix.
        self.end, self.matrix = one(
            [(label, [v for _, v in i.args[1][:4]]) for label, block in function.blocks.items() for i in block
             if i.op == "call" and "ModularInversionV6update" in i.args[0]], "calls of update")
        self.find_rounds()
        self.name_variables()

    def phis(self, label):
        return [i for i in self.function.blocks[label] if i.op == "phi"]

    def find_rounds(self):
        """η is a variable of the rounds too: from −1, by what the steps leave. Their counter goes from 0 by 1, and at ROUNDS they trap."""
        function = self.function
        label, eta = one(
            [(label, i) for label in function.blocks for i in self.phis(label) if label != self.head and i.dest in self.initial.values()
             and any(v == "-1" for v, _ in i.args[1])], "variables that begin as −1")
        (_, before), (self.last_eta, again) = sorted(eta.args[1], key=lambda pair: pair[0] != "-1")
        self.eta, self.rounds = eta.dest, label
        increments = {i.dest: i.args[1] for block in function.blocks.values() for i in block if i.op == "add" and i.args[2] == "1"}
        self.counter = one(
            [i.dest for i in self.phis(label) if ("0", before) in i.args[1]
             and any(l == again and increments.get(v) == i.dest for v, l in i.args[1])], "counters of rounds")
        *_, test, branch = [i for i in function.blocks[label] if i.op != "nop"]
        if (test.op, test.args[:4]) != ("icmp", ("eq", 64, self.counter, str(ROUNDS))) or branch.args[0] != test.dest:
            raise Unproven("the number of rounds")
        if not any(i.op == "call" and i.args[0].startswith("@llvm.trap") for i in function.blocks[branch.args[1][0]]):
            raise Unproven("a round too many does not trap")
        if any(set(targets) & {label} for targets in self.targets(outside=(before, again))):
            raise Unproven("a third way into a round")

    def targets(self, outside):
        return [i.args[1] for label, block in self.function.blocks.items() if label not in outside for i in block if i.op == "br"]

    def name_variables(self):
        """Which phi is which variable: by its first value, and by what `update` is given unchanged."""
        by_value = {}
        for dest, v in self.initial.items():
            by_value.setdefault(v, []).append(dest)
        given = set(self.matrix)
        names = {
            "u": [d for d in by_value.get("1", ()) if d not in given], "r": [d for d in by_value.get("1", ()) if d in given],
            "v": [d for d in by_value.get("0", ()) if d not in given], "q": [d for d in by_value.get("0", ()) if d in given],
            "left": by_value.get(str(STEPS), []), "eta": by_value.get(self.eta, []),
        }
        words = [d for d, v in self.initial.items() if v not in ("0", "1", str(STEPS), self.eta)]
        # g is the one whose zeros are counted.
        counted = {v for i in self.function.blocks[self.head] if i.op == "or" for v in i.args[1:3]}
        names["g"], names["f"] = [d for d in words if d in counted], [d for d in words if d not in counted]
        self.variables = {name: one(found, "the variable " + name) for name, found in names.items()}
        if sorted(self.variables.values()) != sorted(self.initial):
            raise Unsupported("further variables of the loop")
