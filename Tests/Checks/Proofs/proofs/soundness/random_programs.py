"""Tests the prover's rules on random programs. The results are compared with the results of an interpreter that models poison.

A program is a few consecutive instructions on three words. Each word is a number in a given range. For the bit-level rules, the range contains every word. The
prover runs the program on symbols. The prover rejects most programs, because a promise does not hold or a rule is missing. For an accepted program, the
interpreter computes the result for some numbers. The interpreter shares no code with the rules, except the IR parser. For these numbers, the conditions of
exactly one of the prover's paths must hold. The result of that path must equal the interpreter's result mod 2⁶⁴. If the interpreter finds poison (a broken
promise on which the result depends), the prover is wrong, because it must reject such a program.
"""

import random

from proofs.execution.division_run import DivisionRun
from proofs.execution.division_values import Data, Range, data
from proofs.execution.execute import Run, paths
from proofs.execution.execute_bits import BitRun
from proofs.execution.execute_signed import LimbRun, SignedRun
from proofs.execution.segments import Segment
from proofs.ir.module import Module
from proofs.outcomes import FAILURES, Unsupported
from proofs.soundness.numbers_of_runs import BitNumbers, Numbers

INPUTS = ("%x", "%y", "%z")
RANGES = [
    (-(1 << 63), (1 << 63) - 1), (0, 1), (0, (1 << 64) - 1), (-1, 0), (-(1 << 62), 1 << 62), (0, (1 << 62) - 1), (0, 9), (-5, 5), (0, 1 << 32),
]
LENGTH = 6
SAMPLES = 12
PROGRAMS = 4_000


