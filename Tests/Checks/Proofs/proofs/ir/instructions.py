"""Parses one line of a function in textual LLVM IR as an `Instruction`.

`%4 = add nuw i64 %2, %3` becomes `Instruction("add", "%4", (64, "%2", "%3", ("nuw",)), …)`. If a line matches no pattern below, the parser raises
`Unsupported`. The parser drops the calls in `IGNORED_CALLS`, markers that do not affect values, and metadata at the end of a line.
"""

from __future__ import annotations  # required by PyPy 3.9, which also runs the mutants

import copy
import functools
import re
from dataclasses import dataclass

from proofs.ir import promises
from proofs.ir.promises import MORE, convention
from proofs.ir.reading import closing, split_arguments
from proofs.outcomes import Unsupported


@dataclass
class Instruction:
    op: str
    dest: str | None
    args: tuple
    text: str
    kind: str = ""  # for extractvalue, the structure's type; for a call, its `convention`
    pointers: tuple = ()  # for a call, its promises about addresses (`promises.of_pointers`)
    location: str | None = None  # the number of its source location in the debug information

    def value_from(self, label):
        """Returns the value that a phi takes from a block."""
        return next(value for value, source in self.args[1] if source == label)


# Matches metadata whose kind is not listed here. The parser rejects such metadata, because no rule checks its promises. The listed kinds promise nothing,
# except `noalias`, which `corrections.py` rejects.
METADATA = re.compile(r", !(?!(?:dbg|prof|llvm\.loop|alias\.scope|noalias) )")

# Calls that only give information to the optimiser.
IGNORED_CALLS = ("@llvm.experimental.noalias.scope.decl",)

VALUE = r'(%"[^"]+"|%[\w.$-]+|@"[^"]+"|@[\w.$-]+|-?\d+|true|false|undef|poison|zeroinitializer)'
INT = r"i(\d+)"
VECTOR = r"<(\d+) x i(\d+)>"
ELEMENTS = r"(splat \(i\d+ -?\d+\)|<i\d+ [^<>]*>|" + VALUE[1:]  # a vector operand
FLAGS, FLAGS_OF_WIDTHS = r"((?:(?:nuw|nsw|exact|disjoint) )*)", r"((?:(?:nuw|nsw|nneg) )*)"
NUMBERS, ACCESSED, STRUCTURE = r"<\d+ x i\d+>", r"(i\d+|ptr|<\d+ x i\d+>)", r"\{[^{}]*\}"


def phi(m, alignment):
    pairs = re.findall(rf"\[ {VALUE}, (%\"[^\"]+\"|%[\w.$-]+) \]", m[2])
    return (m[1], tuple((v, l[1:]) for v, l in pairs)) if ", ".join(f"[ {v}, {l} ]" for v, l in pairs) == m[2] else None


# operation -> [(pattern of the instruction, the arguments of the `Instruction` for a match and an alignment, its operation if it is a different one)]
FORMS = {
    "load": [(rf"load {ACCESSED}, ptr {VALUE}", lambda m, alignment: (m[1], m[2], alignment))],
    "store": [(rf"store {ACCESSED} {ELEMENTS}, ptr {VALUE}", lambda m, alignment: (m[1], m[2], m[3], alignment))],
    "alloca": [(r"alloca (.*)", lambda m, alignment: (m[1], alignment))],
    "getelementptr": [
        (rf"getelementptr ((?:inbounds |nuw |nusw )*)(\S+|%\"[^\"]+\"), ptr {VALUE}, i(?:32|64) {VALUE}", lambda m, _: (*m.groups()[1:], tuple(m[1].split()))),
    ],
    **{op: [
        (rf"{op} {FLAGS}{INT} {VALUE}, {VALUE}", lambda m, _: (int(m[2]), m[3], m[4], tuple(m[1].split()))),
        (rf"({op}) {FLAGS}{VECTOR} {ELEMENTS}, {ELEMENTS}", lambda m, _: (m[5], m[6], m[1], int(m[3]), int(m[4]), tuple(m[2].split())), "vector"),
    ] for op in ("add", "sub", "mul", "sdiv", "shl", "lshr", "ashr", "and", "or", "xor")},
    **{op: [(rf"{op} (i\d+|ptr) {VALUE} to (i\d+|ptr)", lambda m, _: m.groups())] for op in ("inttoptr", "ptrtoint")},
    **{op: [
        (rf"{op} {FLAGS_OF_WIDTHS}{INT} {VALUE} to {INT}", lambda m, _: (int(m[2]), m[3], int(m[4]), tuple(m[1].split()))),
    ] for op in ("zext", "sext", "trunc")},
    "icmp": [(rf"icmp ((?:samesign )?)(\w+) {INT} {VALUE}, {VALUE}", lambda m, _: (m[2], int(m[3]), m[4], m[5], tuple(m[1].split())))],
    "select": [
        (rf"select i1 {VALUE}, (i\d+|ptr|{STRUCTURE}) {VALUE}, (?:i\d+|ptr|{STRUCTURE}) {VALUE}", lambda m, _: (m[2], m[1], m[3], m[4])),
        (rf"select <(\d+) x i1> {VALUE}, <\d+ x (i\d+)> {VALUE}, {NUMBERS} {VALUE}", lambda m, _: (int(m[1]), *m.groups()[1:]), "vector_select"),
    ],
    "insertelement": [
        (rf"insertelement <(\d+) x (i\d+)> {VALUE}, i\d+ {VALUE}, i\d+ (\d+)", lambda m, _: (int(m[1]), m[2], m[3], m[4], int(m[5]))),
    ],
    "shufflevector": [  # copies element 0 to all elements
        (rf"shufflevector <(\d+) x i\d+> {VALUE}, {NUMBERS} poison, <\d+ x i32> zeroinitializer", lambda m, _: (int(m[1]), m[2])),
    ],
    "freeze": [(rf"freeze (i\d+) {VALUE}", lambda m, _: m.groups())],
    "extractvalue": [(rf"extractvalue (\{{.*?\}}) {VALUE}, (\d+)", lambda m, _: (m[2], int(m[3])))],
    "insertvalue": [(rf"insertvalue (\{{.*?\}}) {VALUE}, (\w+) {VALUE}, (\d+)", lambda m, _: (m[1].count(",") + 1, m[2], m[3], m[4], int(m[5])))],
    "phi": [(rf"phi (i\d+|ptr|{NUMBERS}|{STRUCTURE}) (.*)", phi)],
    "br": [
        (r"br label %(.+)", lambda m, _: (None, (m[1],))),
        (rf"br i1 {VALUE}, label (%\"[^\"]+\"|%[^,]+), label (%.+)", lambda m, _: (m[1], (m[2][1:], m[3][1:]))),
    ],
    "switch": [
        (rf"switch {INT} {VALUE}, label %(\S+) \[(.*)\]", lambda m, _: (int(m[1]), m[2], m[3], tuple(re.findall(r"i\d+ (-?\d+), label %(\S+)", m[4])))),
    ],
    "ret": [(rf"ret (void|\S+|\{{.*\}}) ?{VALUE}?", lambda m, _: m.groups())],
    "unreachable": [("unreachable", lambda m, _: ())],
}


