#!/usr/bin/env python3
"""Compares `pure-attest bench` with OpenSSL on this machine: ratios of interleaved runs, as medians with their range.

    python3 Benchmarks/compare.py [--rounds N] [--seconds S] [--json]

Each round measures ours and OpenSSL's, one after the other, so that a clock that drifts hits both; a ratio is taken within a
round and never across rounds. Both are counted in CPU time, as `openssl speed` does, so that other work on the machine
disturbs less. OpenSSL's SHA-256 runs without the SHA extensions (OPENSSL_ia32cap=:~0x20000000), since a default
Swift build has no such instructions either; the ratio with them is printed too. Run it on a machine that does nothing else.
Needs `swift` and `openssl`. Exit status: 0, or 2 if a tool is missing or fails.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NO_SHA = {"OPENSSL_ia32cap": ":~0x20000000"}
# Ours, OpenSSL's algorithm, its environment, what the row says.
ROWS = [
    ("p256-verify", "ecdsap256", {}, "P-256 verification"),
    ("p256-verify-precomputed", "ecdsap256", {}, "P-256, precomputed key"),
    ("p384-verify", "ecdsap384", {}, "P-384 verification"),
    ("p384-verify-precomputed", "ecdsap384", {}, "P-384, precomputed key"),
    ("sha256-16k", "sha256", NO_SHA, "SHA-256, 16 KiB, both without SHA extensions"),
    ("sha256-16k", "sha256", {}, "SHA-256, 16 KiB, OpenSSL with SHA extensions"),
    ("sha512-16k", "sha512", {}, "SHA-512, 16 KiB"),
    ("attestation-verify", None, {}, "Attestation, all steps"),
    ("assertion-verify", None, {}, "Assertion, all steps"),
]


def fail(message):
    print(f"compare.py: {message}", file=sys.stderr)
    sys.exit(2)


def run(command, environment=None):
    try:
        result = subprocess.run(
            command, cwd=ROOT, env={**os.environ, **(environment or {})}, capture_output=True, text=True)
    except FileNotFoundError:
        fail(f"{command[0]} is not installed")
    if result.returncode != 0:
        fail(f"{' '.join(command)}: {result.stderr.strip().splitlines()[-1:] or 'failed'}")
    return result.stdout


def cpu_seconds(tool, name, iterations):
    process = subprocess.Popen([tool, "bench", "--only", name, "--iterations", str(iterations)], cwd=ROOT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        fail(f"bench --only {name} failed")
    return usage.ru_utime + usage.ru_stime


def ours(tool, name, seconds):
    """Operations in a second of CPU time; start-up is measured with no iterations and taken off."""
    start = cpu_seconds(tool, name, 0)
    iterations, spent = 64, 0
    while spent < seconds / 8:
        iterations *= 2
        spent = cpu_seconds(tool, name, iterations) - start
    iterations = min(1_000_000, int(iterations * seconds / spent))
    return iterations / (cpu_seconds(tool, name, iterations) - start)


def openssl(algorithm, environment, seconds):
    seconds = str(max(1, round(seconds)))
    if algorithm.startswith("ecdsa"):
        output = run(["openssl", "speed", "-seconds", seconds, algorithm], environment)
        return float(re.findall(r"[\d.]+", output.strip().splitlines()[-1])[-1])
    output = run(["openssl", "speed", "-seconds", seconds, "-bytes", "16384", "-evp", algorithm], environment)
    return float(re.search(r"([\d.]+)k\s*$", output.strip()).group(1)) * 1000 / 16384


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if not (1 <= arguments.rounds <= 1000 and 0.1 <= arguments.seconds <= 60):
        fail("--rounds takes 1 to 1000, --seconds 0.1 to 60")
    run(["swift", "build", "-c", "release", "--product", "pure-attest"])
    tool = os.path.join(run(["swift", "build", "-c", "release", "--show-bin-path"]).strip(), "pure-attest")
    rates, ratios = {row[3]: [] for row in ROWS}, {row[3]: [] for row in ROWS}
    for count in range(arguments.rounds):
        for name, algorithm, environment, title in ROWS:
            if sys.stderr.isatty():
                print(f"\rround {count + 1} of {arguments.rounds}: {title:<50}", end="", file=sys.stderr)
            rate = ours(tool, name, arguments.seconds)
            rates[title].append(rate)
            if algorithm:
                ratios[title].append(rate / openssl(algorithm, environment, arguments.seconds))
    if sys.stderr.isatty():
        print("\r" + " " * 70 + "\r", end="", file=sys.stderr)
    results = [
        {
            "name": title,
            "operationsPerSecond": statistics.median(rates[title]),
            "ratioToOpenSSL": statistics.median(ratios[title]) if ratios[title] else None,
            "ratioRange": [min(ratios[title]), max(ratios[title])] if ratios[title] else None,
        }
        for _, _, _, title in ROWS
    ]
    if arguments.json:
        print(json.dumps({"openssl": run(["openssl", "version"]).strip(), "results": results}, indent=1))
        return
    print(f"| {run(['openssl', 'version']).split('(')[0].strip()}, {arguments.rounds} rounds | operations/s | × OpenSSL |")
    print("|---|---|---|")
    for result in results:
        ratio = ""
        if result["ratioToOpenSSL"]:
            low, high = result["ratioRange"]
            ratio = f"**{result['ratioToOpenSSL']:.2f}** ({low:.2f} to {high:.2f})"
        print(f"| {result['name']} | {result['operationsPerSecond']:,.0f} | {ratio} |")


main()
