"""run.sh: proves routines of PureECDSA and PureSHA2 from the code that the compiler generates.

    run.sh all [--mutants N]    every proof, and the tests of the provers; also N mutants, or `all` of them (hours)
    run.sh NAME …               statements and tests by name, pattern ('P384 *') or routine (P384Field.squared)
    run.sh list [NAME …]        names, texts, files and assumptions
    run.sh mutants [N]          changes N instructions, or `all`, one at a time; each change must make the proof fail
    run.sh targets [TARGET …]   the statements of other targets (aarch64, wasm32), from Embedded Swift's IR
    run.sh status [--write]     compares status.md (all functions and trusted parts) with the code, or writes it
"""

import argparse
import collections
import multiprocessing
import os
import pathlib
import subprocess
import sys
import time

from proofs import places, tasks
from proofs.build import kept
from proofs.build.embedded import ADDRESS_BITS
from proofs.soundness import mutate
from proofs.statements import register
from proofs.status import page

DESCRIPTION = """Exit status: 0 all is proven (and every mutant rejected), 1 not, 2 wrong usage.
Needs swiftc, and Python 3 with the packages of requirements.txt, which are installed into .build/proofs if need be. PYTHON names another interpreter."""


class Usage(Exception):
    """The command line is invalid, for example because it names an unknown statement."""


def prepare(chosen, anew=False):
    """Writes the IR that the tasks need."""
    for needed in dict.fromkeys(need for task in chosen for need in task.needs):
        if needed == tasks.RELEASE:
            kept.release_ir(anew)
        else:
            kept.target_ir(needed, anew)


# Tasks, run concurrently

running = []  # the chosen tasks, which the forked processes inherit


def run(index):
    """Runs a task; returns (whether it failed, the text to print, seconds)."""
    start = time.time()
    try:
        failed, said = False, running[index].run()
    except tasks.Failed as e:
        failed, said = True, str(e)
    except Exception as e:
        failed, said = True, f"{type(e).__name__}: {e}"
    return failed, said, time.time() - start


def run_all(chosen, jobs):
    """Runs the tasks, prints each result in order, and returns whether all succeeded."""
    global running
    running, failures = chosen, []
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        ordered = sorted(range(len(chosen)), key=lambda index: not chosen[index].takes_long)
        results = {index: pool.apply_async(run, (index,)) for index in ordered}
        for index, task in enumerate(chosen):
            failed, said, seconds = results[index].get()
            *lines, last = said.strip().split("\n")
            print("".join(line + "\n" for line in lines) + f"{task.name:24} {task.text:66} {'FAILED: ' if failed else ''}{last} {seconds:.2f} s", flush=True)
            if failed:
                failures.append(task.name)
    print(f"{len(chosen) - len(failures)} of {len(chosen)} succeeded")
    for name in failures:
        print(f"run.sh: {name} failed; to repeat it: Tests/Checks/Proofs/run.sh '{name}'", file=sys.stderr)
    return not failures


def prove(patterns, target, jobs):
    candidates = tasks.every() if target is None else tasks.of_target(named_target(target))
    chosen = [task for task in candidates if any(task.matches(pattern) for pattern in patterns)]
    for pattern in patterns:
        if not any(task.matches(pattern) for task in chosen):
            raise Usage(f"no statement or test matches {pattern}; `run.sh list` prints their names")
    prepare(chosen)
    return run_all(chosen, jobs)


def named_target(name):
    found = [target for target in ADDRESS_BITS if target == name or target.split("-")[0] == name]
    if not found:
        raise Usage(f"no such target: {name}; the targets are {', '.join(ADDRESS_BITS)}")
    return found[0]


def prove_targets(names, jobs):
    return prove([named_target(name) for name in names] or list(ADDRESS_BITS), None, jobs)


def prove_all(mutants, seed, jobs, only_release):
    start, chosen = time.time(), tasks.every()
    if only_release:
        chosen = [task for task in chosen if not task.name.startswith("test_") and task.name not in ADDRESS_BITS]
    prepare(chosen, anew=True)
    succeeded = run_all(chosen, jobs)
    if mutants is not None:
        succeeded &= test_mutants(mutants, jobs, seed)
    print(f"run.sh all: {time.time() - start:.0f} s")
    return succeeded


# Mutants

chosen_mutants = []


def judge(index):
    place, what, mutant = chosen_mutants[index]
    return place[1].name, *mutate.judged(place, what, mutant)


def test_mutants(count, jobs, seed=1, only=None, change="", part=None):
    """Tests mutants; returns whether every mutant was either rejected or accepted as equivalent."""
    global chosen_mutants
    kept.release_ir()
    start = time.time()
    every = mutate.every_mutant(register.modules(places.IR), only, change)
    chosen_mutants = mutate.sampled(every, count, seed)
    if part:
        chosen_mutants = chosen_mutants[part[0] :: part[1]]
    if not chosen_mutants:
        raise Usage("no mutant matches the options")
    counts = {}  # statement -> outcome -> number
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        for number, (name, label, said) in enumerate(pool.imap(judge, range(len(chosen_mutants)))):
            counts.setdefault(name, collections.Counter())[label] += 1
            if said:
                print(said, flush=True)
            if number % 500 == 499:
                print(f"{number + 1} of {len(chosen_mutants)}, {time.time() - start:.0f} s", flush=True)
    mutate.report(counts, len(every), time.time() - start)
    return not any(c["SURVIVED"] for c in counts.values())


