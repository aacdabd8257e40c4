"""Writes and builds a copy of the package with every mutant behind a switch."""

import json
import os
import re
import subprocess

from points import Points, declaration, rewrite, symbol

# Each copy of the package contains the mutants of one group: the modules for App Attest, Android, the server's rules, or purchases. A group consists of mutated
# modules, additional test targets and other required targets. PureAttestTestingTests are included, because they cover PureAttest's policies.
GROUPS = [
    (["PureDER", "PureCBOR", "PureX509", "PureX509Paths", "PureSignedContent", "PureAttest"], ["PureAttestTestingTests"], []),
    (["PureRSA", "PureKeyAttestation"], [], ["PureDER", "PureCBOR", "PureX509", "PureX509Paths", "PureSignedContent", "PureAttest", "PureKeyAttestationTesting", "RSATestKeys", "AllocationCounting"]),
    (["PureAttestServerCore", "PureAttestPurchasesCore"], ["PureAttestServerTests", "PureAttestPurchasesTests"], ["PureDER", "PureCBOR", "PureX509", "PureX509Paths", "PureSignedContent", "PureAttest", "PureKeyAttestation", "PureKeyAttestationTesting", "PureAttestServer", "PureAttestServerMessages", "PureAttestStoreTesting", "PureJWS", "PureAppStore", "PureAppStoreTesting", "PureAttestPurchasesMessages", "PureAttestPurchases"]),
    (["PureJSON", "PureJWS", "PureAppStore"], [], ["PureDER", "PureCBOR", "PureX509", "PureX509Paths", "PureSignedContent", "PureAttest", "PureAppStoreTesting"]),
]
MODULES = [module for modules, _, _ in GROUPS for module in modules]
# Modules that all groups or their tests depend on.
COMMON = [
    "PureBytes", "PureProcessor", "PureSHA2Hardware", "PureECDSALanes", "PureSHA2", "PureJSON", "PureECDSA", "PureRSA", "PureAttestTesting", "ReferenceModel", "VectorSupport", "DebugSampling", "CertificateDrafts"]

# The copy adds these functions to each module, so that the other files of the module need no import.
SWITCHES = """internal import MutationSwitch

@inline(__always)
func _mutant(_ number: Int32) -> Bool { mutation_is(number) }

@inline(__always)
func _either<T>(_ number: Int32, _ mutant: T, _ original: T) -> T { mutation_is(number) ? mutant : original }
"""

# All targets except the tests are optimised. This makes signature verification fast enough for the tests to run all their cases instead of samples.
MANIFEST = """
package.products = []
package.targets = package.targets.filter { %(kept)s.contains($0.name) }
// Without the modules that no test here depends on.
var needed = Set(package.targets.filter { $0.isTest }.map { $0.name }), known = 0
while known < needed.count {
    known = needed.count
    for target in package.targets where needed.contains(target.name) {
        for case .targetItem(let name, _) in target.dependencies { needed.insert(name) }
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
}
package.targets = package.targets.filter { needed.contains($0.name) }
for target in package.targets {
    if !target.isTest { target.swiftSettings?.append(.unsafeFlags(["-O", "-DALL_CASES", "-suppress-warnings", "-Xfrontend", "-solver-expression-time-threshold=5"])) }
    if %(mutated)s.contains(target.name) { target.dependencies.append("MutationSwitch") }
}
package.targets.append(.target(name: "MutationSwitch"))
"""


class Failure(Exception):
    """A one-line error."""


def find_mutants(root):
    """Returns the working tree's mutants with their numbers, and the omitted changes."""
    files, left_out, number = {}, {}, 0
    for group, module in ((g, module) for g, (modules, _, _) in enumerate(GROUPS) for module in modules):
        for folder, folders, names in os.walk(os.path.join(root, "Sources", module)):
            folders[:] = sorted(f for f in folders if f != "Generated" and not f.endswith(".docc"))
            for name in sorted(n for n in names if n.endswith(".swift")):
                path = os.path.join(folder, name)
                relative = os.path.relpath(path, os.path.join(root, "Sources"))
                with open(path, encoding="utf-8") as file:
                    points = Points(relative, file.read())
                for reason, count in points.left_out.items():
                    left_out[reason] = left_out.get(reason, 0) + count
                for mutant in points.mutants:
                    mutant.number, number = number, number + 1
                    mutant.group, mutant.module = group, module
                files[relative] = points
    return files, left_out


