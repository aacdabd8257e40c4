"""The product of two words in two words, which a target without an instruction for it computes in halves: `multipliedFullWidth` of the standard library.

The row proves it from the module's IR, where the compiler has put it as a function: high·2⁶⁴ + low = a·b as integers, with every promise kept. In other proofs the
statement stands for its calls (`contracts`). Trusted: that the function is found by its symbol.
"""

from execute import paths
from memory import Memory, Pointer
from outcomes import Unproven
from polynomial import add, multiply
from reading import Unsupported

SYMBOL = '@"$es17FixedWidthIntegerPsE014multipliedFullB02byx4high_9MagnitudeQz3lowtx_tFs6UInt64V_Tg5"'


class WideProduct:
    name = "multipliedFullWidth"
    text = "high·2⁶⁴ + low = a·b"

    def first(self, module):
        return module.function(SYMBOL)

    def prove(self, module):
        def prepare(run):
            a, b, low = run.algebra.input_word("a"), run.algebra.input_word("b"), Memory(8)
            high = run.call(SYMBOL, [Pointer(low), a, b])
            return a, b, low.words(1)[0], high

        count = 0
        for run, (a, b, low, high) in paths(module, prepare):
            wrong = run.algebra.normal(add(add(low, high, 1 << 64), multiply(a, b), -1))
            if wrong:
                raise Unproven("the product")
            count += 1
        if count != 1:
            raise Unsupported(f"{count} paths")
        return "1 path"


def contracts(module):
    """{the function: what stands for its calls}, where the module has it."""
    def call(run, arguments):
        pointer, *factors = arguments
        low, high = run.algebra.split_product(multiply(*(run.number(factor) for factor in factors)), 64)
        run.store(pointer, "i64", low)
        return high

    return {SYMBOL: call} if SYMBOL in module.sources else {}
