"""What the IR promises of a function and of what it is given, and how it is called: each is shown here, or refused, as a broken promise is undefined.

`module.py` asks for what is seen in the text; `execute.py` asks of each address it is given whether so many bytes are there, and whether it is aligned.
"""

import functools
import re

from proofs.ir.reading import split_arguments
from proofs.outcomes import Unsupported

# What of a call and of a definition has to be the same, or it is undefined where the arguments are.
CONVENTION = re.compile(r"\b(\w*cc|cc \d+) ")
PASSED = re.compile(r"\b(swiftself|swifterror|swiftasync|sret|inreg|zeroext|signext)\b")
TYPE = re.compile(r"(\{[^{}]*\}|<[^<>]*>|\S+)$")  # what is returned, at the end of what is before the name

# What may be said of an argument that is an address. Others make it another object than the caller's, or one that is dead on return.
KNOWN = re.compile(
    r"\b(noalias|nonnull|noundef|nofree|readonly|writeonly|readnone|swiftself|swifterror|swiftasync|inreg"
    r"|captures\([^()]*\)|dereferenceable\(\d+\)|align \d+|sret\([^()]*\)|initializes\((?:\(\d+, \d+\)(?:, )?)+\)) ")
ADDRESS = re.compile(r'ptr ([%@]("[^"]*"|\S+)|null|undef|poison|getelementptr .*)')
NOT_READ, NOT_WRITTEN = re.compile(r"\b(readnone|writeonly)\b"), re.compile(r"\b(readnone|readonly)\b")

# What a call promises more than the function that is called.
MORE = re.compile(r"\b(readnone|readonly|writeonly|returned|initializes\(\(.*?\)\))")

# Another definition may take the place of this one.
REPLACED = re.compile(r"define (weak|linkonce|available_externally|extern_weak|common) ")

# What is behind the parameters of a definition, and the attributes that make nothing undefined here: no function that is proven loops, throws or frees.
BEHIND = re.compile(r"(?: local_unnamed_addr| unnamed_addr)?(?: (#\d+))?(?: comdat(?:\([^()]*\))?)?(?: !dbg !\d+)? \{")
HARMLESS = {"mustprogress", "nofree", "norecurse", "nosync", "nounwind", "willreturn", "sspreq", "noinline", "minsize", "optsize"}
MEMORY = {
    "none": "readnone", "argmem: none": "readnone", "argmem: read": "readonly", "read": "readonly", "argmem: write": "writeonly", "write": "writeonly",
    "argmem: readwrite": "", "readwrite": "",
}


def convention(head, arguments):
    """The calling convention, the type and how it is returned, which are written before a function's name; of each argument its type and how it is passed."""
    returned = TYPE.search(head.strip())[1]
    return str((CONVENTION.findall(head), PASSED.findall(head), returned, [(type_of(argument), PASSED.findall(argument)) for argument in split_arguments(arguments)]))


def type_of(argument):
    return argument[: argument.index(">") + 1] if argument.startswith("<") else argument.split()[0]


def of_pointers(arguments):
    """(position, bytes, alignment, what is written before it is read) that are promised of addresses."""
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
    """The attributes of a group, those of a machine left out."""
    found = re.search(rf"^attributes {name} = \{{ (.*) \}}$", text, re.M)
    if found is None:
        raise Unsupported("the attributes " + name)
    return re.sub(r'"[^"]*"(="[^"]*")?', "", found[1])


def of_memory(given):
    """What attributes of a function promise of the memory that it is given; others must be harmless."""
    promised = re.findall(r"\bmemory\(([^()]*)\)", given)
    others = set(re.sub(r"\bmemory\([^()]*\)", "", given).split()) - HARMLESS
    if others or any(kind not in MEMORY for kind in promised):
        raise Unsupported("a promise: " + given)
    return " ".join(MEMORY[kind] for kind in promised)


def require_kept(function, parameters, of_all, definition):
    """That a function reads and writes what it is given as its parameters promise, `of_all` what is promised of each. `definition`: the parameters of a callee."""
    for parameter, name in zip(split_arguments(parameters), function.parameters):
        promised = parameter + " " + of_all
        if type_of(parameter) == "ptr" and (NOT_READ.search(promised) or NOT_WRITTEN.search(promised)):
            names = addresses(function, name)
            for i in function.instructions:
                read, written = reached(i, names, definition)
                if read and NOT_READ.search(promised) or written and NOT_WRITTEN.search(promised):
                    raise Unsupported("a promise of memory: " + i.text)


def addresses(function, name):
    """The names of addresses that are made of one."""
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
    """Whether an instruction reads, and whether it writes, what is at one of the addresses."""
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
