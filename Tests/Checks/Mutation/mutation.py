"""Changes one rule of the modules at a time, and checks that the tests notice each change: see run.sh."""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

import schemata

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
RESULTS = os.path.join(HERE, "results.txt")
SURVIVORS = os.path.join(HERE, "survivors.toml")
REQUIRED = 0.97
# The maximum share of mutants without a stored outcome. This allows the commit of a changed function before its mutants have run. A sample runs mutants without
# an outcome first.
MAY_BE_UNKNOWN = 0.2
# (factor, seconds). The time limit of a mutant is `factor` times the normal time of its tests, plus `seconds`. Both are processor time, because the machine may
# run other programs. Ten times this limit is the limit of elapsed time, because a mutant may wait without using a processor.
PATIENCE = (8, 10)
MEMORY = 6 << 30
# The tests that must detect a module's mutants: the module's own tests and, for CMS in PureX509, PureAttest's receipt tests.
KILLERS = {
    "PureDER": ["PureDERTests"], "PureCBOR": ["PureCBORTests"], "PureX509": ["PureX509Tests", "PureX509PathsTests", "PureAttestTests"],
    "PureX509Paths": ["PureX509PathsTests"],
    "PureSignedContent": ["PureAttestTests", "PureKeyAttestationTests"],
    "PureAttest": ["PureAttestTests", "PureAttestTestingTests"],
    "PureRSA": ["PureRSATests"], "PureKeyAttestation": ["PureKeyAttestationTests"],
    "PureAttestServerCore": ["PureAttestServerTests", "PureAttestPurchasesTests"], "PureAttestPurchasesCore": ["PureAttestPurchasesTests"],
    "PureJSON": ["PureJSONTests", "PureJWSTests", "PureAppStoreTests"], "PureJWS": ["PureJWSTests", "PureAppStoreTests"],
    "PureAppStore": ["PureAppStoreTests"],
}
# These files explain verdicts but do not affect them. Mutants in these files run only if --only selects them.
EXPLANATIONS = ("PureAttest/Report/", "PureKeyAttestation/KeyAttestationReport.swift")
# Omits tests that need more than this number of processor seconds. Such tests change every byte of an input, or many random bytes, and would need more time
# than all other tests together.
LONGEST = 1
FAILED = "\u2718"  # Swift Testing's mark in front of a failure.


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


class Runner:
    """Runs the tests of the package's copy with at most one mutant enabled."""

    def __init__(self, binary, test_targets):
        self.binary = binary
        listing = subprocess.run([binary, "--testing-library", "swift-testing", "--list-tests"], capture_output=True, text=True, check=True)
        self.tests = [t for t in listing.stdout.split("\n") if t.split(".")[0] in test_targets]
        if not self.tests:
            raise schemata.Failure("the copy has no tests")

    def run(self, tests, mutant=None, reached=None, limit=600, used=None):
        """Returns None if all tests pass, else the first failure: a test's name, `crash` or `time`. Appends the run's time to `used`. Times are in
        processor seconds.
        """
        # Backtraces are off, because printing one after a crash takes seconds and may never end.
        environment = dict(os.environ, NO_COLOR="1", SWIFT_BACKTRACE="enable=no")
        if mutant is not None:
            environment["PUREATTEST_MUTANT"] = str(mutant)
        if reached:
            environment["PUREATTEST_REACHED"] = reached
        filters = [f"--filter=^{re.escape(t)}(/|$)" for t in tests]
        process = subprocess.Popen(
            ["prlimit", f"--as={MEMORY}", f"--cpu={limit:.0f}", self.binary, "--testing-library", "swift-testing", *filters],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment, text=True, errors="replace")
        expired = threading.Event()

        def stop():
            expired.set()
            process.kill()

        timer = threading.Timer(10 * limit, stop)
        timer.start()
        failure, count = None, None
        try:
            for line in process.stdout:
                match = re.match(rf"(?:\x1b\[\d+m)?{FAILED}(?:\x1b\[0m)?\s+Test (?!run|case)(\S+\)|\"[^\"]*\")", line)
                if match:
                    failure = match.group(1)
                    process.kill()
                    break
                match = re.search(r"Test run with (\d+) tests?", line)
                if match:
                    count = int(match.group(1))
        finally:
            timer.cancel()
            process.stdout.close()
            if used is None:
                status = process.wait()
            else:
                _, waited, usage = os.wait4(process.pid, 0)
                status = process.returncode = os.waitstatus_to_exitcode(waited)
                used.append(usage.ru_utime + usage.ru_stime)
        if failure:
            return failure
        if expired.is_set() or status in (-signal.SIGXCPU, -signal.SIGKILL):
            return "time"
        if status != 0:
            return "crash"
        if count != len(tests):
            raise schemata.Failure(f"{count} tests ran, not {len(tests)}: {tests[:3]}")
        return None


