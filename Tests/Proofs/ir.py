"""Reading the textual LLVM IR that `swiftc -emit-ir` writes.

Every line of a function becomes one `Instruction`, or the reading stops: an instruction that the table below does not
know is an error (`Unsupported`), never skipped. What is dropped is listed in `IGNORED_CALLS` (markers without effect on
values) and in the metadata suffixes.
"""

from __future__ import annotations  # for PyPy 3.9, which runs the mutants too

import itertools
import pathlib
import re
from dataclasses import dataclass, field

import promises
from layout import Types
from promises import MORE, convention
from reading import Unsupported, split_arguments


@dataclass
class Instruction:
    op: str
    dest: str | None
    args: tuple
    text: str
    kind: str = ""  # of an extractvalue, the structure's type; of a call, its `convention`
    pointers: tuple = ()  # of a call, what it promises of addresses (`promises.of_pointers`)


@dataclass
class Function:
    name: str
    parameters: list
    blocks: dict = field(default_factory=dict)  # label -> [Instruction]
    entry: str = ""
    pointers: tuple = ()  # as of a call
    has_scopes: bool = False  # whether accesses are promised to be of different memory


# Metadata that promises nothing, or (`noalias`) what `corrections.py` refuses. What is broken of any other is undefined, and no rule asks for it.
METADATA = re.compile(r", !(?!(?:dbg|prof|llvm\.loop|alias\.scope|noalias) )")

# Calls that only inform the optimiser.
IGNORED_CALLS = ("@llvm.experimental.noalias.scope.decl",)

VALUE = r'(%"[^"]+"|%[\w.$-]+|@"[^"]+"|@[\w.$-]+|-?\d+|true|false|undef|poison|zeroinitializer)'
INT = r"i(\d+)"
VECTOR = r"<(\d+) x i(\d+)>"
ELEMENTS = r"(splat \(i\d+ -?\d+\)|<i\d+ [^<>]*>|" + VALUE[1:]  # what an operand that is a vector may be
BINARY = ("add", "sub", "mul", "sdiv", "shl", "lshr", "ashr", "and", "or", "xor")
FLAGS = r"((?:nuw|nsw|exact|disjoint|nneg|samesign|inbounds|inrange) )*"


def _last_value(text):
    """`ptr noalias dereferenceable(48) %4` -> (`ptr`, `%4`)."""
    is_vector = text.startswith("<")
    m = re.search((ELEMENTS if is_vector else VALUE) + r"$", text)
    if not m:
        raise Unsupported("argument: " + text)
    return text[: text.index(">") + 1] if is_vector else text.split()[0], m[1]


