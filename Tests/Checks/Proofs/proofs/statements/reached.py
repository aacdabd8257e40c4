"""Finds the functions of the IR, and their instructions, that the proofs of statements rely on."""


def instructions(module, claim, function):
    """Returns [(label, index, instruction)] that the proof of a statement reads in a function."""
    reads = claim.reads(module)
    return [(label, n, i) for label, block in function.blocks.items() for n, i in enumerate(block) if reads(label, i)]


def reached(module, chosen):
    """Returns {name: (function, the first chosen statement that reaches the function)}."""
    found = {}
    for claim in chosen:
        stack = [claim.first(module)]
        while stack:
            function = stack.pop()
            if function.name in found:
                continue
            found[function.name] = (function, claim)
            for _, _, i in instructions(module, claim, function):
                if i.op == "call":
                    names = [i.args[0]] + [v for _, v in i.args[1]]
                    stack += [module.function(n) for n in names if n in module.sources and not claim.assumes(n)]
    return found
