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
BINARY = ("add", "sub", "mul", "sdiv", "shl", "lshr", "ashr", "and", "or", "xor")
FLAGS = r"((?:nuw|nsw|exact|disjoint|nneg|samesign|inbounds|inrange) )*"


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

    def made(*args, op=op):
        return Instruction(op, dest, args, text)

    if alignment is None and op in ("load", "store", "alloca"):  # an omitted alignment would be the alignment of the type
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
    elif op == "shufflevector":  # supported only if it copies element 0 to all elements
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
