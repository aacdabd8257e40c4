"""Defines the tasks of `run.sh`, by name: statements, tests of the provers, comparisons."""

from __future__ import annotations  # required by PyPy 3.9, which also runs the mutants

import fnmatch
import functools
import importlib
import inspect
import io
import pathlib
import unittest
from dataclasses import dataclass, field

from proofs import places
from proofs.build.embedded import ADDRESS_BITS
from proofs.outcomes import REFUSALS
from proofs.soundness import mutate, point_values, random_programs, same_code
from proofs.statements import register, targets

RELEASE = "the release build"  # a name in `Task.needs`; every other name there is a target


class Failed(Exception):
    """A task failed; the message says why."""


@dataclass
class Task:
    name: str
    text: str
    run: object  # a function that returns the text to print, and raises if the task fails
    needs: tuple = ()
    file: str = ""
    of: tuple = ()
    trusts: tuple = ()
    takes_long: bool = False  # starts first if several tasks run concurrently
    claim: object = field(default=None, repr=False)

    def matches(self, pattern):
        """Returns whether a pattern matches the name of the task, or of a routine that the task covers."""
        return any(fnmatch.fnmatchcase(name, pattern) for name in (self.name, *self.of))


def of_claim(claim, key, directory=places.IR, needs=(RELEASE,)):
    def run():
        module = register.modules(directory)[key] if key else None
        try:
            said = claim.prove_fully(module)
            if key and directory == places.IR:
                claim.check_numbers(module, 10)
            return said
        except REFUSALS as e:
            raise Failed(f"{type(e).__name__}: {e}")

    file = str(pathlib.Path(inspect.getfile(type(claim))).relative_to(places.ROOT))
    return Task(claim.name, claim.text, run, needs if key else (), file, claim.of, claim.trusts, claim.name.startswith("recode"), claim)


def of_release():
    return [of_claim(claim, key) for key, found in register.RELEASE.items() for claim in found] + [of_claim(claim, None) for claim in register.OF_SOURCES]


def of_target(target):
    """Returns one task for each statement that is proven for a target."""
    return [
        of_claim(claim, key, places.TARGETS / target, (target,)) for key, found in register.OF_TARGETS[target].items() for claim in found
        if not register.left_out(target, claim)
    ]


def reported(check):
    """Runs a check that returns (faults, text to print); raises if there are faults."""
    wrong, said = check()
    if wrong:
        raise Failed("\n".join(wrong))
    return said


def compared():
    try:
        return same_code.report()
    except (same_code.Differs, same_code.machine_code.Unread) as e:
        raise Failed(f"not the code that ships: {e}")


def tested(module):
    output = io.StringIO()
    result = unittest.TextTestRunner(output, verbosity=0).run(unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(module)))
    if not result.wasSuccessful() or not result.testsRun:
        raise Failed(output.getvalue())
    return f"{result.testsRun} tests"


def of_soundness():
    found = []
    for path in sorted((pathlib.Path(__file__).parent / "soundness/wrong_programs").glob("test_*.py")):
        text = path.read_text()
        needs = (RELEASE,) if "places import IR" in text else tuple(ADDRESS_BITS) if "places import TARGETS" in text else ()
        module = "proofs.soundness.wrong_programs." + path.stem
        shows = text.split('"""')[1].split("\n")[0].rstrip(":")
        found.append(Task(path.stem, shows, functools.partial(tested, module), needs, str(path.relative_to(places.ROOT)), takes_long=bool(needs)))
    room = str(pathlib.Path(__file__).parent.relative_to(places.ROOT) / "soundness")
    return found + [
        Task("same code", "the proven IR is compiled to the instructions of the release build", compared, (RELEASE,), room + "/same_code.py"),
        Task("random programs", "the rules agree with an interpreter that knows poison", lambda: reported(random_programs.check), (), room + "/random_programs.py", takes_long=True),
        Task(
            "point values", "point routines on numbers agree with the source and with the group law",
            lambda: point_values.report(register.modules(places.IR)["PureECDSA"]), (RELEASE,), room + "/point_values.py", takes_long=True),
    ]


def of_targets():
    return [
        Task(
            target, "every statement is proven of Embedded Swift's IR, or left out with a reason", lambda target=target: reported(lambda: targets.check(target, mutate.notices)),
            (target,), str(pathlib.Path(inspect.getfile(targets)).relative_to(places.ROOT)), takes_long=True)
        for target in ADDRESS_BITS
    ]


def every():
    """Returns all tasks, in the order in which they are printed."""
    return of_soundness() + of_release() + of_targets()