def measure(runner, jobs):
    """Measures each test's processor seconds, and which mutants the test reaches. Stores the results beside the binary."""
    kept = runner.binary + ".reached.json"
    if os.path.exists(kept) and os.path.getmtime(kept) > os.path.getmtime(runner.binary):
        with open(kept, encoding="utf-8") as file:
            return {test: (seconds, set(numbers)) for test, (seconds, numbers) in json.load(file).items()}
    measured = {}

    def one(test):
        with tempfile.NamedTemporaryFile() as file:
            used = []
            failure = runner.run([test], reached=file.name, used=used, limit=LONGEST + 2)
            # A test that exceeds the limit never runs, so it does not matter which mutants the test reaches.
            if failure == "time":
                return test, LONGEST + 2, set()
            if failure:
                raise schemata.Failure(f"{test} fails without a mutant: {failure}")
            with open(file.name, "rb") as reached:
                numbers = {n for n, byte in enumerate(reached.read()) if byte}
            return test, used[0], numbers

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for count, (test, seconds, numbers) in enumerate(pool.map(one, runner.tests), 1):
            measured[test] = (seconds, numbers)
            progress(f"what tests reach: {count} of {len(runner.tests)}")
    with open(kept, "w", encoding="utf-8") as file:
        json.dump({test: (seconds, sorted(numbers)) for test, (seconds, numbers) in measured.items()}, file)
    return measured


def batches(measured, mutant):
    """Yields batches of the tests in KILLERS that reach a mutant, the fastest tests first."""
    targets = KILLERS[mutant.file.split("/")[0]]
    reaching = sorted((seconds, test) for test, (seconds, numbers) in measured.items()
                      if mutant.number in numbers and seconds < LONGEST and test.split(".")[0] in targets)
    for target in targets:
        for low, high in ((0, 0.15), (0.15, LONGEST)):
            batch = [(seconds, test) for seconds, test in reaching if low <= seconds < high and test.startswith(target + ".")]
            if batch:
                yield [test for _, test in batch], sum(seconds for seconds, _ in batch) * PATIENCE[0] + PATIENCE[1]


def runs(runner, mutant, measured, likely):
    """Yields the tests that must kill a mutant, and their time limit, in batches. The tests in `likely` come first."""
    for names in likely:
        tests = [t for name in names for t in runner.by_name.get(name, [])]
        if tests:
            yield tests, 30
    if measured is not None:
        yield from batches(measured, mutant)
        return
    for target in KILLERS[mutant.file.split("/")[0]]:
        yield [t for t in runner.tests if t.startswith(target + ".")], 120


def judge(runner, mutant, measured, likely):
    """Returns the test or failure that kills a mutant, with the tests and the time limit of its run; `None` if the mutant survives."""
    for tests, limit in runs(runner, mutant, measured, likely):
        failure = runner.run(tests, mutant.number, limit=limit)
        if failure:
            return failure, tests, limit
    return None


def check_killers(runner, kills):
    """Raises an error if the tests that killed mutants fail without a mutant too, because such tests kill every mutant."""
    # A run that exceeded its limit is repeated with this limit. All other tests run once, together.
    exceeded, others = set(), set()
    for failure, tests, limit in kills:
        if failure == "time":
            exceeded.add((tuple(tests), limit))
        else:
            others.update([t for t in tests if t.split("/")[-1] == failure] or tests)
    for tests, limit in [(tuple(others), 600)] * bool(others) + sorted(exceeded):
        failure = runner.run(tests, limit=limit)
        if failure:
            raise schemata.Failure(f"tests that killed mutants fail without a mutant too ({failure}): {len(tests)} tests, such as {tests[0]}")


def likely_killers(mutants, results):
    """Returns two lists of tests for each mutant: the test that killed the mutant last time, and the tests that most often kill mutants of the same file."""
    of_file = collections.defaultdict(collections.Counter)
    for mutant in mutants:
        of_file[mutant.file][results.get(mutant.identity)] += 1
    neighbours = {file: [t for t, _ in counts.most_common(20)] for file, counts in of_file.items()}
    return {m.identity: ([results.get(m.identity)], neighbours[m.file]) for m in mutants}


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
    reasons = {}
    with open(SURVIVORS, "rb") as file:
        for group in tomllib.load(file).get("group", []):
            for mutant in group["mutants"]:
                reasons[mutant] = group["reason"]
    return reasons


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


