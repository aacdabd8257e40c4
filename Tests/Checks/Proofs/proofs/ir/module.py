"""Reads the functions of a module from the textual LLVM IR that `swiftc -emit-ir` writes.

`Module.read(directory).function(name)` returns a `Function` with parameters and blocks. Each block is a list of instructions (`instructions.py`). The parser
verifies or rejects promises about functions, calls and addresses (`promises.py`).
"""

from __future__ import annotations  # required by PyPy 3.9, which also runs the mutants

import itertools
import pathlib
import re
from dataclasses import dataclass, field

from proofs.ir import promises
from proofs.ir.instructions import last_value, parse_instruction
from proofs.ir.layout import Types
from proofs.ir.promises import MORE, convention
from proofs.ir.reading import closing, split_arguments
from proofs.outcomes import Unsupported


@dataclass
class Function:
    name: str
    parameters: list
    blocks: dict = field(default_factory=dict)  # label -> [Instruction]
    entry: str = ""
    pointers: tuple = ()  # as in `Instruction`
    apart: tuple = ()  # the positions of `noalias` parameters
    has_scopes: bool = False  # whether the IR promises that accesses are disjoint

    @property
    def instructions(self):
        return [i for block in self.blocks.values() for i in block]

    def phis(self, label):
        return [i for i in self.blocks[label] if i.op == "phi"]


TERMINATORS = ("br", "ret", "switch", "unreachable")


def require_no_memory_in_tail_calls(function):
    """Checks the promise of `tail` that the callee does not access its caller's own memory."""
    own, further = set(), {i.dest for i in function.instructions if i.op == "alloca"}
    while further:
        own |= further
        further = {i.dest for i in function.instructions if i.op == "getelementptr" and i.args[1] in own} - own
    for i in function.instructions:
        if i.op == "call" and re.search(r"(^| = )(must)?tail call ", i.text) and any(name in own for _, name in i.args[1]):
            raise Unsupported("a tail call with memory of its caller: " + i.text)


def begin_dead(function):
    """Marks each object that has a lifetime marker as dead until its lifetime starts."""
    started = {i.args[1][-1][1] for i in function.instructions if i.op == "call" and i.args[0].startswith("@llvm.lifetime.start")}
    for i in (i for i in function.instructions if i.op == "alloca" and i.dest in started):
        i.args = (*i.args, True)


