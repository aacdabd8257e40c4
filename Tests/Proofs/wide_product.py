"""The product of two words in two words, which a target without an instruction for it computes in halves: `multipliedFullWidth` of the standard library.

A row proves it from the module's IR, where the compiler has put it as a function: high·2⁶⁴ + low = a·b as integers, with every promise kept; `high` and the factors
signed or not. In other proofs the statement stands for its calls (`contracts`). Trusted: that the function is found by its symbol.
"""

from dataclasses import dataclass

from execute import Run, paths
from execute_signed import SignedRun
from memory import Memory, Pointer
from outcomes import Unproven
from polynomial import add, multiply
from reading import Unsupported


@dataclass
class WideProduct:
    signed: bool = False
    text = "high·2⁶⁴ + low = a·b"

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
        if self.signed:  # not the word itself
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
            if wrong:
                raise Unproven("the product")
            count += 1
        if count != 1:
            raise Unsupported(f"{count} paths")
        return "1 path"

    def call(self, run, arguments):
        """What stands for a call, in a run for signed code where the factors are signed."""
        pointer, *factors = arguments
        numbers = [run.signed_value(factor, 64) if self.signed else run.number(factor) for factor in factors]
        low, high = run.algebra.split_product(multiply(*numbers), 64)
        run.store(pointer, "i64", low)
        return high


ROWS = [WideProduct(), WideProduct(signed=True)]
SYMBOLS = {row.symbol for row in ROWS}


def contracts(module):
    """{function: what stands for its calls}, of those that the module has."""
    return {row.symbol: row.call for row in ROWS if row.symbol in module.sources}
