"""Runs that were kept, one file each, and the table over all of them: README.md's.

One run says how quiet the machine was as much as how fast the code is, so that the table has the median of the runs' medians, and the
lowest and the highest of these.
"""
import datetime
import json
import os
import statistics
import subprocess

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "runs")
# What the table has of each row: its name there.
ROWS = {
    "P-256 verification": "P-256 verification",
    "P-256, precomputed key": "P-256, precomputed key",
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
}


def record(result):
    """Keeps the medians of a run; returns the file's path."""
    now = datetime.datetime.now(datetime.timezone.utc)
    commit = subprocess.run(["git", "-C", os.path.dirname(FOLDER), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
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
    """The table of README.md over every run that was kept, and what they are."""
    names = sorted(name for name in os.listdir(FOLDER) if name.endswith(".json")) if os.path.isdir(FOLDER) else []
    runs = []
    for name in names:
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            runs.append(json.load(file))
    if not runs:
        raise OSError(f"no runs in {FOLDER}; --record keeps one")
    lines = ["| | × fastest peer | × OpenSSL | × BoringSSL |", "|---|---|---|---|"]
    for title, name in ROWS.items():
        rows = [run["operations"][title]["ratios"] for run in runs if title in run["operations"]]
        by_peer = {peer: [row[peer] for row in rows if peer in row] for row in rows for peer in row}
        if not by_peer:
            continue
        fastest = min(by_peer, key=lambda peer: statistics.median(by_peer[peer]))
        values = by_peer[fastest]
        cells = [name, f"**{statistics.median(values):.2f}** ({min(values):.2f} to {max(values):.2f}), {fastest}"]
        cells += [f"{statistics.median(by_peer[peer]):.2f}" if peer in by_peer else "" for peer in ("OpenSSL", "BoringSSL")]
        lines.append("| " + " | ".join(cells) + " |")
    days = sorted({run["date"][:10] for run in runs})
    processors = sorted({run["machine"]["processor"] for run in runs})
    loads = [load for run in runs for load in run["method"]["loadAverage"]]
    lines += ["", f"Medians of {len(runs)} {'run' if len(runs) == 1 else 'runs'} of {', '.join(days)}, with the lowest and the highest; {'; '.join(processors)}; load average "
              f"{min(loads)} to {max(loads)}, of which the measurement itself is 1."]
    return "\n".join(lines) + "\n"