def parse_instruction(line):
    if METADATA.search(line):
        raise Unsupported("a promise: " + line.strip())
    body = text = re.sub(r"(, ![\w.]+ ![\w.]+)+$", "", line.strip())
    m = re.search(r", align (\d+)$", body)
    alignment = int(m[1]) if m else None
    body = body[: m.start()] if m else body
    body = re.sub(r" #\d+$", "", body)
    m = re.match(VALUE + r" = (.*)$", body)
    dest, rhs = (m[1], m[2]) if m else (None, body)
    op = rhs.split()[0]

    def made(*args, op=op):
        return Instruction(op, dest, args, text)

    if alignment is None and op in ("load", "store", "alloca"):  # it would be that of the type
        raise Unsupported("no alignment: " + text)
    if op in ("tail", "call", "notail", "musttail"):
        return _parse_call(rhs, dest, text)
    if op == "load":
        m = re.fullmatch(r"load (i\d+|ptr|<\d+ x i\d+>), ptr " + VALUE, rhs)
        if m:
            return made(m[1], m[2], alignment)
    elif op == "store":
        m = re.fullmatch(r"store (i\d+|ptr|<\d+ x i\d+>) " + ELEMENTS + ", ptr " + VALUE, rhs)
        if m:
            return made(m[1], m[2], m[3], alignment)
    elif op == "getelementptr":
        m = re.fullmatch(r"getelementptr ((?:inbounds |nuw |nusw )*)(\S+|%\"[^\"]+\"), ptr " + VALUE + r", i(?:32|64) " + VALUE, rhs)
        if m:
            return made(m[2], m[3], m[4], tuple(m[1].split()))
    elif op in BINARY:
        m = re.fullmatch(op + r" ((?:(?:nuw|nsw|exact|disjoint) )*)" + INT + " " + VALUE + ", " + VALUE, rhs)
        if m:
            return made(int(m[2]), m[3], m[4], tuple(m[1].split()))
        m = re.fullmatch(op + r" ((?:(?:nuw|nsw|exact|disjoint) )*)" + VECTOR + " " + ELEMENTS + ", " + ELEMENTS, rhs)
        if m:
            return made(m[4], m[5], op, int(m[2]), int(m[3]), tuple(m[1].split()), op="vector")
    elif op in ("inttoptr", "ptrtoint"):
        m = re.fullmatch(op + r" (i\d+|ptr) " + VALUE + r" to (i\d+|ptr)", rhs)
        if m:
            return made(m[1], m[2], m[3])
    elif op in ("zext", "sext", "trunc"):
        m = re.fullmatch(op + r" ((?:(?:nuw|nsw|nneg) )*)" + INT + " " + VALUE + " to " + INT, rhs)
        if m:
            return made(int(m[2]), m[3], int(m[4]), tuple(m[1].split()))
    elif op == "icmp":
        m = re.fullmatch(r"icmp (samesign )?(\w+) " + INT + " " + VALUE + ", " + VALUE, rhs)
        if m:
            return made(m[2], int(m[3]), m[4], m[5], ("samesign",) if m[1] else ())
    elif op == "select":
        m = re.fullmatch(r"select i1 " + VALUE + r", (i\d+|ptr|\{[^{}]*\}) " + VALUE + r", (?:i\d+|ptr|\{[^{}]*\}) " + VALUE, rhs)
        if m:
            return made(m[2], m[1], m[3], m[4])
        m = re.fullmatch(r"select <(\d+) x i1> " + VALUE + r", <\d+ x (i\d+)> " + VALUE + r", <\d+ x i\d+> " + VALUE, rhs)
        if m:
            return made(int(m[1]), m[2], m[3], m[4], m[5], op="vector_select")
    elif op == "insertelement":
        m = re.fullmatch(r"insertelement <(\d+) x (i\d+)> " + VALUE + r", i\d+ " + VALUE + r", i\d+ (\d+)", rhs)
        if m:
            return made(int(m[1]), m[2], m[3], m[4], int(m[5]))
    elif op == "shufflevector":  # the broadcast of element 0 only
        m = re.fullmatch(
            r"shufflevector <(\d+) x i\d+> " + VALUE + r", <\d+ x i\d+> poison, <\d+ x i32> zeroinitializer", rhs)
        if m:
            return made(int(m[1]), m[2])
        m = re.fullmatch(r"shufflevector <(\d+) x i\d+> " + VALUE + r", <\d+ x i\d+> " + VALUE + r", <\d+ x i32> <([^<>]*)>", rhs)
        if m:
            return made(int(m[1]), m[2], m[3], tuple(part.split()[1] for part in m[4].split(", ")), op="shuffle")
    elif op == "extractelement":
        m = re.fullmatch(r"extractelement <(\d+) x i\d+> " + VALUE + r", i\d+ (\d+)", rhs)
        if m:
            return made(m[2], int(m[3]))
    elif op == "freeze":
        m = re.fullmatch(r"freeze (i\d+) " + VALUE, rhs)
        if m:
            return made(m[1], m[2])
    elif op == "extractvalue":
        m = re.fullmatch(r"extractvalue (\{.*?\}) " + VALUE + r", (\d+)", rhs)
        if m:
            return Instruction(op, dest, (m[2], int(m[3])), text, m[1])
    elif op == "insertvalue":
        m = re.fullmatch(r"insertvalue (\{.*?\}) " + VALUE + r", (\w+) " + VALUE + r", (\d+)", rhs)
        if m:
            return made(m[1].count(",") + 1, m[2], m[3], m[4], int(m[5]))
    elif op == "phi":
        m = re.fullmatch(r"phi (i\d+|ptr|<\d+ x i\d+>|\{[^{}]*\}) (.*)", rhs)
        if m:
            pairs = re.findall(r"\[ " + VALUE + r", (%\"[^\"]+\"|%[\w.$-]+) \]", m[2])
            if ", ".join(f"[ {v}, {l} ]" for v, l in pairs) == m[2]:
                return made(m[1], tuple((v, l[1:]) for v, l in pairs))
    elif op == "br":
        m = re.fullmatch(r"br label %(.+)", rhs)
        if m:
            return made(None, (m[1],))
        m = re.fullmatch(r"br i1 " + VALUE + r", label (%\"[^\"]+\"|%[^,]+), label (%.+)", rhs)
        if m:
            return made(m[1], (m[2][1:], m[3][1:]))
    elif op == "switch":
        m = re.fullmatch(r"switch " + INT + " " + VALUE + r", label %(\S+) \[(.*)\]", rhs)
        if m:
            return made(int(m[1]), m[2], m[3], tuple(re.findall(r"i\d+ (-?\d+), label %(\S+)", m[4])))
    elif op == "ret":
        m = re.fullmatch(r"ret (void|\S+|\{.*\}) ?" + VALUE + "?", rhs)
        if m:
            return made(m[1], m[2])
    elif op == "alloca":
        return made(rhs[len("alloca ") :], alignment)
    elif op == "unreachable":
        return made()
    raise Unsupported(text)


