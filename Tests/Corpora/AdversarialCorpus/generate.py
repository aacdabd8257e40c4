#!/usr/bin/env python3
"""Writes Vectors/adversarial: objects with exactly one defect each, controls without a defect, and their expected errors.

Such defects broke other implementations from 2015 to 2026. Vectors/adversarial/known-failures.json lists these failures. Keys are derived from names
and nonces follow RFC 6979, so the files are always the same. Needs the Python packages cryptography (with OpenSSL 3.2 or later) and cbor2.
"""

import argparse
import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "Vectors" / "adversarial"


def files():
    import chains
    import fields
    import names
    import paths
    import receipts
    import signatures
    import values

    shared = {
        "form": "PureAttest adversarial corpus",
        "generator": "Tests/Corpora/AdversarialCorpus/generate.py",
        "time": chains.TIME,
        "leaf": chains.text(chains.LEAF),
        "intermediates": [chains.text(chains.CA)],
        "anchors": [chains.text(chains.ROOT)],
    }
    for file, module in {"signatures": signatures, "certificates": fields, "names": names, "paths": paths, "objects": values, "receipts": receipts}.items():
        cases = list(module.cases())
        identifiers = [case["id"] for case in cases]
        repeated = {identifier for identifier in identifiers if identifiers.count(identifier) > 1}
        if repeated:
            raise ValueError(f"an identifier twice: {', '.join(sorted(repeated))}")
        lines = [
            f" {json.dumps(name)}: {json.dumps(value)}" for name, value in (shared | {
                "numberOfTests": len(cases)
            }).items()
        ]
        listed = ",\n".join("  " + json.dumps(case) for case in cases)
        yield f"{file}.json", "{\n" + ",\n".join(lines) + ',\n "adversarialCases": [\n' + listed + "\n ]\n}\n", len(cases)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check",
                        action="store_true",
                        help="write nothing; exit 1 if a file differs from what would be written")
    arguments = parser.parse_args()
    try:
        made = list(files())
    except ImportError as error:
        print(f"generate.py: {error.name} is not installed: python3 -m pip install cryptography cbor2", file=sys.stderr)
        return 2
    except TypeError as error:
        print(f"generate.py: cryptography is too old: {error}", file=sys.stderr)
        return 2
    stale = []
    for name, contents, count in made:
        path = FOLDER / name
        if arguments.check:
            if not path.exists() or path.read_text() != contents:
                stale.append(name)
        else:
            path.write_text(contents)
        print(f"{name}: {count} cases, {len(contents):,} bytes{', DIFFERS' if name in stale else ''}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
