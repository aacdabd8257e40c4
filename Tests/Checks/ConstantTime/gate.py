"""Checks branches, addresses and indirect calls in the compiled code: gate.py DIRECTORY. `emit.sh DIRECTORY` writes the files that this script reads.

1. SHA-2's compression functions and `constantTimeEquals`: no branch, address or size depends on a value read from memory. These values are the message, the
   chaining value and the compared bytes. In comparisons, no branch, address or size depends on a parameter either, because the caller may pass digests in
   registers. Compression functions may use their parameters in this way, because the parameters include public lengths.
2. Field multiplication, squaring and corrections have no conditional branch. In point doubling and point addition, every conditional branch leads to a second
   correction (`_slowPath`). The exceptions are the tests for infinity and equal x: `addVarTime` has at most ADDITION_TESTS branches for these tests.
   `doubleAndAddVarTime` tests for infinity and equal x twice, and has at most DOUBLE_AND_ADD_TESTS branches for these tests.
3. In the functions that signature verification reaches, no call goes through a witness table or to an unspecialised generic function of the module.

Each gate reports how much it checked, and fails if it finds nothing to check.
"""

import pathlib
import re
import sys

ADDITION_TESTS, DOUBLE_AND_ADD_TESTS = 8, 12

failures = 0


def report(condition, text):
    global failures
    failures += not condition
    print(f"{'ok' if condition else 'FAILED':10} {text}")


def functions(path):
    """Returns a file's functions: {symbol: [lines]}."""
    found = {}
    for m in re.finditer(r"^define .*?^\}", path.read_text(), re.M | re.S):
        lines = m[0].split("\n")
        found[re.search(r"@(\"[^\"]+\"|[\w.$-]+)\(", lines[0])[1].strip('"')] = lines
    return found


def dependent_uses(lines, parameters_too):
    """Returns the branches, addresses and sizes that depend on a value read from memory, directly or through other values.

    Also returns divisions and remainders with such values, and calls that pass them to functions outside the list `harmless`. With `parameters_too`, the
    function's integer parameters count as read from memory.
    """
    tainted = set()
    if parameters_too:
        tainted |= set(re.findall(r"\bi(?:8|16|32|64) (?:\w+ )*(%\d+)", lines[0]))
    while True:
        before = len(tainted)
        for line in lines[1:]:
            m = re.match(r"\s+(%\S+) = (.*)", line)
            if m and (m[2].startswith("load ") or set(re.findall(r"%[\w.$-]+", m[2])) & tainted):
                tainted.add(m[1])
        if len(tainted) == before:
            break
    found = []
    for line in lines[1:]:
        text = line.strip()
        rhs = text.split(" = ", 1)[-1]
        used = set(re.findall(r"%[\w.$-]+", rhs)) & tainted
        if not used:
            continue
        if rhs.startswith(("br i1 ", "switch ", "indirectbr ", "getelementptr ", "alloca ")) or re.match(r"[us]?(div|rem) ", rhs):
            found.append(text)
        elif rhs.startswith(("load ", "store ")):
            if re.search(r"ptr (%[\w.$-]+)", rhs)[1] in tainted:
                found.append(text)
        elif re.match(r"(tail |musttail )?call ", rhs):
            callee = re.search(r"@(\"[^\"]+\"|[\w.$-]+)\(", rhs)
            name = callee[1].strip('"') if callee else "?"
            harmless = ("llvm.x86.sha256", "llvm.x86.ssse3.pshuf.b.128", "llvm.fshl", "llvm.fshr", "llvm.bswap", "llvm.vector", "llvm.umin", "llvm.umax", "llvm.lifetime", "$s9PureBytes6isZeroy")
            if not name.startswith(harmless):
                found.append(text)
    return found


def secrets(directory):
    found = functions(directory / "PureSHA2.ll")
    compress = {n: f for n, f in found.items() if "compress" in n and any("fshl" in line for line in f)}
    extensions = directory / "PureSHA2Hardware.ll"
    if extensions.exists():
        hardware = {n: f for n, f in functions(extensions).items() if any("llvm.x86.sha256rnds2" in line for line in f)}
        report(len(hardware) == 1, f"SHA-256 by the SHA extensions: {sum(map(len, hardware.values()))} lines of IR")
        compress |= hardware
    equal = {n: f for n, f in found.items() if n.startswith("$s9PureBytes18constantTimeEquals") and "Digest" in n}
    report(len(compress) >= 2, f"SHA-2: {len(compress)} compression functions, {sum(map(len, compress.values()))} lines of IR")
    report(len(equal) == 3, f"constantTimeEquals: {len(equal)} specialisations for digests")
    for kind, group, parameters_too in (("compression", compress, False), ("comparison", equal, True)):
        for name, lines in group.items():
            # Only a comparison's parameters count as secret. A compression's parameters include public lengths. A comparison has no length parameters, because
            # digests have constant lengths.
            uses = dependent_uses(lines, parameters_too)
            report(not uses, f"{kind} {name[:60]}: {len(uses)} uses of secrets as conditions, addresses or sizes")
            for line in uses[:5]:
                print("           " + line)
    control = dependent_uses(
        ["define i1 @f(ptr %0) {", "  %1 = load i8, ptr %0", "  %2 = icmp eq i8 %1, 0", "  br i1 %2, label %3, label %4", "}"], False)
    report(len(control) == 1, "control: finds a branch on a loaded byte")


