"""Finds the loops of an IR function, and the values that each block needs. Proofs split functions at loops."""

import functools

from proofs.outcomes import Unproven


def names_in(v):
    if isinstance(v, str):
        return {v} if v[:1] == "%" else set()
    return set().union(*map(names_in, v)) if isinstance(v, tuple) else set()


class Flow:
    def __init__(self, function):
        self.function = function
        blocks = function.blocks
        self.followers = {label: self._targets(block) for label, block in blocks.items()}
        self.before = {label: [l for l in blocks if label in self.followers[l]] for label in blocks}
        self.dominators = self._dominators()
        self.defined = {i.dest for block in blocks.values() for i in block if i.dest} | set(function.parameters)

    @staticmethod
    def _targets(block):
        last = block[-1]
        if last.op == "switch":
            return [last.args[2], *(label for _, label in last.args[3])]
        return list(last.args[1]) if last.op == "br" else []

    def _dominators(self):
        labels = self._reached(self.function.entry)
        found = {label: set(labels) for label in labels}
        found[self.function.entry] = {self.function.entry}
        changed = True
        while changed:
            changed = False
            for label in labels:
                if label == self.function.entry:
                    continue
                now = set.intersection(*(found[l] for l in self.before[label] if l in found)) | {label}
                if now != found[label]:
                    found[label], changed = now, True
        return found

    def _reached(self, label):
        seen, stack = [label], [label]
        while stack:
            for following in self.followers[stack.pop()]:
                if following not in seen:
                    seen.append(following)
                    stack.append(following)
        return seen

    def body(self, head):
        """Returns the natural loop of a header: the header, and all blocks that reach a back edge to the header without passing through the header."""
        inside = {head}
        stack = [l for l in self.dominators if head in self.followers[l] and head in self.dominators[l]]
        while stack:
            label = stack.pop()
            if label not in inside:
                inside.add(label)
                stack += [l for l in self.dominators if label in self.followers[l]]
        return inside

    def heads_around(self, label):
        """Returns the headers of the loops that contain a block, innermost last."""
        heads = [h for h in self.dominators[label] if any(h in self.followers[l] and h in self.dominators[l] for l in self.dominators)]
        return sorted((h for h in heads if label in self.body(h)), key=lambda h: len(self.dominators[h]))

    @functools.cached_property
    def live(self):
        """Returns {label: names that are live at the start of the block, including the block's own phis}."""
        uses, made = {}, {}
        for label, block in self.function.blocks.items():
            uses[label], made[label] = set(), set()
            for i in block:
                if i.op != "phi":
                    uses[label] |= (names_in(i.args) & self.defined) - made[label]
                    made[label] |= {i.dest} if i.dest else set()
        phis = {label: self.function.phis(label) for label in self.function.blocks}
        live = {label: set() for label in self.function.blocks}
        changed = True
        while changed:
            changed = False
            for label in reversed(list(live)):
                after = set()
                for following in self.followers[label]:
                    after |= live[following] - {i.dest for i in phis[following]}
                    after |= {v for i in phis[following] for v, l in i.args[1] if l == label and v in self.defined}
                now = uses[label] | (after - made[label])
                if now != live[label]:
                    live[label], changed = now, True
        return live

    def require_address(self, name):
        """Requires that a value is used only as an address index, possibly after a zext, add or sub."""
        for block in self.function.blocks.values():
            for i in block:
                if i.op != "phi" and name in names_in(i.args):
                    if i.op in ("zext", "add", "sub"):
                        self.require_address(i.dest)
                    elif i.op != "getelementptr" or i.args[1] == name:
                        raise Unproven("a use of a digit's number in the list: " + i.text)
