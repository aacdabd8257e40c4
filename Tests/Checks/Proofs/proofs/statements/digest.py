"""Proves from the IR that `CurveScalar.init(digest:)` returns, mod n, the number in the leftmost octets of a digest.

The statement covers digests of 0 to LONGEST octets. The proof has two parts, like the code. `LimbArray.init(bigEndian:)` only moves octets, and the proof
follows each bit. `init(digest:)` passes the leftmost ⌈log₂₅₆ n⌉ octets to that initialiser. For both curves, these octets have exactly ⌈log₂ n⌉ bits. The rest
of `init(digest:)` is proven for every number that fits in four or six words.
"""

from proofs.domains.bits import joined, resized, shifted
from proofs.domains.congruence import prove_paths, require_congruence, require_range
from proofs.domains.polynomial import add, constant, number
from proofs.execution.execute import paths
from proofs.execution.execute_bits import BitRun
from proofs.execution.routines import one_function, replaced_call
from proofs.ir.memory import Memory, Pointer
from proofs.outcomes import Unproven
from proofs.claim import Claim, counted
from proofs.statements.curves import N256, N384

LONGEST = 64  # octets, the length of a SHA-512 digest
ADDRESS = 1 << 40  # the address of the digest; the code only passes this address on


class BigEndian(Claim):
    text = "the number of the octets, for every bit of 0 to 8·limbs octets"
    of = ("LimbArray.init(bigEndian:)",)

    def __init__(self, limbs):
        self.limbs, self.name = limbs, f"bigEndian<{limbs}>"

    def first(self, module):
        return one_function(module, self.name, "LimbArrayPAAE9bigEndian", f"y${self.limbs - 1}_s6UInt64VG_Tt1g5")

    def prove(self, module):
        for count in range(8 * self.limbs + 1):
            self.prove_length(module, count)
        return f"{8 * self.limbs + 1} lengths"

    def prove_length(self, module, count):
        run, width = BitRun(module), 64 * self.limbs
        source, octets = run.memory.allocate(max(count, 1), read_only=True), [run.terms.atom(8) for _ in range(count)]
        for i, octet in enumerate(octets):
            run.memory.store(source + i, 1, octet, initial=True)
        whole = joined(width, reversed(octets), 8)
        function = self.first(module)
        if len(function.parameters) == 3:
            target = run.memory.allocate(8 * self.limbs)
            run.call(function.name, [target, source, count])
            words = [run.memory.load(target + 8 * i, 8) for i in range(self.limbs)]
        else:
            words = run.call(function.name, [source, count])
        for i, word in enumerate(words):
            if word != resized(64, shifted(width, whole, -64 * i)):
                raise Unproven(f"word {i} of {count} octets")


class Digest(Claim):
    text = f"result < n, result ≡ the leftmost octets mod n; 0 to {LONGEST} octets"

    def __init__(self, limbs, modulus):
        self.limbs, self.modulus, self.name = limbs, modulus, f"n{64 * limbs}_digest"
        self.of = (f"P{64 * limbs}Scalar.init(digest:)",)

    def first(self, module):
        return one_function(module, self.name, "CurveScalarPAAE6digest", f"P{64 * self.limbs}")

    def prove(self, module):
        return counted(sum(self.prove_length(module, length) for length in range(LONGEST + 1)))

    def octets(self, length):
        """Returns the contract of init(bigEndian:). It requires the leftmost octets as argument, and returns arbitrary words."""

        def octets(run, address, count):
            if address != [constant(ADDRESS)] or count != [constant(min(length, 8 * self.limbs))]:
                raise Unproven("which octets are taken")
            run.octets = [run.algebra.input_word(f"a{i}") for i in range(self.limbs)]
            return run.octets

        return replaced_call([1, 1], octets)

    def prove_length(self, module, length):
        function = self.first(module)
        by_value = len(function.parameters) == 2

        def prepared(run):
            run.octets = None
            result = Memory(8 * self.limbs)
            returned = run.call(function.name, [*([] if by_value else [Pointer(result)]), constant(ADDRESS), constant(length)])
            return returned if by_value else result.words(self.limbs)

        def proof(run, *words):
            if run.octets is None:
                raise Unproven("no octets are taken")
            require_congruence(run, add(number(words), number(run.octets), -1), self.modulus)
            require_range(run, number(words), 0, self.modulus - 1, "bound")

        return prove_paths(paths(module, prepared, {BigEndian(self.limbs).first(module).name: self.octets(length)}), proof)


def rows():
    return [BigEndian(4), BigEndian(6), Digest(4, N256), Digest(6, N384)]