def _parse_call(rhs, dest, text):
    m = re.match(r"(?:(?:tail|notail|musttail) )?call (.*)$", rhs)
    rest = m[1]
    if rest.startswith('void asm sideeffect "", "n"('):  # a marker with a number, before llvm.trap
        return Instruction("nop", dest, (), text)
    m = re.match(r".*? ?(@\"[^\"]+\"|@[\w.$-]+|%[\w.]+)\(", rest)
    if not m:
        raise Unsupported(text)
    callee = m[1]
    end = closing(rest, m.end() - 1)
    if rest[end + 1 :]:  # attributes, or what is assumed in brackets
        raise Unsupported("a promise: " + text)
    arguments = rest[m.end() : end]
    if callee.startswith(IGNORED_CALLS):
        return Instruction("nop", dest, (), text)
    before = rest[: m.start(1)]
    if "range(" in arguments or "range(" in before and (before.strip(), callee) != ("range(i64 0, 65) i64", "@llvm.cttz.i64"):
        raise Unsupported("a promise: " + text)
    args = [_last_value(a) for a in split_arguments(arguments)]
    if callee.startswith("@llvm.") and MORE.search(arguments):
        raise Unsupported("a promise: " + text)
    return Instruction("call", dest, (callee, tuple(args)), text, convention(rest[: m.start(1)], arguments), promises.of_pointers(arguments))


def closing(text, start):
    """The place of the bracket that closes the one at the start."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    raise Unsupported("brackets: " + text)


TERMINATORS = ("br", "ret", "switch", "unreachable")


def require_no_memory_in_tail_calls(function):
    """`tail` promises that what is called looks at no memory of its caller's own."""
    own = set()
    for i in (i for block in function.blocks.values() for i in block):
        if i.op == "alloca" or i.op == "getelementptr" and i.args[1] in own:
            own.add(i.dest)
        elif i.op == "call" and re.match(r"(\S+ = )?(must)?tail ", i.text) and any(name in own for _, name in i.args[1]):
            raise Unsupported("a tail call with memory of its caller: " + i.text)


def begin_dead(function):
    """An object whose lifetime is started somewhere has none before."""
    started = {i.args[1][-1][1] for block in function.blocks.values() for i in block if i.op == "call" and i.args[0].startswith("@llvm.lifetime.start")}
    for i in (i for block in function.blocks.values() for i in block if i.op == "alloca" and i.dest in started):
        i.args = (*i.args, True)


class Module:
    """The functions of the files of a module, read when they are asked for."""

    def __init__(self, *texts):
        self.sources = {}
        self.ambiguous = set()  # names that several files define
        self.files = {}  # function -> index of its text
        self.functions = {}
        self.arrays = {}  # name -> what `integers` found
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
        """The module of which the directory has the IR, a file for each source."""
        paths = sorted(pathlib.Path(directory).glob("*.ll"))
        module = cls(*(path.read_text() for path in paths))
        module.paths = paths
        return module

    def integers(self, name):
        """(the width, the numbers) of a constant array of integers."""
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
            self.functions[name] = made  # and not before: what is refused is refused again
        return self.functions[name]

    def _require_conventions(self, function):
        """That a function calls others of the module as they are defined."""
        for i in (i for block in function.blocks.values() for i in block if i.op == "call"):
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
        """What a definition promises of all that its function is given, in the words for a parameter."""
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
        for i in (i for block in function.blocks.values() for i in block if i.op == "getelementptr"):
            if self.address_bits == 64 and ", i32 %" in i.text:
                raise Unsupported("an index with a sign: " + i.text)

    def _header(self, name):
        """(what is before the name of a definition, its parameters, what is behind them)"""
        header = self.sources[name].partition("\n")[0]
        start = header.index(name) + len(name)
        depth, end = 0, start
        for end in range(start, len(header)):
            depth += {"(": 1, ")": -1}.get(header[end], 0)
            if depth == 0:
                break
        return header[: start - len(name)], header[start + 1 : end], header[end + 1 :]

    def _parse(self, name):
        lines = self.sources[name].split("\n")
        if "range(" in lines[0]:
            raise Unsupported("a promise: " + lines[0])
        parameters = [_last_value(p)[1] for p in split_arguments(self._header(name)[1])]
        function = Function(name, parameters)
        label = None
        remaining = iter(lines[1:-1])
        for line in remaining:
            line = line.rstrip()
            if line.endswith("["):  # the cases of a `switch`, a line each
                cases = itertools.takewhile(lambda case: not case.lstrip().startswith("]"), remaining)
                line += " ".join(case.strip() for case in cases) + "]"
            if not line or line.lstrip().startswith(";"):
                continue
            if line.lstrip().startswith("#dbg_"):  # what is told to a debugger
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
            function.blocks[label].append(parse_instruction(line))
        return function
