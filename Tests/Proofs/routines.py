"""Runs a routine of `statements.py` on symbols: which function of the IR it is, what it is given, and what it leaves.

A routine is a function of Driver.swift, which gets the addresses of its words, or the scalars' `montgomeryProduct`, which is found by its symbol. Inputs are
any words, or numbers below the statement's bound. A routine that is called and has a statement of its own is not run again: its statement
stands for the call (`contract`), and asks for what it asks for. Trusted: that the functions which are found are those that are meant.
"""

import wide_product
from execute import paths
from ir import Unsupported
from memory import Memory, Pointer
from outcomes import Unproven
from polynomial import add, multiply


def number(words):
    """Σ wᵢ·2^(64i)"""
    total = {}
    for position, word in enumerate(words):
        total = add(total, word, 1 << 64 * position)
    return total


def words_of(integer, limbs):
    return [integer >> 64 * i & (1 << 64) - 1 for i in range(limbs)]


def read(run, pointer, count):
    """So many words of 64 bits from an address on."""
    return [run.load(pointer.moved(8 * i), "i64", 8) for i in range(count)]


def write(run, pointer, words):
    for i, word in enumerate(words):
        run.store(pointer.moved(8 * i), "i64", word, 8)


def one_function(module, names, what):
    if len(names) != 1:
        raise Unsupported(f"{len(names)} functions are {what}")
    return module.function(names[0])


def entry(module, name):
    """The function of the driver: `p256_add` is mangled as `8p256_add`; a merged body's symbol ends in `Tm`."""
    mangled = f"{len(name)}{name}"
    return one_function(module, [f for f in module.sources if mangled in f and not f.endswith('Tm"')], "called " + name)


def montgomery_product(module, statement):
    """The function behind `CurveScalar.montgomeryProduct`, which is private: found by its symbol."""
    curve = f"P{64 * statement.limbs}"
    names = [f for f in module.sources if "montgomeryProduct" in f and curve in f]
    return one_function(module, names, "montgomeryProduct of " + curve)


def contract(statement, name):
    """A call of montgomeryProduct as its statement: a, b < n is required; the result is fresh words below n, R·result = a·b + n·q."""
    limbs = statement.limbs

    def call(run, arguments):
        by_value = isinstance(arguments[0], dict)
        if by_value:
            operands = [list(arguments[:limbs]), list(arguments[limbs:])]
        else:
            operands = [[run.load(pointer.moved(8 * i), "i64") for i in range(limbs)] for pointer in arguments[1:]]
        for words in operands:
            if run.algebra.tight(number(words), want=(0, statement.modulus - 1))[1] >= statement.modulus:
                raise Unproven("the bound of an argument")
        result = [run.algebra.input_word(f"t{i}") for i in range(limbs)]
        run.algebra.block(result, 0, statement.modulus - 1)
        quotient = run.algebra.symbol("q", 0, 1 << 64 * limbs)
        equation = add(multiply(number(operands[0]), number(operands[1])), {(quotient,): statement.modulus})
        run.equations.append((run.algebra.block_number(result), equation))
        if by_value:
            return tuple(result)
        for i, word in enumerate(result):
            run.store(arguments[0].moved(8 * i), "i64", word)

    return {name: call}


def runs(module, statement):
    """The feasible paths of a routine: (run, inputs, returned flag or None, result words or None)."""
    limbs, direct = statement.limbs, statement.name.endswith("montgomeryProduct")
    function = montgomery_product(module, statement) if direct else entry(module, statement.name)
    contracts = wide_product.contracts(module)
    if statement.uses:
        contracts |= contract(statement, montgomery_product(module, statement).name)

    def prepare(run):
        inputs = [[run.algebra.input_word(f"{letter}{i}") for i in range(limbs)] for letter in "abcd"[: statement.arguments]]
        if statement.inputs_below:
            for words in inputs:
                run.algebra.block(words, 0, statement.inputs_below - 1)
        if direct and len(function.parameters) == limbs * 2:
            return inputs, None, list(run.call(function.name, inputs[0] + inputs[1]))
        memories = [Memory(8 * limbs, words=words, read_only=True) for words in inputs]
        result = Memory(8 * limbs)
        pointers = [Pointer(result)] if statement.kind in ("congruence", "range") else []
        returned = run.call(function.name, pointers + [Pointer(memory) for memory in memories])
        return inputs, returned, result.words(limbs) if result.cells else None

    for run, (inputs, returned, words) in paths(module, prepare, contracts):
        yield run, inputs, returned, words
