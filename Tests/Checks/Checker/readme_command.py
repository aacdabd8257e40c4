#!/usr/bin/env python3
"""Prints a command from README's first screen: readme_command.py 1|2.

Command 1 verifies a genuine attestation, and command 2 runs the tests. Exit status: 2 if the argument is wrong, or if
README's `sh` blocks do not contain exactly two commands.
"""
import re
import sys
from pathlib import Path

readme = (Path(__file__).resolve().parents[3] / "README.md").read_text()
lines = [line for block in re.findall(r"^```sh\n(.*?)^```$", readme, re.M | re.S) for line in block.splitlines()]
if len(lines) != 2 or sys.argv[1:] not in (["1"], ["2"]):
    print(__doc__.strip(), file=sys.stderr)
    raise SystemExit(2)
print(lines[int(sys.argv[1]) - 1])