def arguments():
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--all", action="store_true", help="run every mutant; write results.txt and summary.md (most of an hour)")
    what.add_argument("--sample", type=int, metavar="N", help="run N mutants, first those without a stored result")
    what.add_argument("--module", action="append", choices=schemata.MODULES, help="run the mutants of one module")
    what.add_argument("--only", metavar="TEXT", help="run the mutants whose names contain TEXT")
    what.add_argument("--resume", action="store_true", help="run the mutants that have no outcome, whose function has changed since, or "
                      "that survived without a reason")
    what.add_argument("--survivors", action="store_true", help="run the mutants that survived the last run")
    what.add_argument("--check", action="store_true", help="run nothing; check that the stored results and survivors match the sources")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the sample (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of concurrent mutants (one per core)")
    parser.add_argument("--scratch", metavar="FOLDER", help="build the copy in FOLDER")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    return parser.parse_args()


def choose(options, mutants, results, reasons):
    usable = [m for m in mutants if results.get(m.identity) != "does not compile"]
    if options.only:
        return [m for m in usable if options.only in m.identity]
    usable = [m for m in usable if not m.file.startswith(EXPLANATIONS)]
    if options.sample is not None:
        # A sample omits mutants that survive for a stated reason, and mutants that only the time limit kills. They take longer than all others together.
        usable = [m for m in usable if m.identity not in reasons and results.get(m.identity) != "time"]
        # A sample covers one module, because a copy with only this module's mutants builds in half the time. The seed selects the module, with a probability
        # proportional to the module's number of mutants. If some mutants have no outcome, only these mutants count.
        generator = random.Random(options.seed)
        module = generator.choice([m for m in usable if m.identity not in results] or usable).module
        usable = [m for m in usable if m.module == module]
        unknown = [m for m in usable if m.identity not in results]
        known = [m for m in usable if m.identity in results]
        generator.shuffle(unknown)
        generator.shuffle(known)
        return (unknown + known)[: options.sample]
    if options.module:
        return [m for m in usable if m.file.split("/")[0] in options.module]
    if options.resume:
        return [m for m in usable
                if m.identity not in results or results[m.identity] == "survived" and m.identity not in reasons]
    if options.survivors:
        return [m for m in usable if results.get(m.identity) == "survived"]
    return usable


def check(mutants, results, reasons):
    """Returns the errors in the stored results and reasons, without running tests."""
    names = {m.identity for m in mutants}
    errors = [] if mutants else ["found no mutants, so nothing was checked"]
    errors += [f"survivors.toml is stale: no such mutant: “{name}”" for name in sorted(set(reasons) - names)]
    errors += [
        f"survivors.toml is stale: “{name}” was killed by {results[name]}"
        for name in sorted(set(reasons) & names) if results.get(name, "survived") != "survived"]
    errors += [f"no reason in survivors.toml: “{m.identity}”"
               for m in mutants if results.get(m.identity) == "survived" and m.identity not in reasons
               and not m.file.startswith(EXPLANATIONS)]
    mutants = [m for m in mutants if not m.file.startswith(EXPLANATIONS)]
    unknown = [m for m in mutants if m.identity not in results]
    if len(unknown) > MAY_BE_UNKNOWN * len(mutants):
        errors.append(f"{len(unknown)} of {len(mutants)} mutants have no outcome in results.txt: run Tests/Checks/Mutation/run.sh --resume")
    killed = sum(results.get(m.identity, "survived") not in ("survived", "does not compile") for m in mutants)
    run = sum(results.get(m.identity) not in (None, "does not compile") for m in mutants)
    if run and killed < REQUIRED * run:
        errors.append(f"{percent(killed, run)} % are killed, fewer than {REQUIRED:.0%}")
    return errors, len(unknown)


def main():
    options = arguments()
    files, left_out = schemata.find_mutants(ROOT)
    mutants = [m for points in files.values() for m in points.mutants]
    results, reasons = read_results(files), read_survivors()
    if options.check:
        errors, unknown = check(mutants, results, reasons)
        print("\n".join(errors), end="\n" if errors else "")
        print(f"{len(mutants)} mutants, {unknown} without an outcome in results.txt, {len(reasons)} survivors with a reason")
        return 1 if errors else 0

    excluded = {name for name, outcome in results.items() if outcome == "does not compile"}
    chosen = choose(options, mutants, results, reasons)
    if not chosen:
        if not (options.resume or options.survivors):
            raise schemata.Failure("no mutant matches the options")
        print("no mutants left to run")
        return 0
    # The order is random, so that an interrupted run is a random sample.
    random.Random(options.seed).shuffle(chosen)
    outcomes, built, start = {}, 0, time.monotonic()
    for group in sorted({m.group for m in chosen}):
        built += run(options, group, [m for m in chosen if m.group == group], files, mutants, results, excluded, outcomes)
    if not outcomes:
        raise schemata.Failure("no mutant compiles, so nothing was tested")
    progress("")
    return report(options, files, mutants, left_out, results, reasons, outcomes, built, time.monotonic() - start - built)


def run(options, group, chosen, files, mutants, results, excluded, outcomes):
    """Runs the chosen mutants of one group, adds their outcomes, and returns the seconds that the build took."""
    # The copy for a sample contains only the sample's mutants, so it compiles in a fraction of the time. The copy with all mutants is in a different folder.
    left = {m.identity for m in mutants} - {m.identity for m in chosen} if options.sample is not None else set()
    folder = options.scratch or os.path.join(ROOT, ".build-mutation" if options.sample is None else ".build-mutation-sample")
    # Each group has its own folder, so that no group replaces another group's build.
    module = chosen[0].module if options.sample is not None else None
    scratch = schemata.Scratch(
        ROOT, folder + (f"-{group}" if group else ""), progress, group, module, KILLERS.get(module, ()))
    start = time.monotonic()
    excluded |= left
    runner = Runner(scratch.build(files, excluded), scratch.test_targets)
    runner.by_name = collections.defaultdict(list)
    for test in runner.tests:
        runner.by_name[test.split("/")[-1]].append(test)
    for name in excluded - left:
        results[name] = "does not compile"
    built = time.monotonic() - start
    chosen = [m for m in chosen if m.identity not in excluded]
    # Measuring which mutants each test reaches takes as long as running tens of mutants without a known killer. This saves time only if there are many such
    # mutants.
    unknown = sum(results.get(m.identity, "survived") == "survived" for m in chosen)
    measured = measure(runner, options.jobs) if unknown >= 20 and options.sample is None else None
    likely, kills = likely_killers(mutants, results), []

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(judge, runner, m, measured, likely[m.identity]): m for m in chosen}
        for future in concurrent.futures.as_completed(futures):
            kill = future.result()
            kills += [kill] if kill else []
            outcomes[futures[future].identity] = kill[0] if kill else "survived"
            if options.sample is None and len(outcomes) % 100 == 0:
                write_results({**results, **outcomes}, files)
            progress(f"{len(outcomes)} of {len(chosen)} mutants, {sum(o == 'survived' for o in outcomes.values())} survived")
    # `measure` has run each test without a mutant.
    if measured is None:
        check_killers(runner, kills)
    return built


