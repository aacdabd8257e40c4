"""Proves the signed-limb fields, P256UnsaturatedField and P384UnsaturatedField, from the IR for wasm32.

The WebAssembly build verifies signatures with these fields. An element is Σ lᵢ·2^(width·i). The source states the bounds of the limbs: |lᵢ| ≤ 1¼·2^width,
except for the highest limb. Each statement holds for all operands within these bounds. The result is also within the bounds, so operations can follow each
other in any order. R is 2^(width·limbs). No sum or product exceeds a word of 64 bits. Otherwise the executor would stop at the next instruction that depends on
the exact word (`execute_signed.py`).

If a routine calls another routine that has a statement, the statement replaces the call. The operands of the call are the words that the caller stored in
memory. The result consists of arbitrary words that satisfy the statement.
"""

from __future__ import annotations  # required by PyPy 3.9, which also runs the mutants

from dataclasses import dataclass

from proofs.claim import Claim, counted
from proofs.domains.congruence import prove_paths, require_congruence, require_range
from proofs.domains.polynomial import add, constant, multiply, number, scale, value
from proofs.execution.execute import paths
from proofs.execution.execute_signed import LimbRun
from proofs.execution.routines import one_function, read, replaced_call
from proofs.ir.memory import Memory, Pointer
from proofs.outcomes import Unproven
from proofs.statements.curves import P256, P384
from proofs.statements.zero_test import contradicted


@dataclass(frozen=True)
class Shape:
    name: str
    modulus: int
    limbs: int
    width: int
    highest: int  # the bound of the highest limb
    words: int  # number of 64-bit words in a plain number

    @property
    def radix(self):
        return 1 << self.width * self.limbs

    @property
    def surplus(self):
        """Returns the number of bits by which the limbs together are longer than the words together. A field element here is the number in P256Field or
        P384Field, doubled that many times.
        """
        return self.width * self.limbs - 64 * self.words

    def bound(self, position):
        return self.highest if position == self.limbs - 1 else 5 << self.width - 2

    def number(self, limbs):
        return number(limbs, self.width)

    def one(self):
        return [constant(1)] + [constant(0)] * (self.limbs - 1)

    def element(self, run, letter):
        return [{(run.algebra.symbol(f"{letter}{i}", -self.bound(i), self.bound(i)),): 1} for i in range(self.limbs)]

    def function(self, module, part):
        return one_function(module, f"{part} of {self.name}UnsaturatedField", f"PureECDSA20{self.name}UnsaturatedFieldV{part}")


SHAPES = [Shape("P256", P256, 9, 29, 1 << 25, 4), Shape("P384", P384, 14, 28, 1 << 21, 6)]
MULTIPLY, SUBTRACT, PLAIN, WORDS = "1moi", "1soi", "5plains", "yACs6UInt64V_"


def memory(words, read_only=True):
    return Pointer(Memory(8 * len(words), words=words, read_only=read_only))


def require_element(run, shape, words):
    """Returns the limbs as signed numbers; requires that each limb is within its bound."""
    limbs = [run.signed_value(word, 64) for word in words]
    for position, limb in enumerate(limbs):
        require_range(run, limb, -shape.bound(position), shape.bound(position), f"limb {position}")
    return limbs


@dataclass
class Row(Claim):
    shape: Shape
    label: str
    part: str  # of the symbol
    text: str

    @property
    def name(self):
        return f"{self.shape.name} unsaturated {self.label}"

    @property
    def of(self):
        return (f"{self.shape.name}UnsaturatedField.{'init(words:)' if self.label == 'words' else self.label}",)

    def first(self, module):
        return self.shape.function(module, self.part)

    assumed = ()  # the called routines that have their own statements, each given by a part of its symbol

    def assumes(self, name):
        return any(f"{self.shape.name}UnsaturatedFieldV{part}" in name for part in self.assumed)

    def contracts(self, module):
        return {}

    def run(self, run):
        """Runs the routine; returns the arguments of `proof`."""
        raise NotImplementedError

    def proof(self, run, *found):
        raise NotImplementedError

    def result(self, run, name, *arguments, count=None):
        """Calls the routine; returns the words of its result."""
        count = count or self.shape.limbs
        place = Pointer(Memory(8 * count))
        run.call(name, [place, *arguments])
        return read(run, place, count)

    def prove(self, module):
        found = paths(module, lambda run: self.run(run, self.first(module).name), self.contracts(module), LimbRun)
        return counted(prove_paths(found, self.proof))


