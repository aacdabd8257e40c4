"""Which functions of the IR, and which of their instructions, the proofs of statements rest on."""


def instructions(module, claim, function):
    """(label, index, instruction) of what the proof of a statement reads of a function that it reaches."""
    reads = claim.reads(module)
    return [(label, n, i) for label, block in function.blocks.items() for n, i in enumerate(block) if reads(label, i)]


def reached(module, chosen):
    """{name: (function, the first of the chosen statements that reaches it)}"""
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