class Module:
    """The functions of a module's files, read on demand."""

    def __init__(self, *texts):
        self.sources = {}
        self.ambiguous = set()  # names that several files define
        self.files = {}  # function -> index of its text
        self.functions = {}
        self.arrays = {}  # name -> result of `integers`
        self.address_bits = 32 if any(re.search(r'^target datalayout = "[^"]*-p:32:32', text, re.M) for text in texts) else 64
        self.types, self.texts = Types(texts, self.address_bits // 8), texts
        for index, text in enumerate(texts):
            for m in re.finditer(r"^define .*?^\}", text, re.M | re.S):
                name = re.search(r"(@\"[^\"]+\"|@[\w.$-]+)\(", m[0])[1]
                if name in self.sources:
                    self.ambiguous.add(name)
                self.sources[name] = m[0]
                self.files[name] = index

    @classmethod
    def read(cls, directory):
        paths = sorted(pathlib.Path(directory).glob("*.ll"))
        module = cls(*(path.read_text() for path in paths))
        module.paths = paths
        return module

    def integers(self, name):
        """Returns (width, numbers) of a constant array of integers."""
        if name not in self.arrays:
            self.arrays[name] = self._integers(name)
        return self.arrays[name]

    def _integers(self, name):
        found = {m[1] for text in self.texts for m in re.finditer("^" + re.escape(name) + r" = .*?\bconstant (.*)$", text, re.M)}
        if len(found) != 1:
            raise Unsupported(f"{len(found)} constants are called {name}")
        initial = re.sub(r"(, (section|comdat|align|!\w+)\b[^,]*)+$", "", found.pop())
        elements = re.findall(r"<\{ i(\d+) (-?\d+) \}>", initial)
        widths = {int(width) for width, _ in elements}
        if len(widths) != 1 or len(elements) * widths.copy().pop() // 8 != self.types.size(initial[: initial.index(" <{")]):
            raise Unsupported("the constant " + name)
        (width,) = widths
        return width, [int(v) % (1 << width) for _, v in elements]

    def function(self, name):
        if name not in self.functions:
            if name not in self.sources or name in self.ambiguous:
                raise Unsupported("call of " + name)
            made = self._parse(name)
            self._require_conventions(made)
            self._require_promises(made)
            begin_dead(made)
            require_no_memory_in_tail_calls(made)
            self.functions[name] = made  # stored after the checks, so that a later call rejects the function again if a check fails
        return self.functions[name]

    def _require_conventions(self, function):
        """Requires that each call of a function of the module matches the function's definition."""
        for i in (i for i in function.instructions if i.op == "call"):
            group = re.search(r" (#\d+)$", i.text)
            given = self._attributes(function.name, group and group[1])
            if i.args[0] not in self.sources:
                if "memory(" in given:
                    raise Unsupported("a promise: " + i.text)
                continue
            if i.kind != convention(*self._header(i.args[0])[:2]):
                raise Unsupported("a call that is not as its function is defined: " + i.text)
            start = i.text.index(i.args[0]) + len(i.args[0]) + 1
            arguments, parameters = (split_arguments(text) for text in (i.text[start : i.text.rindex(")")], self._header(i.args[0])[1]))
            if any(set(MORE.findall(argument)) - set(MORE.findall(parameter)) for argument, parameter in zip(arguments, parameters)):
                raise Unsupported("a promise: " + i.text)
            if promises.of_memory(given) not in ("", self._of_memory(i.args[0])):
                raise Unsupported("a promise: " + i.text)

    def _of_memory(self, name):
        """Returns a definition's promises about the memory of all arguments, in the form of parameter attributes."""
        behind = promises.BEHIND.fullmatch(self._header(name)[2])
        if behind is None or promises.REPLACED.match(self.sources[name]):
            raise Unsupported("a definition: " + self.sources[name].partition("\n")[0])
        return promises.of_memory(self._attributes(name, behind[1]))

    def _attributes(self, name, group):
        return promises.attributes(self.texts[self.files[name]], group) if group else ""

    def _require_promises(self, function):
        parameters = self._header(function.name)[1]
        promises.require_kept(function, parameters, self._of_memory(function.name), lambda name: name in self.sources and self._header(name)[1])
        function.pointers = promises.of_pointers(parameters)
        function.apart = tuple(n for n, p in enumerate(split_arguments(parameters)) if re.search(r"\bnoalias\b", p))
        for i in (i for i in function.instructions if i.op == "getelementptr"):
            if self.address_bits == 64 and ", i32 %" in i.text:
                raise Unsupported("an index with a sign: " + i.text)

    def _header(self, name):
        """Returns three parts of a definition: (text before the name, parameters, text after the parameters)."""
        header = self.sources[name].partition("\n")[0]
        start = header.index(name) + len(name)
        end = closing(header, start)
        return header[: start - len(name)], header[start + 1 : end], header[end + 1 :]

    def _parse(self, name):
        lines = self.sources[name].split("\n")
        if "range(" in lines[0]:
            raise Unsupported("a promise: " + lines[0])
        parameters = [last_value(p)[1] for p in split_arguments(self._header(name)[1])]
        function = Function(name, parameters)
        label = None
        remaining = iter(lines[1:-1])
        for line in remaining:
            line = line.rstrip()
            if line.endswith("["):  # the cases of a `switch`, one per line
                cases = itertools.takewhile(lambda case: not case.lstrip().startswith("]"), remaining)
                line += " ".join(case.strip() for case in cases) + "]"
            if not line or line.lstrip().startswith(";"):
                continue
            if line.lstrip().startswith("#dbg_"):  # debug information
                if line[closing(line, line.index("(")) + 1 :]:
                    raise Unsupported(line)
                continue
            function.has_scopes |= ", !noalias " in line
            m = re.match(r"(\"[^\"]+\"|[\w.$-]+):", line)
            if m:
                label = m[1]
                if label in function.blocks or line[m.end() :].strip()[:1] not in ("", ";"):
                    raise Unsupported("a label: " + line)
                function.blocks[label] = []
                function.entry = function.entry or label
                continue
            if label is None:
                label = function.entry = "entry"
                function.blocks[label] = []
            elif function.blocks[label] and function.blocks[label][-1].op in TERMINATORS:
                raise Unsupported("a block without a label: " + line)
            made, location = parse_instruction(line), re.search(r", !dbg !(\d+)", line)
            made.location = location and location[1]
            function.blocks[label].append(made)
        return function