def report(options, files, mutants, left_out, results, reasons, outcomes, built, took):
    """Writes and prints the results; returns the exit status."""
    survived = sorted(name for name, outcome in outcomes.items() if outcome == "survived")
    errors = [f"survived: {name}" for name in survived if name not in reasons]
    errors += [f"survivors.toml is stale: “{n}” was killed by {o}" for n, o in outcomes.items() if o != "survived" and n in reasons]

    if options.sample is None:
        results.update(outcomes)
        write_results(results, files)
        with open(os.path.join(HERE, "summary.md"), "w", encoding="utf-8") as file:
            file.write(summary(results, reasons, mutants, left_out))
    errors += check(mutants, results, reasons)[0] if options.all else []
    killed = len(outcomes) - len(survived)
    if options.json:
        print(json.dumps({"mutants": len(outcomes), "killed": killed, "survived": survived, "errors": errors}, ensure_ascii=False, indent=1))
    else:
        print("\n".join(errors), end="\n" if errors else "")
        print(f"{len(outcomes)} mutants, {killed} killed ({percent(killed, len(outcomes))} %), {len(survived)} survived, "
              f"{len(survived) - sum(e.startswith('survived') for e in errors)} of these with a reason; "
              f"built in {built:.0f} s, run in {took:.0f} s")
    return 1 if errors else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except schemata.Failure as failure:
        print(f"run.sh: {failure}", file=sys.stderr)
        sys.exit(2)
