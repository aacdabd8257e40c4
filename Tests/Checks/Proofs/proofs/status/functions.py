"""Finds the functions of the source that a verification runs, and the share of their code that the proofs read.

The code of a verification consists of all IR functions that its entry points reach by name, directly or indirectly. It does not include functions that are
called only through a witness table. The debug information assigns each instruction to a function of the source, and to every function into which that function
was inlined.

The status of a function:
- *proven*: proofs read all of its instructions, including inlined copies;
- *in part*: proofs read some of them;
- *tested*: proofs read none.
"""

import collections
import functools
import re
import subprocess

from proofs.statements.reached import instructions, reached

# Demangled names of the functions that a relying party calls.
ENTRIES = re.compile(
    r"Signing\.(PublicKey|PrecomputedPublicKey|PublicKeyMultiples)\.(isValidSignature|init)\b|ECDSASignature\.init\b"
    r"|^(static )?(SHA256|SHA384|SHA512|HashFunction)\.(hash|update|finalize|init)\b")
OWN = re.compile(r"^\$[se]+\d*.*(9PureECDSA|8PureSHA2)")
NODE = re.compile(r"^!(\d+) = (?:distinct )?!(DILocation|DILexicalBlock|DILexicalBlockFile|DISubprogram)\((.*)\)$", re.M)
LOCATION = re.compile(r", !dbg !(\d+)")
SYMBOL = re.compile(r'@(?:"[^"]+"|[\w.$-]+)')
# Functions that the compiler generates for a type. They are not functions of the source.
MADE = re.compile(r"witness|metadata|outlined|accessor|Tag|initialize|destroy|assign|^__swift|conformance|^\$|unsafeMutableAddressor|^Driver|_(?:\w+)\(_:_:")


class Names:
    """Maps the instructions of one IR file to the functions of the source."""

    def __init__(self, text):
        self.nodes = {number: (kind, fields) for number, kind, fields in NODE.findall(text)}
        self.known = {}

    def of(self, location):
        """Returns the mangled names, innermost function first."""
        if location not in self.known:
            _, fields = self.nodes[location]
            inlined_at = re.search(r"\binlinedAt: !(\d+)", fields)
            self.known[location] = [self.function(fields)] + (self.of(inlined_at[1]) if inlined_at else [])
        return self.known[location]

    def function(self, fields):
        scope = re.search(r"\bscope: !(\d+)", fields)[1]
        kind, fields = self.nodes.get(scope, ("DISubprogram", ""))
        if kind != "DISubprogram":
            return self.function(fields)
        name = re.search(r'\blinkageName: "([^"]*)"', fields)
        return name[1] if name else ""


def demangled(names):
    """Returns {mangled name: name in the source}."""
    names = sorted(names)
    printed = subprocess.run(["swift-demangle", "-simplified"], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    return dict(zip(names, map(simplified, printed.split("\n"))))


def simplified(name):
    """Removes prefixes and suffixes: `specialized static PrimeCurve.verify(_:_:multiply:)` becomes PrimeCurve.verify(_:_:multiply:)."""
    name = re.sub(r"^(?:(?:merged|specialized|generic specialization <.*?> of|partial apply for|closure #\d+ (?:\(.*?\) )?in|implicit closure #\d+ in|static|thunk for) )+", "", name)
    name = re.sub(r" (?:in|of) P(?:256|384)\w*$|\.getter$| infix\(_:_:\)$|\(\)$", "", name)
    return re.sub(r"^(?:specialized |static )+", "", name)


class Code:
    """The functions of a target's IR that a verification reaches."""

    def __init__(self, modules):
        self.modules = modules
        self.sources = {name: (module, text) for module in modules.values() for name, text in module.sources.items()}
        names = {name: name[1:].strip('"') for name in self.sources}
        written = demangled(set(names.values()))
        stack = [name for name, mangled in names.items() if ENTRIES.search(written[mangled]) and OWN.match(mangled)]
        self.reached = set()
        while stack:
            name = stack.pop()
            if name not in self.reached:
                self.reached.add(name)
                stack += [symbol for symbol in SYMBOL.findall(self.sources[name][1]) if symbol in self.sources]

    def counts(self, read):
        """Returns {mangled name: (number of instructions, number of instructions that proofs read, statements that read them)}. `read`: for each function of
        the IR, {location: [statements of each instruction that is read]}.
        """
        names = functools.cache(lambda module, file: Names(module.texts[file]))
        found = collections.defaultdict(lambda: [0, 0, set()])
        for symbol in sorted(self.reached):
            module, text = self.sources[symbol]
            of_file = names(module, module.files[symbol])
            every = collections.Counter(m[1] for line in text.split("\n")[1:] if "#dbg_" not in line for m in LOCATION.finditer(line))
            proven = read.get(symbol, {})
            for location, count in every.items():
                statements = proven.get(location, [])
                for name in set(of_file.of(location)):
                    if OWN.match(name):
                        total = found[name]
                        total[0] += count
                        total[1] += min(count, len(statements))
                        total[2].update(*statements)
        return found


def read_by_proofs(modules, claims):
    """Returns {function of the IR: {location: [statements of each instruction that is read]}}."""
    found = {}
    for key, of_module in claims.items():
        by_instruction = {}
        for claim in of_module:
            for name, (function, _) in reached(modules[key], [claim]).items():
                for _, _, i in instructions(modules[key], claim, function):
                    by_instruction.setdefault((name, id(i)), (i, set()))[1].add(claim.name)
        for (name, _), (i, statements) in by_instruction.items():
            found.setdefault(name, collections.defaultdict(list))[i.location].append(statements)
    return found


def statuses(modules, claims):
    """Returns {function of the source: (status, statements that read its code)} for one target."""
    counts = Code(modules).counts(read_by_proofs(modules, claims))
    written, total = demangled(counts), {}
    for mangled, (count, proven, statements) in counts.items():
        name = written[mangled]
        if not MADE.search(name):
            before = total.setdefault(name, [0, 0, set()])
            before[0], before[1] = before[0] + count, before[1] + proven
            before[2] |= statements
    return {
        name: ("proven" if proven == count else "in part" if proven else "tested", sorted(statements)) for name, (count, proven, statements) in total.items()
    }