def show(patterns):
    candidates = [(task, "") for task in tasks.every()]
    candidates += [(task, target) for target in ADDRESS_BITS for task in tasks.of_target(target) if task.name not in {t.name for t, _ in candidates}]
    chosen = [(task, target) for task, target in candidates if not patterns or any(task.matches(pattern) for pattern in patterns)]
    if not chosen:
        raise Usage(f"no statement or test matches {' or '.join(patterns)}")
    for task, target in chosen:
        print(f"{task.name:24} {task.text}")
        about = [f"about {', '.join(task.of)}"] if task.of else []
        about += [f"of {target}: run.sh --target {target.split('-')[0]} '{task.name}'"] if target else []
        about += [f"assumes {assumption}" for assumption in task.trusts]
        about += [f"uses the statement {task.claim.uses}"] if task.claim is not None and task.claim.uses else []
        print("".join(f"{'':24}   {line}\n" for line in [*about, task.file]), end="")
    return True


def status(write):
    kept.release_ir()
    for target in ADDRESS_BITS:
        kept.target_ir(target)
    written = page.text()
    if write:
        page.PAGE.write_text(written)
        return True
    found = page.difference(written)
    if found:
        print(f"run.sh: status.md: {found}; `run.sh status --write` updates it", file=sys.stderr)
    return not found


# The command line

def number_of_mutants(text):
    if text == "all":
        return sys.maxsize
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be a whole number from 1, or all")
    return int(text)


def part_of(text):
    part, _, parts = text.partition("/")
    if not (part.isdigit() and parts.isdigit() and int(part) < int(parts)):
        raise argparse.ArgumentTypeError("must be i/n, with i from 0 to n − 1")
    return int(part), int(parts)


def parser(prog, description):
    made = argparse.ArgumentParser(prog=prog, description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of concurrent tasks (one per processor)")
    return made


def main(arguments):
    """Runs a command; returns the exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__ + "\n" + DESCRIPTION)
        return 0 if arguments else 2
    try:
        return 0 if dispatch(*arguments) else 1
    except Usage as e:
        print(f"run.sh: {e}", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as e:
        print(f"run.sh: {pathlib.Path(str(e.cmd[0])).name} failed; its output is above", file=sys.stderr)
        return 1


def dispatch(subcommand, *rest):
    if subcommand == "all":
        options = parser("run.sh all", "Run every proof, and the proofs' own tests.")
        options.add_argument("--mutants", type=number_of_mutants, metavar="N", help="also run N mutants, or `all`")
        options.add_argument("--seed", type=int, default=1, help="seed of the sample of mutants (1)")
        options.add_argument("--only-release", action="store_true", help="omit the other targets and the tests of the provers, 'test_*'")
        given = options.parse_args(rest)
        return prove_all(given.mutants, given.seed, given.jobs, given.only_release)
    if subcommand == "mutants":
        options = parser("run.sh mutants", mutate.__doc__)
        options.add_argument("count", type=number_of_mutants, nargs="?", default=100, metavar="N", help="number of mutants, or `all` (100)")
        options.add_argument("--seed", type=int, default=1, help="seed of the sample (1)")
        options.add_argument("--only", metavar="NAME", help="only mutants of one statement")
        options.add_argument("--change", default="", help="only mutants whose change matches a regular expression; 'index|half a word' selects changes of addresses")
        options.add_argument("--part", type=part_of, metavar="i/n", help="only every n-th mutant, from the i-th")
        given = options.parse_args(rest)
        return test_mutants(given.count, given.jobs, given.seed, given.only, given.change, given.part)
    if subcommand == "targets":
        options = parser("run.sh targets", "Prove the statements of other targets.")
        options.add_argument("target", nargs="*", help=", ".join(ADDRESS_BITS))
        given = options.parse_args(rest)
        return prove_targets(given.target, given.jobs)
    if subcommand == "status":
        options = parser("run.sh status", "Compare status.md, the table of verified functions and trusted assumptions, with the code.")
        options.add_argument("--write", action="store_true", help="write Tests/Checks/Proofs/status.md")
        options.add_argument("--check", action="store_true", help="fail if status.md differs from the code (the default)")
        return status(options.parse_args(rest).write)
    if subcommand == "list":
        options = parser("run.sh list", "List the statements and tests.")
        options.add_argument("name", nargs="*", help="a name, a pattern, or a source routine")
        return show(options.parse_args(rest).name)
    options = parser("run.sh", "Run statements and tests by name.")
    options.add_argument("name", nargs="+", help="a name, a pattern, or a source routine")
    options.add_argument("--target", help="prove the statements of this target instead of the release build's")
    given = options.parse_args((subcommand, *rest))
    return prove(given.name, given.target, given.jobs)
