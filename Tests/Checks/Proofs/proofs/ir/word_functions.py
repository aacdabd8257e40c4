"""Recognises calls whose results depend only on their arguments: operations on words, and functions without memory."""

OPERATIONS = ("@llvm.sadd.with.overflow", "@llvm.ssub.with.overflow", "@llvm.smin", "@llvm.smax")
OF_WORDS = {
    "add", "sub", "xor", "and", "or", "shl", "lshr", "ashr", "sdiv", "zext", "sext", "trunc", "icmp", "select", "extractvalue", "phi", "br", "ret", "nop",
    "unreachable",
}


def is_of_words(module, callee):
    """Returns whether a callee only computes on words. A function of the module may also trap."""
    if callee not in module.sources:
        return callee.startswith(OPERATIONS)
    instructions = [i for block in module.function(callee).blocks.values() for i in block]
    return all(i.op in OF_WORDS or i.op == "call" and i.args[0].startswith((*OPERATIONS, "@llvm.trap")) for i in instructions)