class Generator:
    """Generates the text of programs. Operands are numbers (often edge cases), or earlier results of the same width."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def operand(self, bits):
        registers = [name for name, width in self.made if width == bits]
        if registers and self.random.random() < 0.8:
            return self.random.choice(registers)
        if bits == 1:
            return self.random.choice(("true", "false"))
        return str(self.random.choice((0, 1, 2, -1, 3, 255, -(1 << bits - 1), (1 << bits - 1) - 1, 1 << bits - 2)))

    def program(self):
        self.made, lines = [(name, 64) for name in INPUTS], []
        for number in range(self.random.randint(1, LENGTH)):
            lines += self.instruction(f"%v{number}")
        result = [name for name, width in self.made if width == 64][-1]
        return "define i64 @f(i64 %x, i64 %y, i64 %z) {\n" + "\n".join([*lines, f"ret i64 {result}"]) + "\n}\n"

    def instruction(self, name):
        choose, bits = self.random.choice, self.random.choice((64, 64, 64, 32, 1, 128))
        kind = choose(("sum", "sum", "sum", "shift", "bits", "width", "icmp", "select", "umin", "carry", "fshl"))
        if kind == "sum":
            line = f"{choose(('add', 'sub', 'mul'))} {choose(('', '', 'nsw ', 'nuw ', 'nuw nsw '))}i{bits} {self.operand(bits)}, {self.operand(bits)}"
        elif kind == "shift":
            operation = choose(("shl", "lshr", "ashr"))
            flags = choose(("", "", "nsw ", "nuw ") if operation == "shl" else ("", "", "exact "))
            line = f"{operation} {flags}i{bits} {self.operand(bits)}, {self.random.randint(0, bits) if bits > 1 else 'false'}"
        elif kind == "bits":
            operation = choose(("and", "or", "or disjoint", "xor"))
            mask = str((1 << self.random.randint(1, bits - 1)) - 1) if bits > 1 else "true"
            line = f"{operation} i{bits} {self.operand(bits)}, {choose((self.operand(bits), mask))}"
        elif kind == "width":
            operation, flags, bits, wider = choose((
                ("zext", choose(("", "nneg ")), choose((1, 32, 64)), True), ("sext", "", choose((1, 32, 64)), True),
                ("trunc", choose(("", "", "nuw ", "nsw ")), choose((32, 64, 128)), False)))
            to = choose([width for width in (1, 32, 64, 128) if (width > bits if wider else width < bits)])
            line, bits = f"{operation} {flags}i{bits} {self.operand(bits)} to i{to}", to
        elif kind == "icmp":
            predicate, bits = choose(("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge")), choose((32, 64, 64))
            line, bits = f"icmp {choose(('', '', 'samesign '))}{predicate} i{bits} {self.operand(bits)}, {self.operand(bits)}", 1
        elif kind == "select":
            line = f"select i1 {self.operand(1)}, i{bits} {self.operand(bits)}, i{bits} {self.operand(bits)}"
        elif kind == "umin":
            line, bits = f"call i64 @llvm.umin.i64(i64 {self.operand(64)}, i64 {self.operand(64)})", 64
        elif kind == "fshl":
            line, bits = f"call i64 @llvm.fshl.i64(i64 {self.operand(64)}, i64 {self.operand(64)}, i64 {self.random.randint(1, 63)})", 64
        else:
            pair = f"{name}p = call {{ i64, i1 }} @llvm.u{choose(('add', 'sub'))}.with.overflow.i64(i64 {self.operand(64)}, i64 {self.operand(64)})"
            part, bits = choose(((0, 64), (1, 1)))
            self.made.append((name, bits))
            return [pair, f"{name} = extractvalue {{ i64, i1 }} {name}p, {part}"]
        self.made.append((name, bits))
        return [f"{name} = {line}"]


def signed(word, bits):
    return (word + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


class Interpreter:
    """Runs a program on words. None is poison."""

    def __init__(self, inputs):
        self.values = {name: number % (1 << 64) for name, number in zip(INPUTS, inputs)}

    def word(self, name, bits):
        if name[0] == "%":
            return self.values[name]
        return int(name == "true") if name in ("true", "false") else int(name) % (1 << bits)

    def result(self, instructions):
        for i in instructions:
            if i.op == "ret":
                return self.word(i.args[1], 64)
            self.values[i.dest] = getattr(self, i.op, self.binary(i.op))(*i.args)
        raise AssertionError("no result")

    def binary(self, operation):
        def rule(bits, left, right, flags):
            x, y = self.word(left, bits), self.word(right, bits)
            return None if None in (x, y) else BINARY[operation](x, y, bits, flags)

        return rule

    def zext(self, bits, source, to, flags):
        x = self.word(source, bits)
        return None if x is None or "nneg" in flags and x >> bits - 1 else x

    def sext(self, bits, source, to, flags):
        x = self.word(source, bits)
        return None if x is None else signed(x, bits) % (1 << to)

    def trunc(self, bits, source, to, flags):
        x = self.word(source, bits)
        if x is None or "nuw" in flags and x >> to or "nsw" in flags and signed(x, bits) != signed(x, to):
            return None
        return x % (1 << to)

    def icmp(self, predicate, bits, left, right, flags):
        x, y = self.word(left, bits), self.word(right, bits)
        if None in (x, y) or "samesign" in flags and x >> bits - 1 != y >> bits - 1:
            return None
        if predicate[0] == "s":
            x, y = signed(x, bits), signed(y, bits)
        return int({"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[predicate[-2:]])

    def select(self, kind, condition, if_true, if_false):
        chosen = self.word(condition, 1)
        return None if chosen is None else self.word(if_true if chosen else if_false, int(kind[1:]))

    def call(self, callee, arguments):
        words = [self.word(name, 64) for _, name in arguments]
        if None in words:
            return None
        operation = callee.split(".")[1]
        if operation == "umin":
            return min(words)
        if operation == "fshl":
            return (words[0] << words[2] | words[1] >> 64 - words[2]) % (1 << 64)
        exact = words[0] + words[1] if operation == "uadd" else words[0] - words[1]
        return exact % (1 << 64), int(not 0 <= exact < 1 << 64)

    def extractvalue(self, structure, index):
        pair = self.values[structure]
        return None if pair is None else pair[index]


def summed(operation):
    def rule(x, y, bits, flags):
        exact, with_signs = operation(x, y), operation(signed(x, bits), signed(y, bits))
        if "nuw" in flags and not 0 <= exact < 1 << bits or "nsw" in flags and signed(with_signs, bits) != with_signs:
            return None
        return exact % (1 << bits)

    return rule


def shl(x, y, bits, flags):
    if y >= bits or "nuw" in flags and x << y >= 1 << bits or "nsw" in flags and signed(signed(x, bits) << y, bits) != signed(x, bits) << y:
        return None
    return (x << y) % (1 << bits)


def shifted_right(number):
    return lambda x, y, bits, flags: None if y >= bits or "exact" in flags and x % (1 << y) else (number(x, bits) >> y) % (1 << bits)


BINARY = {
    "add": summed(lambda x, y: x + y), "sub": summed(lambda x, y: x - y), "mul": summed(lambda x, y: x * y), "shl": shl,
    "lshr": shifted_right(lambda x, bits: x), "ashr": shifted_right(signed), "and": lambda x, y, *_: x & y, "xor": lambda x, y, *_: x ^ y,
    "or": lambda x, y, bits, flags: None if "disjoint" in flags and x & y else x | y,
}


def numbers(generator, ranges):
    """Returns a number from each range, often an end of the range."""
    chosen = []
    for low, high in ranges:
        near = [low, high, generator.randint(low, high), generator.randint(low, high)]
        near += [n for n in (-1, 0, 1, 2, 1 << 31, 1 << 32, 1 << 62) if low <= n <= high]
        chosen.append(generator.choice(near))
    return chosen


def by_polynomials(run_class):
    """Returns a function that runs a program on symbols. Its result is a function from inputs to the results of all paths whose conditions hold."""
    def results(module, ranges):
        def prepare(run):
            return run.call("@f", [{(run.algebra.symbol(name, *limits),): 1} for name, limits in zip(INPUTS, ranges)])

        found = list(paths(module, prepare, run_class=run_class))
        if not all(isinstance(result, dict) for _, result in found):
            raise Unsupported("a result that is no number")
        return lambda inputs: [values.of(result) for run, result in found if (values := Numbers(run, *inputs)).is_on_path()]

    return results


def by_bits(module, ranges):
    run = BitRun(module)
    result = run.call("@f", [run.terms.atom(64) for _ in INPUTS])
    if result is None:
        raise Unsupported("a result that is not defined")
    return lambda inputs: [BitNumbers(run.terms, inputs).of(result)]


def by_division_steps(module, ranges):
    """Runs a program whose last input is data. Rejects a result that is a range, unless this result is one of the inputs."""
    run = DivisionRun(module)
    given = [*(Range(*limits) for limits in ranges[:-1]), Data({(INPUTS[-1],): 1})]
    result = run.call("@f", given)
    if result in given:
        return lambda inputs: [inputs[given.index(result)]]
    if not isinstance(result, (int, Data)) or run.multipliers:
        raise Unsupported("a result that is no number")
    powers = data(result).polynomial.items()
    return lambda inputs: [sum(factor * inputs[-1] ** len(symbols) for symbols, factor in powers)]


def difference(text, prover, ranges, generator):
    """Returns None if the prover rejects the program, and "" if the prover is right. Otherwise returns the numbers for which the prover is wrong."""
    module = Module(text)
    try:
        results = prover(module, ranges)
    except FAILURES:
        return None
    for _ in range(SAMPLES):
        inputs = numbers(generator, ranges)
        right, got = Interpreter(inputs).result(module.function("@f").blocks["entry"]), results(inputs)
        if right is None or len(got) != 1 or (got[0] - right) % (1 << 64):
            return f"for {inputs} in {ranges}: {right}, and not {got}"
    return ""


def check():
    """Tests PROGRAMS programs for each set of rules; returns (faults, text to print)."""
    lines, wrong = [], []
    unsigned = [limits for limits in RANGES if limits[0] >= 0]
    for name, prover, ranges in (
        ("signed", by_polynomials(SignedRun), RANGES), ("unsigned", by_polynomials(Run), unsigned), ("segments", by_polynomials(Segment), RANGES),
        ("limbs", by_polynomials(LimbRun), RANGES),
        ("bits", by_bits, RANGES[:1]), ("division steps", by_division_steps, [limits for limits in RANGES if limits[1] < 1 << 63]),
    ):
        generator, accepted, before = Generator(1), 0, len(wrong)
        for _ in range(PROGRAMS):
            text = generator.program()
            found = difference(text, prover, [generator.random.choice(ranges) for _ in INPUTS], generator.random)
            accepted += found is not None
            if found:
                wrong.append(f"{name}: {found}\n{text}")
        if not accepted:
            wrong.append(f"{name}: no program is accepted")
        lines.append(f"{name}: {PROGRAMS} programs, {accepted} accepted, {len(wrong) - before} wrong")
    return wrong, "\n".join(lines)
