#!/usr/bin/env python3
"""Fuzzes all targets until all sessions together have run a given number of inputs.

    Tests/Checks/Fuzzing/run.sh --budget N [--minutes M] [--jobs J]        builds, writes the seeds, and calls this

The script runs the targets in time slices. The next target is always the one with the shortest running time so far, so all targets get the same time. A slice
continues with the target's corpus in .build/corpus. J slices run concurrently, by default one for each processor. After each slice, the script updates the
totals over all sessions in budget.json and in the table of budget.md. If you stop a session, only its unfinished slices are lost. The script ends when all
sessions together have run N inputs, after M minutes, or at a finding (exit status 1).
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent


def statistic(name, log):
    found = re.findall(rf"^stat::{name}: *(\d+)", log, re.MULTILINE)
    return int(found[-1]) if found else 0


def run_slice(options, name, seed):
    """Runs one slice. Returns the number of inputs, seconds, edges, milliseconds for the slowest input, peak MiB, and the number of findings."""
    corpus = HERE / ".build/corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    command = [options.fuzz, f"--target={name}", "-timeout=60", "-malloc_limit_mb=64", "-rss_limit_mb=512", "-print_final_stats=1",
               f"-dict={HERE / 'tokens.dict'}", f"-max_total_time={options.slice}", f"-seed={seed}",
               f"-artifact_prefix={HERE / '.build/findings' / name}-", str(corpus), str(options.seeds / name)]
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    log = done.stderr.decode(errors="replace")
    edges = max((int(n) for n in re.findall(r"^#\d+.* cov: (\d+) ", log, re.MULTILINE)), default=0)
    if done.returncode:
        print(log[-4000:], file=sys.stderr)
    return {"inputs": statistic("number_of_executed_units", log), "seconds": round(time.monotonic() - start), "edges": edges,
            "slowestMilliseconds": statistic("slowest_input_ms", log), "peakMiB": statistic("peak_rss_mb", log),
            "findings": int(done.returncode != 0)}


def add(total, part):
    for name in ("inputs", "seconds", "findings"):
        total[name] = total.get(name, 0) + part[name]
    for name in ("edges", "slowestMilliseconds", "peakMiB"):
        total[name] = max(total.get(name, 0), part[name])


def write(state):
    targets = state["targets"].values()
    total = {name: sum(t[name] for t in targets) for name in ("inputs", "seconds", "findings")}
    lines = [
        "# What the budget runs have run", "",
        "Written by `Tests/Checks/Fuzzing/run.sh --budget`; each session adds to it. Seconds are elapsed ones, of each process.", "",
        "| target | inputs | seconds | inputs a second | edges | slowest ms | peak MiB | findings |", "|---|---|---|---|---|---|---|---|"]
    for name, t in state["targets"].items():
        lines.append(f"| `{name}` | {t['inputs']:,} | {t['seconds']:,} | {t['inputs'] / max(1, t['seconds']):,.0f} | {t['edges']:,} | "
                     f"{t['slowestMilliseconds']} | {t['peakMiB']} | {t['findings']} |")
    lines += ["", f"{total['inputs']:,} inputs in {total['seconds']:,} s over {len(state['targets'])} targets; findings: {total['findings']}. "
              "Sessions:", "", "| ended (UTC) | commit (+: with changes) | Swift | inputs |", "|---|---|---|---|"]
    lines += [f"| {s['ended']} | {s['commit'][:12]}{s['commit'][40:]} | {s['swift']} | {s['inputs']:,} |" for s in state["sessions"]]
    for path, text in ((HERE / "budget.md", "\n".join(lines) + "\n"), (HERE / "budget.json", json.dumps(state, indent=1) + "\n")):
        path.with_suffix(".new").write_text(text)
        os.replace(path.with_suffix(".new"), path)
    return total


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True, cwd=HERE).stdout.strip()


def main():
    parser = argparse.ArgumentParser(description="Fuzz all targets until all sessions together reach a number of inputs.")
    parser.add_argument("--fuzz", required=True, help="the program that run.sh builds")
    parser.add_argument("--seeds", required=True, type=pathlib.Path, help="the folder that `fuzz --seeds` wrote")
    parser.add_argument("--inputs", required=True, type=int, help="inputs at which to end, counted from the first session")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="minutes after which to end in any case")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of concurrent targets (one per processor)")
    parser.add_argument("--slice", type=int, default=60, help="seconds per target and round (60)")
    options = parser.parse_args()
    (HERE / ".build/findings").mkdir(parents=True, exist_ok=True)

    stored = HERE / "budget.json"
    state = json.loads(stored.read_text()) if stored.exists() else {"targets": {}, "sessions": []}
    session = {"ended": "", "commit": output("git", "rev-parse", "HEAD") + ("+" if output("git", "status", "--porcelain", "-uno") else ""),
               "swift": re.search(r"Swift version (\S+)", output("swift", "--version")).group(1), "inputs": 0}
    state["sessions"].append(session)
    end = time.monotonic() + options.minutes * 60
    waiting = set(output(options.fuzz, "--targets").split())
    lock = threading.Lock()
    has_finding = threading.Event()

    def inputs():
        return sum(t["inputs"] for t in state["targets"].values())

    def work():
        while True:
            with lock:
                if has_finding.is_set() or inputs() >= options.inputs or time.monotonic() + options.slice > end:
                    return
                name = min(waiting, key=lambda name: (state["targets"].get(name, {}).get("seconds", 0), name))
                waiting.remove(name)
                # Each slice has a new seed, because the same seed would repeat the previous slice.
                seed = 1 + inputs() % (2**31 - 2)
            part = run_slice(options, name, seed)
            with lock:
                waiting.add(name)
                add(state["targets"].setdefault(name, {}), part)
                session["inputs"] += part["inputs"]
                session["ended"] = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M")
                write(state)
                print(f"{name}: {part['inputs']:,} inputs in {part['seconds']} s, {part['edges']} edges", flush=True)
            if part["findings"]:
                print(f"{name}: finding in {HERE / '.build/findings'}", file=sys.stderr)
                has_finding.set()

    workers = [threading.Thread(target=work) for _ in range(min(options.jobs, len(waiting)))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if has_finding.is_set():
        return 1
    total = write(state) if session["inputs"] else {"inputs": inputs(), "findings": 0}
    print(f"{session['inputs']:,} inputs in this session, {total['inputs']:,} of {options.inputs:,} in all; "
          f"findings: {total['findings']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
