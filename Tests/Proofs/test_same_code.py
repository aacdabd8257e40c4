"""That `same_code.py` notices what it is for: test_same_code.py DIRECTORY, with the IR that it accepts.

Of the flags one is tried in every run; `--all` tries the others too (a minute each).
"""

import pathlib
import re
import sys
import tempfile
import unittest

import release
from ir import Module
from same_code import Differs, check, compare, compiled, shipped


def replacing(flag, other):
    return lambda arguments: [other if a == flag else a for a in arguments]


FLAGS = {"-Osize for -O": replacing("-O", "-Osize")}
MORE_FLAGS = {
    "-Ounchecked for -O": replacing("-O", "-Ounchecked"),
    "-Xcc -mbmi2 added": lambda arguments: [*arguments, "-Xcc", "-mbmi2"],
    "no frame pointers": lambda arguments: [*arguments, "-Xcc", "-fomit-frame-pointer"],
}


class SameCodeTests(unittest.TestCase):
    ir = None
    flags = FLAGS

    def test_a_changed_flag_is_noticed(self):
        for name, change in self.flags.items():
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
        cls.module = Module.read(cls.ir / "PureECDSA")
        cls.shipped, cls.tools = shipped()


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if "--all" in arguments:
        arguments.remove("--all")
        SameCodeTests.flags = FLAGS | MORE_FLAGS
    SameCodeTests.ir = pathlib.Path(arguments.pop(0)).resolve()
    unittest.main(argv=["test_same_code.py", *arguments])
