"""Changes programs for the tests in this folder, and requires that the proofs of the changed programs fail."""

import contextlib
import re
import unittest

from proofs.ir.module import Module
from proofs.outcomes import FAILURES, REFUSALS

DEBUGGING = re.compile(r", ![\w.]+ !\d+| +; preds = .*|\n +#dbg_.*")  # text that the patterns of the tests omit


class WrongPrograms(unittest.TestCase):
    refusals = REFUSALS

    def refused(self, prove, text, *changes):
        """Requires that the proof of a text fails after each of the changes (old part, new part)."""
        for old, new in changes:
            self.assertIn(old, text)
            with self.assertRaises(self.refusals, msg=f"{new} for {old}"):
                prove(text.replace(old, new))

    def refused_in(self, module, claims, changes, reason):
        """Requires that the proof of each claim fails with a message that matches `reason`, after all changes {function: [(line, replacement)]}."""
        with changed(module, changes):
            for claim in claims:
                with self.assertRaisesRegex(FAILURES, reason, msg=claim.name):
                    claim.prove(module)


def read(directory):
    """Reads a module without debug information."""
    module = Module.read(directory)
    module.sources.update({name: DEBUGGING.sub("", text) for name, text in module.sources.items()})
    return module


def replaced(text, lines):
    """Replaces each pattern once. A pattern that ends in `]` matches a label in phis, and the label is changed in all of these phis."""
    for pattern, other in lines:
        made = re.sub(pattern, other, text, count=pattern[-1] != "]")
        if made == text:
            raise LookupError("nothing is changed by " + pattern)
        text = made
    return text


@contextlib.contextmanager
def changed(module, changes):
    """Changes functions of a module for a while. The new lines may also be the text of a whole function."""
    sources = dict(module.sources)
    made = {name: lines if isinstance(lines, str) else replaced(sources[name], lines) for name, lines in changes.items()}
    try:
        module.sources.update(made)
        module.functions.clear()
        yield
    finally:
        module.sources.clear()
        module.sources.update(sources)
        module.functions.clear()
