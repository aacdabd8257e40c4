#!/usr/bin/env python3
"""Compares PureAppStore's verdicts with the oracle's.

    compare.py CASES.jsonl

The Swift test OracleCaseTests writes the cases. Every difference between the two verdicts needs a reason in REASONS.

Exit status: 0 if every difference has a reason. 1 if a difference has no reason, a reason explains no difference, or
the number of cases is not EXPECTED_CASES. 2 if cryptography is missing.
"""

from __future__ import annotations

import collections
import json
import pathlib
import re
import sys
import warnings
from typing import Any

try:
    from oracle import Verifier
    from strict_encodings import Rejected, decode_base64
except ImportError as error:
    print(f"compare.py: {error}; install Python's cryptography", file=sys.stderr)
    sys.exit(2)

# cryptography warns about the altered certificates whose serial number is zero or negative.
warnings.filterwarnings("ignore")
EXPECTED_CASES = 1337
# Pairs (pattern, reason). The pattern matches the text "PureAppStore's verdict / the oracle's verdict". The
# reason states why the two verdicts may differ.
REASONS = [
    (r"^the member \w+ of the content has the wrong type / accepted$",
     "PureAppStore checks the types of all members that it reads"),
    (r"^certificate 2 of x5c is malformed: .* / accepted$",
     "X.690 and RFC 5280: the whole third certificate is DER; cryptography is laxer"),
    (r"^the content is malformed: the JSON text nests too deeply / accepted$",
     "PureJSON's limit: JSONLimits.maximumDepth"),
    (r"^the content is malformed: the JSON text has too many values / accepted$",
     "PureJSON's limit: JSONLimits.maximumValues"),
    (r"^the JWS is longer than 262144 bytes / accepted$",
     "PureJWS's limit: JSONWebSignature.maximumSize"),
    (r"^accepted / rejected: payload-number-range$",
     "RFC 8259 section 6 limits no number; Python reads doubles"),
]


def ask(case: dict[str, Any]) -> str:
    """Returns the oracle's verdict."""
    verifier = Verifier(
        roots=[decode_base64(root, "root-base64") for root in case["roots"]],
        bundle_id=case["bundleID"], app_apple_id=case.get("appAppleID"),
        environment=case["environment"], now=case["now"],
        uses_current_time=case["usesCurrentTime"])
    try:
        verifier.verify(case["jws"].encode(), case["kind"])
    except Rejected as rejection:
        return f"rejected: {rejection}"
    return "accepted"


def main(path: str) -> int:
    """Compares the verdicts on every case. Prints the differences and the number of cases with each outcome."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    tally: collections.Counter[str] = collections.Counter()
    used: collections.Counter[str] = collections.Counter()
    failures = []
    for line in lines:
        case = json.loads(line)
        ours, theirs = case["verdict"], ask(case)
        if (ours == "accepted") == (theirs == "accepted"):
            tally["both accept" if ours == "accepted" else "both reject"] += 1
            continue
        both = f"{ours} / {theirs}"
        matches = [why for pattern, why in REASONS if re.search(pattern, both)]
        if matches:
            tally["explained"] += 1
            used[matches[0]] += 1
        else:
            failures.append(
                f"{case['name']}: PureAppStore: {ours}; the oracle: {theirs}")
    stale = [why for _, why in REASONS if not used[why]]
    failures += [f"stale reason; remove it: {why}" for why in stale]
    if len(lines) != EXPECTED_CASES:
        failures.append(f"{len(lines)} cases; update EXPECTED_CASES ({EXPECTED_CASES})")
    for name, count in sorted(tally.items()):
        print(f"{count:5} {name}")
    for why, count in used.items():
        print(f"{count:5} explained: {why}")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    sys.exit(main(sys.argv[1]))
