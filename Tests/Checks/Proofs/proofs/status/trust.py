"""Collects what the proofs trust: `unsafe` expressions, attributes, compiler flags, and parts named in docstrings."""

import ast
import pathlib
import re

from proofs.build import embedded, release
from proofs.places import SOURCES

PACKAGE = pathlib.Path(__file__).parents[1]
MODULES = ("PureECDSA", "PureSHA2")
# Omits flags that depend on the machine or the folder: paths, the number of parallel jobs, the package name (the folder's name).
WITH_VALUE = {"-num-threads", "-package-name"}
OF_THE_MACHINE = re.compile(r"-(I|F|L|j|sdk|module-cache-path|num-threads|index\S*|resource-dir|Isystem|isystem|plugin-path|tools-directory|emit\S*|parseable\S*)|/.*|.*/.*")


def sources():
    return [(path, path.read_text()) for module in MODULES for path in sorted((SOURCES / module).rglob("*.swift"))]


def lines_with(pattern):
    """Returns [(file, line)] for the matching lines of the sources, without comments."""
    found = []
    for path, text in sources():
        for line in text.splitlines():
            code = line.split("//")[0]
            if re.search(pattern, code):
                found.append((str(path.relative_to(SOURCES)), code.strip()))
    return found


def unsafe_expressions():
    return lines_with(r"\bunsafe\b")


def never_inlined():
    """Finds functions with an attribute that prevents inlining. A proof of such a function covers the code that every caller runs."""
    found = []
    for path, text in sources():
        found += [(str(path.relative_to(SOURCES)), " ".join(m[1].split())) for m in re.finditer(r"@inline\(never\)\s*([^{=]*?)\s*(?=\{|$)", text, re.M)]
    return found


def flags():
    """Returns {compilation: compiler flags}."""
    found = {}
    for module in MODULES:
        arguments = release.module_arguments(release.compilation(module)[0])[1:]
        values = {i + 1 for i, a in enumerate(arguments) if a in WITH_VALUE}
        arguments = [a for i, a in enumerate(arguments) if i not in values and a not in WITH_VALUE]
        found[f"{module}, release"] = [a for a in arguments if not OF_THE_MACHINE.fullmatch(a) and not re.match(r"-(I|j\d|module-cache-path)", a)]
    return found | {target: embedded.flags(target) for target in embedded.OPTIMISATION}


def trusted():
    """Returns [(file, the text after `Trusted` in its docstring)]."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        text = " ".join((ast.get_docstring(ast.parse(path.read_text())) or "").split())
        m = re.search(r"Trusted: (.*)$", text)
        if m and not re.match(r"(nothing|by no proof)\b", m[1]):
            found.append((str(path.relative_to(PACKAGE.parent)), m[1]))
    return found


def assumptions(claims):
    """Returns [(statement, assumption)] without duplicates."""
    return sorted({(claim.name, assumption) for claim in claims for assumption in claim.trusts})
