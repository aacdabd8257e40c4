"""The stored outcomes of the mutants: results.txt, survivors.toml and summary.md."""

import collections
import os
import tomllib

import schemata

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, "results.txt")
SURVIVORS = os.path.join(HERE, "survivors.toml")
# These files explain verdicts but do not affect them. Mutants in these files run only if --only selects them.
EXPLANATIONS = ("PureAttest/Report/", "PureKeyAttestation/KeyAttestationReport.swift")


def read_results(files):
    """Returns {identity of a mutant: outcome}. The outcome is the test that killed it, `crash`, `time`, `survived` or `does not compile`. Omits functions whose
    text changed.
    """
    results, file, function, digests, is_current = {}, "", "", {}, False
    if not os.path.exists(RESULTS):
        return results
    with open(RESULTS, encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line.startswith("# ") or not line:
                continue
            if line.startswith("  "):
                outcome, rest = line.strip().split("\t")
                if is_current:
                    results[f"{file}: {function}: {rest}"] = outcome
            elif line.startswith(" "):
                function, digest = line.strip().split("\t")
                is_current = digests.get(function) == digest
            else:
                file = line
                digests = files[file].digests() if file in files else {}
    return results


def write_results(results, files):
    """Writes the outcomes by file and function, in source order, with a hash of each function's text."""
    with open(RESULTS, "w", encoding="utf-8") as out:
        out.write("# What killed each mutant. Written by Tests/Checks/Mutation/run.sh --all; summary.md has the counts.\n")
        for name, points in files.items():
            known = [m for m in points.mutants if m.identity in results]
            if not known:
                continue
            out.write(f"{name}\n")
            function, digests = None, points.digests()
            for mutant in known:
                if mutant.function != function:
                    function = mutant.function
                    out.write(f" {function}\t{digests[function]}\n")
                rest = mutant.identity.removeprefix(f"{name}: {function}: ")
                out.write(f"  {results[mutant.identity]}\t{rest}\n")


def read_survivors():
    """Returns {identity: reason}."""
    with open(SURVIVORS, "rb") as file:
        return {mutant: group["reason"] for group in tomllib.load(file).get("group", []) for mutant in group["mutants"]}


def summary(results, reasons, mutants, left_out):
    rows = collections.defaultdict(collections.Counter)
    left_out = dict(left_out)
    left_out["mutants of reports, which explain and decide nothing"] = sum(m.file.startswith(EXPLANATIONS) for m in mutants)
    for mutant in mutants:
        if mutant.file.startswith(EXPLANATIONS):
            continue
        outcome = results.get(mutant.identity, "not run")
        kind = outcome if outcome in ("survived", "does not compile", "not run") else "killed"
        for key in (mutant.file.split("/")[0], "all"):
            rows[key][kind] += 1
            if kind == "killed" and outcome in ("crash", "time"):
                rows[key][outcome] += 1
    lines = ["# Mutation testing of the rules", "", "Written by `Tests/Checks/Mutation/run.sh --all`; what killed each mutant is in `results.txt`.", ""]
    lines += ["| module | mutants | killed | by a trap | by the time limit | survived | killed, % |", "|---|---|---|---|---|---|---|"]
    for name in [*schemata.MODULES, "all"]:
        row = rows[name]
        run = row["killed"] + row["survived"]
        lines.append(
            f"| {name} | {run} | {row['killed']} | {row['crash']} | {row['time']} | {row['survived']} | {percent(row['killed'], run)} |")
    lines += ["", "Not changed, or not run:", ""]
    lines += [f"- {count} {reason}" for reason, count in sorted(left_out.items())]
    lines += [f"- {rows['all']['does not compile']} mutants that do not compile"]
    lines += [f"- {rows['all']['not run']} mutants of functions that have changed since (`Tests/Checks/Mutation/run.sh --resume` runs them)"
              ] if rows["all"]["not run"] else []
    lines += [""]
    lines += ["Survivors, by reason (`survivors.toml` lists each):", ""]
    counts = collections.Counter(reasons[m.identity] for m in mutants if m.identity in reasons)
    lines += [f"- {count}: {reason}" for reason, count in counts.most_common()]
    return "\n".join(lines) + "\n"


def percent(part, whole):
    # Rounds down, so that a share just below the required share is not printed as the required share.
    return f"{1000 * part // whole / 10 if whole else 0:.1f}"
