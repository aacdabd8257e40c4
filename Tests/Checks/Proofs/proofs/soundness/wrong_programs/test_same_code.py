"""Tests that `same_code.py` detects a changed compiler flag, and changed instructions.

The test tries one flag. If the environment variable PROOFS_ALL_FLAGS is set, the test tries all flags, which takes a
minute for each flag.
"""

import os
import pathlib
import re
import sys
import tempfile
import unittest

from proofs.build import release
from proofs.ir.module import Module
from proofs.places import IR
from proofs.soundness.same_code import Differs, check, compare, compiled, shipped


def replacing(flag, other):
    return lambda arguments: [other if a == flag else a for a in arguments]


FLAGS = {
    "-Osize for -O": replacing("-O", "-Osize"),
    "-Ounchecked for -O": replacing("-O", "-Ounchecked"),
    "-Xcc -mbmi2 added": lambda arguments: [*arguments, "-Xcc", "-mbmi2"],
    "no frame pointers": lambda arguments: [*arguments, "-Xcc", "-fomit-frame-pointer"],
}


class SameCodeTests(unittest.TestCase):
    def test_a_changed_flag_is_noticed(self):
        for name, change in list(FLAGS.items())[: None if "PROOFS_ALL_FLAGS" in os.environ else 1]:
            with self.subTest(name), tempfile.TemporaryDirectory() as directory:
                release.emit_with_drivers(pathlib.Path(directory), change)
                with self.assertRaises((Differs, SystemExit)) as caught:
                    check("PureECDSA", Module.read(directory))
                print(f"{name}: {caught.exception}"[:200], file=sys.stderr)

    def test_a_changed_instruction_is_noticed(self):
        for routine, line, other in (
            ("FieldV10addingOnce", r"= add i64 (\S+), ", r"= sub i64 \1, "),
            ("FieldV7squared", r"(= mul nuw i128 %\w+, )%\w+", r"\g<1>3"),
            ("P256FieldV1moi", r"= add i64 (\S+), ", r"= sub i64 \1, "),
        ):
            with self.subTest(routine), tempfile.TemporaryDirectory() as output:
                (name,) = [n for n in self.module.sources if routine in n and "P256" in n]
                source, path = self.module.sources[name], self.module.paths[self.module.files[name]]
                changed = re.sub(line, other, source, count=1)
                self.assertNotEqual(changed, source)
                ir = pathlib.Path(output) / path.name
                ir.write_text(path.read_text().replace(source, changed))
                ours = compiled(self.tools, [ir], output)
                symbol = name[1:].strip('"')
                compare([symbol], compiled(self.tools, [path], output), self.shipped, required=())
                with self.assertRaisesRegex(Differs, routine):
                    compare([symbol], ours, self.shipped, required=())

    @classmethod
    def setUpClass(cls):
        cls.module = Module.read(IR / "PureECDSA")
        cls.shipped, cls.tools = shipped()