@dataclass
class Operation(Row):
    """Proves left·result ≡ the right side mod p."""

    operands: int
    right: object  # of the operands' numbers
    left: int = 1

    def run(self, run, name):
        operands = [self.shape.element(run, letter) for letter in "ab"[: self.operands]]
        return operands, self.result(run, name, *map(memory, operands))

    def proof(self, run, operands, result):
        found = self.shape.number(require_element(run, self.shape, result))
        right = self.right(*map(self.shape.number, operands))
        require_congruence(run, add(scale(found, self.left), right, -1), self.shape.modulus)


@dataclass
class FromWords(Row):
    """Proves the conversion from words. The proof splits the words into bit fields, which begin at each limb and at the folded part of the highest limb."""

    def run(self, run, name):
        shape = self.shape
        whole = 64 * shape.words
        starts = {shape.width * i - shape.surplus for i in range(1, shape.limbs)} | {64 * i for i in range(shape.words)} | {whole - shape.surplus}
        ends = sorted(starts)[1:] + [whole]
        words = [{} for _ in range(shape.words)]
        for start, end in zip(sorted(starts), ends):
            field = {(run.algebra.symbol(f"bits {start}", 0, (1 << end - start) - 1),): 1}
            words[start // 64] = add(words[start // 64], field, 1 << start % 64)
        return words, self.result(run, name, *words)

    def proof(self, run, words, result):
        found = self.shape.number(require_element(run, self.shape, result))
        require_congruence(run, add(found, scale(number(words), 1 << self.shape.surplus), -1), self.shape.modulus)


@dataclass
class TimesOne(Row):
    """Multiplies an element by 1, and proves what `plain` needs: the product is a number from 0 to p, and its limbs are that number's bits."""

    def run(self, run, name):
        return (self.result(run, name, memory(self.shape.element(run, "a")), memory(self.shape.one())),)

    def proof(self, run, words):
        limbs = require_element(run, self.shape, words)
        require_range(run, self.shape.number(limbs), 0, self.shape.modulus, "the number")
        for limb in limbs:
            require_range(run, limb, 0, (1 << self.shape.width) - 1, "a limb's bits")


def times_one(shape, found):
    """`TimesOne` as a contract: the result is an arbitrary X from 0 to p with R·X ≡ a, as limbs."""

    def product(run, left, right):
        if right != shape.one():
            raise Unproven("a product with other than 1")
        require_element(run, shape, left)
        words = [run.algebra.input_word(f"x{i}") for i in range(shape.words)]
        run.algebra.facts.append(add(add(constant(shape.modulus), number(words), -1), {(run.algebra.symbol("p − X", 0, shape.modulus),): -1}))
        found[run] = left, words
        return limbs_of(run, shape, words)

    return replaced_call([shape.limbs] * 2, product)


def limbs_of(run, shape, words):
    """Returns the limbs of a number: cuts each word at the start of each limb."""
    limbs = [{} for _ in range(shape.limbs)]
    for i, word in enumerate(words):
        position = 64 * i
        while position < 64 * i + 64:
            end = min((position // shape.width + 1) * shape.width, 64 * i + 64)
            part, word = run.algebra.split(word, end - position) if end < 64 * i + 64 else (word, {})
            limb = min(position // shape.width, shape.limbs - 1)
            limbs[limb] = add(limbs[limb], part, 1 << position - shape.width * limb)
            position = end
    return limbs


@dataclass
class Plain(Row):
    """0 ≤ result < p and R·result ≡ a."""

    assumed = (MULTIPLY,)

    def prove(self, module):
        TimesOne(self.shape, self.label, MULTIPLY, self.text).prove(module)
        return super().prove(module)

    def contracts(self, module):
        self.products = {}
        return {self.shape.function(module, MULTIPLY).name: times_one(self.shape, self.products)}

    def run(self, run, name):
        element = self.shape.element(run, "a")
        return element, [run.unsigned_value(word, 64) for word in self.result(run, name, memory(element), count=self.shape.words)]

    def proof(self, run, element, words):
        factor, product = self.products[run]
        if factor != element:
            raise Unproven("a product of another number")
        require_range(run, number(words), 0, self.shape.modulus - 1, "bound")
        require_congruence(run, add(number(words), number(product), -1), self.shape.modulus)


def difference(shape, found):
    """The statement about `-` as a contract: the result is an arbitrary element that is congruent to a − b."""

    def result(run, *operands):
        found[run] = [require_element(run, shape, operand) for operand in operands], shape.element(run, "d")
        return found[run][1]

    return replaced_call([shape.limbs] * 2, result)


def plain_words(shape, found):
    """The statement about `plain` as a contract: the result consists of arbitrary words, which are all 0 if and only if the element is ≡ 0."""

    def plain(run, element):
        found[run] = element, [run.algebra.input_word(f"x{i}") for i in range(shape.words)]
        return found[run][1]

    return replaced_call([shape.limbs], plain)


@dataclass
class Equals(Row):
    """The result is true if and only if a ≡ b mod p."""

    assumed = (SUBTRACT, PLAIN)

    def contracts(self, module):
        self.differences, self.plain = {}, {}
        return {
            self.shape.function(module, SUBTRACT).name: difference(self.shape, self.differences),
            self.shape.function(module, PLAIN).name: plain_words(self.shape, self.plain),
        }

    def run(self, run, name):
        operands = [self.shape.element(run, letter) for letter in "ab"]
        return operands, run.call(name, [memory(operand) for operand in operands])

    def proof(self, run, operands, returned):
        given, element = self.differences[run]
        if given != operands:
            raise Unproven("a difference of other numbers")
        if run not in self.plain:
            self.refused_by_lowest_limb(run, element, returned)
            return
        given, words = self.plain[run]
        if given != element:
            raise Unproven("the plain number of another difference")
        symbols = [next(iter(word))[0] for word in words]
        if value(returned):
            if any(run.algebra.ranges[symbol] != (0, 0) for symbol in symbols):
                raise Unproven("true for a number that is not 0")
        elif not contradicted(run, dict.fromkeys(symbols, 0)):
            raise Unproven("false for 0")

    def refused_by_lowest_limb(self, run, element, returned):
        if value(returned):
            raise Unproven("true without a look at all limbs")
        ((lowest,),) = element[0]
        if not refuses_each_multiple(run, self.shape, lowest):
            raise Unproven("false for a multiple of p")


def lowest_limbs(shape):
    """Returns the possible lowest limbs of the elements k·p: congruent to k·p modulo 2^width, and within the bound."""
    greatest = sum(shape.bound(i) << shape.width * i for i in range(shape.limbs)) // shape.modulus
    radix, bound = 1 << shape.width, shape.bound(0)
    return {n for k in range(-greatest, greatest + 1) for n in range(-bound + (k * shape.modulus + bound) % radix, bound + 1, radix)}


def refuses_each_multiple(run, shape, lowest, modulus=None):
    """Returns whether the conditions of a run exclude every multiple of p within the bounds of an element. For each multiple, its lowest limb as the value of
    `lowest` (mod `modulus`, if given) must make at least one condition false.
    """
    return all(contradicted(run, {lowest: n % modulus if modulus else n}) for n in lowest_limbs(shape))


def rows():
    found = []
    for shape in SHAPES:
        def row(kind, *arguments, shape=shape, **more):
            found.append(kind(shape, *arguments, **more))

        row(Operation, "+", "1poi", "result ≡ a + b mod p", 2, add)
        row(Operation, "-", SUBTRACT, "result ≡ a − b mod p", 2, lambda a, b: add(a, b, -1))
        row(Operation, "halved", "6halved", "2·result ≡ a mod p", 1, lambda a: a, left=2)
        row(Operation, "*", MULTIPLY, "R·result ≡ a·b mod p", 2, multiply, left=shape.radix)
        row(Operation, "squared", "7squared", "R·result ≡ a² mod p", 1, lambda a: multiply(a, a), left=shape.radix)
        row(FromWords, "words", WORDS, f"result ≡ 2^{shape.surplus}·w mod p, w any number of the words")
        row(Plain, "plain", PLAIN, "0 ≤ result < p, R·result ≡ a mod p")
        row(Equals, "==", "2eeoi", "true ⇔ a ≡ b mod p")
    return found
