"""Stores the medians of each run in a file, and writes the table of the article Performance.

The table shows a single run, because runs of different code, or on different processors, do not measure the same quantity.
"""
import datetime
import json
import os
import subprocess

from .peers import BENCHMARKS
from .report import spread

FOLDER = os.path.join(BENCHMARKS, "runs")
# The results that the report peers.md shows. `compare.py --json` writes this file.
REPORT = os.path.join(BENCHMARKS, "peers.json")
# The operations in the order of the table's rows, each with its row label.
ROWS = {
    "P-256 verification": "P-256 verification",
    "P-256, precomputed key": "P-256, precomputed key",
    "P-256, batches of 64": "P-256, batches of 64, with AVX-512 IFMA",
    "P-256, batches of 64, precomputed keys": "the same, precomputed keys",
    "P-384 verification": "P-384 verification",
    "P-384, precomputed key": "P-384, precomputed key",
    "RSA-2048 verification": "RSA-2048 verification (Android)",
    "RSA-4096 verification": "RSA-4096 verification (Android)",
    "SHA-256, 16 KiB with the SHA extensions off": "SHA-256, 16 KiB, all without SHA extensions",
    "SHA-256, 16 KiB": "SHA-256, 16 KiB, peers with SHA extensions",
    "SHA-512, 16 KiB": "SHA-512, 16 KiB",
    "Attestation, Apple's intermediate": "Attestation, all steps",
    "Attestation, unknown intermediate": "the same, unknown intermediate",
    "Assertion": "Assertion, all steps",
    "Assertion, returning device": "the same, multiples in the key's record",
    "Assertion, key with a table": "the same, a table in memory",
    "Transaction, Apple's intermediate": "App Store transaction, all steps",
    "Assertions, batches of 64": "Assertions, batches of 64, with AVX-512 IFMA",
    "Assertions, batches of 64, returning devices": "the same, multiples in the keys' records",
}


def record(result):
    """Stores the medians of a run; returns the file's path."""
    now = datetime.datetime.now(datetime.timezone.utc)
    commit = subprocess.run(["git", "-C", BENCHMARKS, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    kept = {
        "date": now.strftime("%Y-%m-%d %H:%M"), "commit": commit.stdout.strip(), "machine": result["machine"],
        "method": {key: result["method"][key] for key in ("rounds", "secondsPerRun", "loadAverage")},
        "versions": result["versions"],
        "operations": {
            row["title"]: {"rate": round(row["operationsPerSecond"]["PureAttest"]["median"]),
                           "ratios": {peer: round(value["median"], 3) for peer, value in row["ratios"].items()}}
            for row in result["operations"]
        },
    }
    os.makedirs(FOLDER, exist_ok=True)
    path = os.path.join(FOLDER, now.strftime("%Y-%m-%dT%H%M") + ".json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    return path


def table():
    """Returns the table for the article Performance: medians of the report's run, each with the range over its rounds."""
    with open(REPORT, encoding="utf-8") as file:
        result = json.load(file)
    rows = {row["title"]: row for row in result["operations"]}
    lines = ["| | × fastest peer | × OpenSSL | × BoringSSL |", "|---|---|---|---|"]
    for title, name in ROWS.items():
        if title not in rows:
            continue
        ratios, fastest = rows[title]["ratios"], rows[title]["fastestPeer"]
        cells = [name, f"{spread(ratios[fastest])}, {fastest}"]
        cells += [f"{ratios[peer]['median']:.2f}" if peer in ratios else "" for peer in ("OpenSSL", "BoringSSL")]
        lines.append("| " + " | ".join(cells) + " |")
    machine, method = result["machine"], result["method"]
    lines += ["", f"Medians of {method['rounds']} rounds, with the lowest and the highest; {machine['processor']}, {machine['cores']} cores; load "
              f"{min(method['loadAverage'])} to {max(method['loadAverage'])}, where the measurement itself contributed 1."]
    return "\n".join(lines) + "\n"
