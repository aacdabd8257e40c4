"""Verifies or rejects the promises of the IR about functions, arguments and calls.

A broken promise makes behaviour undefined. `module.py` checks promises in the text. The executors check the promised size and alignment of each address
argument, and `noalias` (`control.py`).
"""

import functools
import re

from proofs.ir.reading import split_arguments
from proofs.outcomes import Unsupported

# These parts of a call and of the called definition must be equal. Otherwise the way in which arguments are passed is undefined.
CONVENTION = re.compile(r"\b(\w*cc|cc \d+) ")
PASSED = re.compile(r"\b(swiftself|swifterror|swiftasync|sret|inreg|zeroext|signext)\b")
TYPE = re.compile(r"(\{[^{}]*\}|<[^<>]*>|\S+)$")  # the returned type, at the end of the text before the name

# The accepted promises about an address argument. With other promises, the argument would not be the caller's object, or would be dead on return.
KNOWN = re.compile(
    r"\b(noalias|nonnull|noundef|nofree|readonly|writeonly|readnone|swiftself|swifterror|swiftasync|inreg"
    r"|captures\([^()]*\)|dereferenceable\(\d+\)|align \d+|sret\([^()]*\)|initializes\((?:\(\d+, \d+\)(?:, )?)+\)) ")
ADDRESS = re.compile(r'ptr ([%@]("[^"]*"|\S+)|null|undef|poison|getelementptr .*)')
NOT_READ, NOT_WRITTEN = re.compile(r"\b(readnone|writeonly)\b"), re.compile(r"\b(readnone|readonly)\b")

# Promises that a call may make only if the called function makes the same promises.
MORE = re.compile(r"\b(noalias|readnone|readonly|writeonly|returned|initializes\(\(.*?\)\))")

# Matches a definition that another definition may replace, because of its linkage.
REPLACED = re.compile(r"define (weak|linkonce|available_externally|extern_weak|common) ")

# BEHIND: the text after a definition's parameters. HARMLESS: attributes that cannot make behaviour undefined here, because no proven function loops forever,
# throws or frees memory.
BEHIND = re.compile(r"(?: local_unnamed_addr| unnamed_addr)?(?: (#\d+))?(?: comdat(?:\([^()]*\))?)?(?: !dbg !\d+)? \{")
HARMLESS = {"mustprogress", "nofree", "norecurse", "nosync", "nounwind", "willreturn", "sspreq", "noinline", "minsize", "optsize"}
MEMORY = {
    "none": "readnone", "argmem: none": "readnone", "argmem: read": "readonly", "read": "readonly", "argmem: write": "writeonly", "write": "writeonly",
    "argmem: readwrite": "", "readwrite": "",
}


def convention(head, arguments):
    """Returns the calling convention, and the type and passing mode of the result and of each argument. `head`: the text before the function's name."""
    returned = TYPE.search(head.strip())[1]
    return str((CONVENTION.findall(head), PASSED.findall(head), returned, [(type_of(argument), PASSED.findall(argument)) for argument in split_arguments(arguments)]))


def type_of(argument):
    return argument[: argument.index(">") + 1] if argument.startswith("<") else argument.split()[0]


def of_pointers(arguments):
    """Returns the promises about addresses: (position, bytes, alignment, ranges written before they are read)."""
    found = []
    for position, argument in enumerate(split_arguments(arguments)):
        if argument.startswith("ptr ") and not ADDRESS.fullmatch(KNOWN.sub("", argument)):
            raise Unsupported("a promise: " + argument)
        sizes = [int(n) for n in re.findall(r"\bdereferenceable\((\d+)\)", argument)]
        parts = [(int(start), int(end)) for start, end in re.findall(r"\((\d+), (\d+)\)", argument)] if "initializes" in argument else []
        sizes += [end for _, end in parts]
        alignments = [int(n) for n in re.findall(r"\balign (\d+)", argument)]
        if sizes or alignments:
            found.append((position, max(sizes, default=0), max(alignments, default=1), parts))
    return tuple(found)


@functools.cache
def attributes(text, name):
    """Returns the attributes of an attribute group, without the quoted target attributes."""
    found = re.search(rf"^attributes {name} = \{{ (.*) \}}$", text, re.M)
    if found is None:
        raise Unsupported("the attributes " + name)
    return re.sub(r'"[^"]*"(="[^"]*")?', "", found[1])


def of_memory(given):
    """Returns what a function's attributes promise about the memory of the arguments. Requires that all other attributes are harmless."""
    promised = re.findall(r"\bmemory\(([^()]*)\)", given)
    others = set(re.sub(r"\bmemory\([^()]*\)", "", given).split()) - HARMLESS
    if others or any(kind not in MEMORY for kind in promised):
        raise Unsupported("a promise: " + given)
    return " ".join(MEMORY[kind] for kind in promised)


def require_kept(function, parameters, of_all, definition):
    """Requires that a function accesses the memory of its arguments only as its parameters promise. `of_all`: promises that apply to every argument;
    `definition`: returns the parameters of a callee.
    """
    for parameter, name in zip(split_arguments(parameters), function.parameters):
        promised = parameter + " " + of_all
        if type_of(parameter) == "ptr" and (NOT_READ.search(promised) or NOT_WRITTEN.search(promised)):
            names = addresses(function, name)
            for i in function.instructions:
                read, written = reached(i, names, definition)
                if read and NOT_READ.search(promised) or written and NOT_WRITTEN.search(promised):
                    raise Unsupported("a promise of memory: " + i.text)


def addresses(function, name):
    """Returns the names of all addresses that are derived from `name`."""
    found, before = {name}, 0
    while len(found) > before:
        before = len(found)
        for i in function.instructions:
            if i.op == "getelementptr" and i.args[1] in found or i.op in ("phi", "select", "insertvalue") and any(n in i.text.split(" = ", 1)[1] for n in spelled(found)):
                found.add(i.dest)
    return found


def spelled(names):
    return [name + end for name in names for end in (" ", ",")]


def reached(i, names, definition):
    """Returns whether an instruction reads memory at one of the addresses, and whether it writes there."""
    if i.op == "load":
        return i.args[1] in names, False
    if i.op == "store":
        return i.args[1] in names, i.args[2] in names or i.args[1] in names
    if i.op != "call" or i.args[0].startswith("@llvm.lifetime."):
        return False, False
    callee, arguments = i.args
    given = [position for position, (_, name) in enumerate(arguments) if name in names]
    if callee.startswith("@llvm.mem"):
        return 1 in given, 0 in given
    start = i.text.index(callee) + len(callee) + 1
    texts = [split_arguments(i.text[start : i.text.rindex(")")]), split_arguments(definition(callee) or "")]
    promised = [" ".join(text[position] for text in texts if position < len(text)) for position in given]
    return any(not NOT_READ.search(text) for text in promised), any(not NOT_WRITTEN.search(text) for text in promised)
