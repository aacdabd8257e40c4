"""Proves the standard library's `multipliedFullWidth`, which returns the product of two words as two words.

On a target without an instruction for this product, a function of the module computes the product from half words. Each statement is that high·2⁶⁴ + low = a·b
as integers. `high` and both factors are signed, or all three are unsigned. The proof also verifies every promise in the function's IR. In other proofs, the
statement replaces calls of the function (`contracts`). Trusted: the symbol identifies the function.
"""

from dataclasses import dataclass

from proofs.claim import Claim
from proofs.domains.polynomial import add, multiply
from proofs.execution.execute import Run, paths
from proofs.execution.execute_signed import SignedRun
from proofs.ir.memory import Memory, Pointer
from proofs.outcomes import Unproven, only


@dataclass
class WideProduct(Claim):
    signed: bool = False
    text = "high·2⁶⁴ + low = a·b"
    of = ("FixedWidthInteger.multipliedFullWidth(by:)",)
    trusts = ("that the function is found by its symbol",)

    @property
    def name(self):
        return f"multipliedFullWidth {'Int64' if self.signed else 'UInt64'}"

    @property
    def symbol(self):
        factor = "5Int64" if self.signed else "6UInt64"
        return f'@"$es17FixedWidthIntegerPsE014multipliedFullB02byx4high_9MagnitudeQz3lowtx_tFs{factor}V_Tg5"'

    def first(self, module):
        return module.function(self.symbol)

    def factor(self, run, name):
        if self.signed:  # the symbol is the signed number, not the unsigned word
            return {(run.algebra.symbol(name, -(1 << 63), (1 << 63) - 1),): 1}
        return run.algebra.input_word(name)

    def prove(self, module):
        def prepare(run):
            a, b, low = self.factor(run, "a"), self.factor(run, "b"), Memory(8)
            high = run.call(self.symbol, [Pointer(low), a, b])
            return a, b, low.words(1)[0], high

        count = 0
        for run, (a, b, low, high) in paths(module, prepare, run_class=SignedRun if self.signed else Run):
            wrong = run.algebra.normal(add(add(low, high, 1 << 64), multiply(a, b), -1))
            # In signed code, any congruent number may represent `low`. Without this bound, `low` could be the whole product, with `high` = 0.
            least, greatest = run.algebra.tight(low, want=(0, (1 << 64) - 1))
            if wrong or least < 0 or greatest >= 1 << 64:
                raise Unproven("the product")
            count += 1
        only(range(count), "paths")
        return "1 path"

    def factor_of(self, run, argument):
        if self.signed:
            return run.signed_value(argument, 64)
        low, high = run.algebra.range(run.number(argument))
        if low < 0 or high >= 1 << 64:
            raise Unproven("a factor that is not its word")
        return run.number(argument)

    def call(self, run, arguments):
        """Replaces a call. Signed factors need an executor for signed code."""
        pointer, *factors = arguments
        low, high = run.algebra.split_product(multiply(*(self.factor_of(run, factor) for factor in factors)), 64)
        run.store(pointer, "i64", low)
        return high


ROWS = [WideProduct(), WideProduct(signed=True)]
SYMBOLS = {row.symbol for row in ROWS}


def contracts(module):
    """Proves the functions of `ROWS` that the module contains. Returns {function: replacement of its calls}."""
    found = {row.symbol: row for row in ROWS if row.symbol in module.sources}
    for row in found.values():
        row.prove(module)
    return {symbol: row.call for symbol, row in found.items()}
