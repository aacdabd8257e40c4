#!/usr/bin/env python3
"""Writes Vectors/adversarial: objects with exactly one defect each, controls without a defect, and their expected errors.

Such defects broke other implementations from 2015 to 2026. Vectors/adversarial/known-failures.json lists these failures. Keys are derived from names
and nonces follow RFC 6979, so the files are always the same. Needs the Python packages cryptography (with OpenSSL 3.2 or later) and cbor2.
"""

import json
import pathlib
import sys

from writing import document, parser, require_unique, store

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
        require_unique([case["id"] for case in cases])
        header = shared | {"numberOfTests": len(cases)}
        yield f"{file}.json", document(header, "adversarialCases", map(json.dumps, cases)), len(cases)


def main():
    arguments = parser(__doc__).parse_args()
    try:
        made = list(files())
    except ImportError as error:
        print(f"generate.py: {error.name} is not installed: python3 -m pip install cryptography cbor2", file=sys.stderr)
        return 2
    except TypeError as error:
        print(f"generate.py: cryptography is too old: {error}", file=sys.stderr)
        return 2
    return store(FOLDER, made, arguments.check)


if __name__ == "__main__":
    sys.exit(main())