class Scratch:
    """A copy of the package, kept so that the next build is short. The copy contains the mutants of a group, or the mutants of one module and the tests that
    must notice them.
    """

    def __init__(self, root, folder, progress, group, module=None, killers=()):
        self.root, self.folder, self.progress = root, folder, progress
        modules, more_tests, others = GROUPS[group]
        test_targets = [f"{module}Tests" for module in modules] + more_tests
        self.modules = [module] if module else modules
        self.test_targets = [target for target in test_targets if not module or target in killers]
        self.targets = list(dict.fromkeys(modules + self.test_targets + COMMON + others))

    def write(self, files, excluded):
        """Copies the package. Does not rewrite unchanged files, so that the compiler skips them."""
        listing = subprocess.run(
            ["git", "-C", self.root, "ls-files", "-co", "--exclude-standard", "Sources", "Tests", "Vectors", "README.md"],
            check=True, capture_output=True, text=True).stdout.split("\n")
        wanted = set()
        for name in filter(None, listing):
            top = name.split("/")
            target = (top + [""])[2 if top[:2] == ["Tests", "Support"] else 1]
            is_other = top[0] in ("Sources", "Tests") and target not in self.targets
            if is_other or not os.path.exists(os.path.join(self.root, name)):
                continue
            relative = os.path.relpath(name, "Sources")
            if relative in files and top[1] in self.modules:
                mutants = [m for m in files[relative].mutants if m.identity not in excluded]
                text = rewrite(files[relative].source.text, mutants)
                # Removes the attributes of inlinable code, which is part of the module's interface and so must not use the switches. Without the attributes, it
                # is ordinary code.
                content = re.sub(r"@(inlinable|usableFromInline)\b", "", text).encode()
            else:
                with open(os.path.join(self.root, name), "rb") as file:
                    content = file.read()
            self.put(name, content, wanted)
        for module in self.modules:
            mutants = [m for name, points in files.items() if name.startswith(module + "/") for m in points.mutants]
            text = SWITCHES + "\n".join(declaration(m) for m in mutants if m.operator and m.identity not in excluded)
            self.put(f"Sources/{module}/MutationSwitches.swift", text.encode(), wanted)
        here = os.path.dirname(os.path.abspath(__file__))
        for name in ("MutationSwitch.c", "include/MutationSwitch.h"):
            with open(os.path.join(here, "MutationSwitch", name), "rb") as file:
                self.put(f"Sources/MutationSwitch/{name}", file.read(), wanted)
        with open(os.path.join(self.root, "Package.swift"), encoding="utf-8") as file:
            manifest = file.read() + MANIFEST % {"kept": json.dumps(self.targets), "mutated": json.dumps(self.modules)}
        self.put("Package.swift", manifest.encode(), wanted)
        for top in ("Sources", "Tests", "Vectors"):
            for folder, _, names in os.walk(os.path.join(self.folder, top)):
                for name in names:
                    path = os.path.join(folder, name)
                    if os.path.relpath(path, self.folder) not in wanted:
                        os.remove(path)

    def put(self, name, content, wanted):
        wanted.add(name)
        path = os.path.join(self.folder, name)
        if os.path.exists(path):
            with open(path, "rb") as file:
                if file.read() == content:
                    return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)

    def swift(self, *arguments):
        return subprocess.run(
            ["swift", *arguments, "--package-path", self.folder], capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def build(self, files, excluded):
        """Builds the tests. Adds the mutants for which the compiler reports errors to `excluded`."""
        for module in [*self.modules, None]:
            while True:
                self.write(files, excluded)
                self.progress(f"building {module or 'the tests'}")
                result = self.swift("build", *(["--target", module] if module else ["--build-tests"]))
                if result.returncode == 0:
                    break
                refused = self.refused(result.stdout + result.stderr, files, excluded)
                if not refused:
                    raise Failure(f"the copy does not build:\n{result.stdout[-3000:]}{result.stderr[-3000:]}")
                excluded |= refused
        path = self.swift("build", "--show-bin-path").stdout.strip()
        return os.path.join(path, "PureAttestPackageTests.xctest")

    def refused(self, output, files, excluded):
        """Returns the mutants to which the errors belong: the innermost one around an error, else all on the same line or the nearest line above."""
        by_number = {m.number: m for points in files.values() for m in points.mutants}
        by_symbol = {symbol(m): m.number for m in by_number.values() if m.operator}
        of_operators = re.compile("|".join(re.escape(s) for s in sorted(by_symbol, reverse=True)))
        found = set()
        for path, line, column, message in re.findall(r"^(/[^:\n]+):(\d+):(\d+): error: (.*)", output, re.MULTILINE):
            relative = os.path.relpath(path, os.path.join(self.folder, "Sources"))
            if relative not in files:
                continue
            with open(path, encoding="utf-8") as file:
                text = file.read()
            lines = text.split("\n")
            # The compiler's columns count octets.
            offset = len(lines[int(line) - 1].encode()[: int(column) - 1].decode())
            place = sum(len(l) + 1 for l in lines[: int(line) - 1]) + offset
            here = of_operators.match(lines[int(line) - 1], offset)
            around = [(0, by_symbol[here.group()])] if here else []
            for match in re.finditer(r"\(_mutant\((\d+)\)|_either\((\d+)|if !_mutant\((\d+)\) \{", text):
                number = int(next(filter(None, match.groups())))
                end = closing(text, match.start() + match.group().rindex("{" if match.group().startswith("if") else "("))
                if match.group().startswith("(_"):
                    end = closing(text, match.start())
                if match.start() <= place <= end:
                    around.append((end - match.start(), number))
            if "type-check this expression in reasonable time" in message:
                excerpt = "\n".join(lines[int(line) - 1 : int(line) + 5])
                numbers = [int(n) for n in re.findall(r"_(?:mutant|either)\((\d+)", excerpt)]
                numbers += [by_symbol[s] for s in of_operators.findall(excerpt)]
            else:
                numbers = [min(around)[1]] if around else []
            above = int(line)
            while not numbers and above > 0:
                above -= 1
                numbers = [int(n) for n in re.findall(r"_(?:mutant|either)\((\d+)", lines[above])]
            found |= {by_number[n].identity for n in numbers}
        return found - excluded


def closing(text, start):
    """Returns the index of the bracket that closes the bracket at `start`. Does not recognise string literals, which is sufficient here."""
    depth = 0
    for index in range(start, len(text)):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[index], 0)
        if depth == 0:
            return index
    return len(text)
