#!/usr/bin/env python3
"""Writes Vectors/paths: chains for path validation with inputs, in x509-limbo's form, and their expected errors.

Keys are derived from names and nonces follow RFC 6979, so the files are always the same. The script also runs two other validators on each
case whose inputs they support: OpenSSL (`openssl verify`) and Python's cryptography. The script runs cryptography only on cases of server names,
DNS constraints, path building and path lengths. If a validator disagrees, the case must state a reason. A missing or unused reason is an error.
Needs the Python package `cryptography` (with OpenSSL 3.2 or later) and the command openssl.
"""

import argparse
import json
import pathlib
import shutil
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "Vectors" / "paths"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file differs from what would be written")
    parser.add_argument("--no-oracles", action="store_true", help="do not run the other validators")
    arguments = parser.parse_args()
    if not arguments.no_oracles and not shutil.which("openssl"):
        print("generate.py: openssl is missing", file=sys.stderr)
        return 2
    try:
        import building
        import constraints
        import identities
        import oracles
        import policies
        import revocation
        from writing import differs, document, require_unique
    except ImportError as error:
        print(f"generate.py: {error.name} is not installed: python3 -m pip install cryptography", file=sys.stderr)
        return 2
    status = 0
    FOLDER.mkdir(exist_ok=True)
    modules = {"name-constraints": constraints, "policies": policies, "revocation": revocation, "identities": identities, "building": building}
    for file, module in modules.items():
        made = list(module.cases())
        require_unique([test["id"] for test, _ in made])
        if not arguments.no_oracles:
            for line in oracles.disagreements(made):
                print(f"{file}: {line}", file=sys.stderr)
                status = 1
        header = {"version": 1, "generator": "Tests/Corpora/PathCorpus/generate.py"}
        text = document(header, "testcases", (json.dumps(test) for test, _ in made))
        path = FOLDER / f"{file}.json"
        if differs(path, text, arguments.check):
            print(f"{path}: differs from what generate.py writes", file=sys.stderr)
            status = 1
        print(f"{file}.json: {len(made)} cases, {len(text):,} bytes")
    return status


if __name__ == "__main__":
    sys.exit(main())