def blocks(lines):
    result, label = {"entry": []}, "entry"
    for line in lines[1:]:
        m = re.match(r"(\"[^\"]+\"|[\w.$-]+):", line)
        if m:
            label = m[1]
            result[label] = []
        else:
            result[label].append(line)
    return result


def branch_kinds(lines):
    """Returns the numbers of conditional branches and of branches to a second correction."""
    parts = blocks(lines)
    every = slow = 0
    for part in parts.values():
        for line in part:
            m = re.search(r"\bbr i1 \S+, label %(\S+), label %([^\s,]+)", line)
            every += m is not None
            if m and "!prof" in line:
                targets = [parts.get(m[1], []), parts.get(m[2], [])]
                slow += any("addingOnce" in l or "subtractingOnce" in l for t in targets for l in t)
    return every, slow


def field(directory):
    found = functions(directory / "PureECDSA.ll")
    for curve in ("P256", "P384"):
        straight = {
            "multiplication": f"{curve}FieldV1moi", "squaring": f"{curve}FieldV7squaredACyF",
            "second correction of a sum": f"{curve}FieldV10addingOnce",
            "second correction of a difference": f"{curve}FieldV15subtractingOnce",
        }
        for what, part in straight.items():
            names = [n for n in found if part in n]
            branches = sum(branch_kinds(found[n])[0] for n in names)
            report(len(names) == 1 and branches == 0, f"{curve} {what}: {branches} conditional branches")
        for what, part, allowed in (
            ("doubling", "JacobianPointV6double", 0), ("addition", "JacobianPointV10addVarTime", ADDITION_TESTS),
            ("doubling and addition", "JacobianPointV19doubleAndAddVarTime", DOUBLE_AND_ADD_TESTS),
        ):
            names = [n for n in found if part in n and f"{curve}Curve" in n]
            every, slow = branch_kinds(found[names[0]]) if names else (0, 0)
            report(
                len(names) == 1 and slow > 0 and every - slow <= allowed,
                f"{curve} {what}: {every} conditional branches, {slow} of them to a second correction; at most {allowed} others are allowed")


def specialised(directory):
    source = (directory / "PureECDSA.sil").read_text()
    bodies = {
        m[1]: (m[2], m[3])
        for m in re.finditer(r"^sil [^@\n]*@(\S+) : ([^\n]*) \{\n(.*?)^\} // end sil function", source, re.M | re.S)
    }
    entries = [n for n in bodies if "isValidSignature" in n and re.search(r"SHA(256|384|512)DigestVtF$", n)]
    report(
        len(entries) == 13,
        f"verification: {len(entries)} entry points (two curves, two kinds of key, three digests; P-256 with multiples)")
    reached, stack = set(), list(entries)
    while stack:
        name = stack.pop()
        if name in reached:
            continue
        reached.add(name)
        stack += [n for n in re.findall(r"function_ref @(\S+)", bodies[name][1]) if n in bodies]
    calls = [(n, l.strip()) for n in sorted(reached) for l in bodies[n][1].split("\n") if re.search(r"= (witness_method|class_method) ", l)]
    generic = sorted(n for n in reached if "<τ_0_0" in bodies[n][0].split("(")[0])
    report(len(reached) > 20 and not calls, f"{len(reached)} functions reached: {len(calls)} indirect calls through a table")
    report(not generic, f"{len(generic)} unspecialised generic functions reached")
    for line in [f"{n}: {l}" for n, l in calls][:5] + generic[:5]:
        print("           " + line)
    # The control: some functions that no verification reaches contain calls through a witness table, because they are unspecialised.
    others = [n for n in bodies if n not in reached and "= witness_method " in bodies[n][1]]
    report(bool(others), f"control: {len(others)} unreached functions have indirect calls through a table")


def main():
    directory = pathlib.Path(sys.argv[1])
    secrets(directory)
    field(directory)
    specialised(directory)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
