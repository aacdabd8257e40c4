"""Runs a routine of `arithmetic.py` on symbols: finds its function in the IR, supplies inputs and returns the result.

A routine is a function of Driver.swift, or `montgomeryProduct` of the scalars. The arguments of a driver function are the addresses of its words.
`montgomeryProduct` is found by its symbol. Inputs are arbitrary words, or numbers below the statement's bound. If a called routine has a statement, a
`contract` replaces the call. The run checks the requirements of the contract. Trusted: the functions found are the intended ones.
"""

from proofs.domains.polynomial import add, multiply, number
from proofs.execution import wide_product
from proofs.execution.execute import paths
from proofs.ir.memory import Memory, Pointer
from proofs.outcomes import Unproven, only


def words_of(integer, limbs):
    return [integer >> 64 * i & (1 << 64) - 1 for i in range(limbs)]


def read(run, pointer, count):
    """Reads `count` words of 64 bits from an address."""
    return [run.load(pointer.moved(8 * i), "i64", 8) for i in range(count)]


def write(run, pointer, words):
    for i, word in enumerate(words):
        run.store(pointer.moved(8 * i), "i64", word, 8)


def one_function(module, what, *parts):
    """Returns the only function whose symbol contains all of the parts."""
    return module.function(only([name for name in module.sources if all(part in name for part in parts)], "functions are " + what))


def entry(module, name):
    """Returns a driver function. The symbol of `p256_add` contains `8p256_add`. Excludes symbols that end in `Tm`, which are merged bodies."""
    mangled = f"{len(name)}{name}"
    return module.function(only([f for f in module.sources if mangled in f and not f.endswith('Tm"')], "functions are called " + name))


def montgomery_product(module, statement):
    """Finds the function of `CurveScalar.montgomeryProduct`, which is private, by its symbol."""
    curve = f"P{64 * statement.limbs}"
    return one_function(module, "montgomeryProduct of " + curve, "montgomeryProduct", curve)


def require_apart(result, count, operands):
    """Requires that no operand (address, number of words) overlaps the result, because the code may write the result before it reads the operands."""
    for operand, width in operands:
        if operand.memory is result.memory and operand.offset < result.offset + 8 * count and result.offset < operand.offset + 8 * width:
            raise Unproven("a result where an operand is")


def replaced_call(widths, result_of):
    """Returns a contract for calls of a function whose operands have these widths in words. `result_of`(run, *operands) returns the result's words for the
    operands' words. Each operand is passed as words or by its address. The address of the result comes first, or the call returns the words. No operand may
    overlap the result.
    """

    def call(run, arguments):
        remaining, operands, places = list(arguments), [], []
        for width in reversed(widths):
            if isinstance(remaining[-1], Pointer):
                places.append((remaining.pop(), width))
                operands.insert(0, read(run, *places[-1]))
            else:
                operands.insert(0, remaining[-width:])
                del remaining[-width:]
        result = result_of(run, *operands)
        if not remaining:
            return tuple(result)
        require_apart(only(remaining, "results"), len(result), places)
        write(run, remaining[0], result)

    return call


def contract(statement, name):
    """Returns the contract of montgomeryProduct. It requires that a, b < n. It returns new words with result < n and R·result = a·b + n·q."""
    limbs = statement.limbs

    def product(run, *operands):
        for words in operands:
            if run.algebra.tight(number(words), want=(0, statement.modulus - 1))[1] >= statement.modulus:
                raise Unproven("the bound of an argument")
        result = [run.algebra.input_word(f"t{i}") for i in range(limbs)]
        run.algebra.block(result, 0, statement.modulus - 1)
        quotient = run.algebra.symbol("q", 0, 1 << 64 * limbs)
        equation = add(multiply(number(operands[0]), number(operands[1])), {(quotient,): statement.modulus})
        run.equations.append((run.algebra.block_number(result), equation))
        return result

    return {name: replaced_call([limbs] * 2, product)}


def called(run, module, statement, inputs):
    """Calls a routine; returns (returned value or None, result words or None)."""
    limbs, direct = statement.limbs, statement.name.endswith("montgomeryProduct")
    function = montgomery_product(module, statement) if direct else entry(module, statement.name)
    if direct and len(function.parameters) == limbs * 2:
        return None, list(run.call(function.name, inputs[0] + inputs[1]))
    memories = [Memory(8 * limbs, words=words, read_only=True) for words in inputs]
    result = Memory(8 * limbs)
    pointers = [Pointer(result)] if statement.kind in ("congruence", "range") else []
    returned = run.call(function.name, pointers + [Pointer(memory) for memory in memories])
    return returned, result.words(limbs) if result.cells else None


def runs(module, statement):
    """Yields the paths of a routine: (run, (inputs, returned flag or None, result words or None))."""
    contracts = wide_product.contracts(module)
    if statement.uses:
        contracts |= contract(statement, montgomery_product(module, statement).name)

    def prepare(run):
        inputs = [[run.algebra.input_word(f"{letter}{i}") for i in range(statement.limbs)] for letter in "abcd"[: statement.arguments]]
        if statement.inputs_below:
            for words in inputs:
                run.algebra.block(words, 0, statement.inputs_below - 1)
        return inputs, *called(run, module, statement, inputs)

    return paths(module, prepare, contracts)