def last_value(text):
    """Returns the type and value of an argument: `ptr noalias dereferenceable(48) %4` -> (`ptr`, `%4`)."""
    is_vector = text.startswith("<")
    m = re.search((ELEMENTS if is_vector else VALUE) + r"$", text)
    if not m:
        raise Unsupported("argument: " + text)
    return text[: text.index(">") + 1] if is_vector else text.split()[0], m[1]


def parse_instruction(line):
    if METADATA.search(line):
        raise Unsupported("a promise: " + line.strip())
    return copy.copy(_parsed(re.sub(r"(, ![\w.]+ ![\w.]+)+$", "", line.strip())))


@functools.cache  # the tests of the proofs change single lines of a routine, and then parse the whole routine again
def _parsed(text):
    body = text
    m = re.search(r", align (\d+)$", body)
    alignment = int(m[1]) if m else None
    body = body[: m.start()] if m else body
    body = re.sub(r" #\d+$", "", body)
    m = re.match(VALUE + r" = (.*)$", body)
    dest, rhs = (m[1], m[2]) if m else (None, body)
    op = rhs.split()[0]

    if alignment is None and op in ("load", "store", "alloca"):  # an omitted alignment would be the alignment of the type
        raise Unsupported("no alignment: " + text)
    if op in ("tail", "call", "notail", "musttail"):
        return _parse_call(rhs, dest, text)
    for pattern, arguments, *other in FORMS.get(op, ()):
        m = re.fullmatch(pattern, rhs)
        found = m and arguments(m, alignment)
        if found is not None:
            return Instruction(*(other or [op]), dest, found, text, m[1] if op == "extractvalue" else "")
    raise Unsupported(text)


def _parse_call(rhs, dest, text):
    m = re.match(r"(?:(?:tail|notail|musttail) )?call (.*)$", rhs)
    rest = m[1]
    if rest.startswith('void asm sideeffect "", "n"('):  # a numbered marker in front of llvm.trap
        return Instruction("nop", dest, (), text)
    m = re.match(r".*? ?(@\"[^\"]+\"|@[\w.$-]+|%[\w.]+)\(", rest)
    if not m:
        raise Unsupported(text)
    callee = m[1]
    end = closing(rest, m.end() - 1)
    if rest[end + 1 :]:  # attributes, or operand bundles in brackets
        raise Unsupported("a promise: " + text)
    arguments = rest[m.end() : end]
    if callee.startswith(IGNORED_CALLS):
        return Instruction("nop", dest, (), text)
    before = rest[: m.start(1)]
    if "range(" in arguments or "range(" in before and (before.strip(), callee) != ("range(i64 0, 65) i64", "@llvm.cttz.i64"):
        raise Unsupported("a promise: " + text)
    args = [last_value(a) for a in split_arguments(arguments)]
    if callee.startswith("@llvm.") and MORE.search(arguments):
        raise Unsupported("a promise: " + text)
    return Instruction("call", dest, (callee, tuple(args)), text, convention(rest[: m.start(1)], arguments), promises.of_pointers(arguments))
