"""Changes one rule of the modules at a time, and checks that the tests notice each change: see run.sh."""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import sys
import time

import schemata
from outcomes import EXPLANATIONS, HERE, percent, read_results, read_survivors, summary, write_results
from runner import KILLERS, Runner, check_killers, judge, likely_killers, measure, progress

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
REQUIRED = 0.97
# The maximum share of mutants without a stored outcome, so that a changed function may be committed before its mutants have run. A sample runs mutants without
# an outcome first.
MAY_BE_UNKNOWN = 0.2


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
        # proportional to the module's number of mutants. If any mutants have no outcome, this number does not include the mutants that have one.
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
    # Measuring which mutants each test reaches takes as long as running tens of mutants without a known killer. The measurement saves time only if
    # there are many such mutants.
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
    # `measure` runs each test without a mutant, so it makes this check unnecessary.
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
