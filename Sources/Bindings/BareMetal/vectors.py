#!/usr/bin/env python3
"""Packs test vectors for VectorImage, and compares the verdicts of VectorImage with the expected verdicts.

    vectors.py pack FILE     write the cases
    vectors.py judge         read the image's output; print the number of passed cases of each suite
    vectors.py operations FILE
                             write operations of Benchmarks/Instructions, each twice
    vectors.py counts        read the image's output; print their instructions beside the counts of counts.txt

PUREATTEST_EXTRA_VECTORS may name the folder with Wycheproof's files and genuine objects (Vectors/README.md). A case
consists of its kind and its objects; Sources/VectorImage describes the objects of each kind. Exit status: 0 on success,
1 if a verdict or a number of cases differs from the expected one, 2 for wrong usage.
"""
import base64
import hashlib
import json
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXTRA = os.environ.get("PUREATTEST_EXTRA_VECTORS")
SIGNATURE, ATTESTATION, ASSERTION, RECEIPT, CHAIN = range(1, 6)
CURVES, HASHES = {"secp256r1": 1, "secp384r1": 2}, {"SHA-256": 1, "SHA-384": 2, "SHA-512": 3}
FORMS = {"EcdsaVerify": 1, "EcdsaP1363Verify": 2}
ENVIRONMENTS = {"production": 1, "development": 2}
REJECTED = "rejected"  # expects a rejection for any reason (None instead expects acceptance)

# The expected number of cases of each suite. The script fails if the actual number differs.
COUNTS = {
    "chosen signatures": 1612, "attestations": 37, "receipts": 24, "chains": 375, "assertions": 149, "genuine": 3,
    "Wycheproof": 1460, "more genuine": 11,
}
OUTSIDE = {"Wycheproof", "more genuine"}


def number(n):
    return n.to_bytes(8, "big")


def listed(objects):
    return [number(len(objects)), *objects]


def expanded(pieces, offset=0):
    """Returns the bytes of `pieces`: Base64, a recipe (Vectors/README.md), or a list of Base64 texts and recipes."""
    result = bytearray()
    for piece in [pieces] if isinstance(pieces, (str, dict)) else pieces:
        if isinstance(piece, str):
            result += base64.b64decode(piece)
            continue
        width, first = piece.get("counterBytes", 0), piece.get("start", 0) + offset
        start, end = (base64.b64decode(piece.get(k, "")) for k in ("repeat", "suffix"))
        counters = ((n & (1 << 8 * width) - 1).to_bytes(width, "big") for n in range(first, first + piece["count"]))
        result += start + (end + start).join(counters) + end if piece["count"] else b""
    return bytes(result)


def signatures(path):
    """Yields the cases from a file of ECDSA signatures in Wycheproof's format."""
    for group in json.loads(path.read_text())["testGroups"]:
        parameters = [number(n) for n in (CURVES[group["publicKey"]["curve"]], HASHES[group["sha"]], FORMS[group["type"]])]
        key = bytes.fromhex(group["publicKey"]["uncompressed"])
        for test in group["tests"]:
            objects = [*parameters, key, bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"])]
            yield f"{path.name} {test['tcId']}", SIGNATURE, objects, {"valid": None, "invalid": REJECTED}[test["result"]]


def adversarial(name):
    """Yields the suite and the case of each attestation, receipt and chain in a file from Vectors/adversarial."""
    file = json.loads((ROOT / f"Vectors/adversarial/{name}.json").read_text())
    time = number(file["time"])
    for test in file["adversarialCases"]:
        anchors = listed([expanded(a) for a in test.get("anchors", file["anchors"])])
        app = test.get("appID", "").encode()
        if "attestation" in test:
            clock_skew, challenge = number(test.get("clockSkew", 0)), hashlib.sha256(expanded(test["challenge"])).digest()
            objects = [*anchors, app, number(1), clock_skew, expanded(test["keyID"]), challenge, time, expanded(test["attestation"])]
            yield "attestations", (test["id"], ATTESTATION, objects, test["error"])
        elif "receipt" in test:
            objects = [*anchors, app, expanded(test["publicKey"]), time, expanded(test["receipt"])]
            yield "receipts", (test["id"], RECEIPT, objects, test["error"])
        elif "cbor" not in test and "ber" not in test:
            decoys = test.get("decoys", {"count": 0})
            chain = [expanded(test.get("leaf", file["leaf"]))]
            chain += [expanded(decoys["certificate"], i) for i in range(decoys["count"])]
            chain += [expanded(c) for c in test.get("intermediates", file["intermediates"])]
            error = test.get("appAttestError", test["error"])
            if error and error != "wrongCertificateCount":
                error = f"certificate({error})"
            yield "chains", (test["id"], CHAIN, [*anchors, time, *listed(chain)], error)


def genuine(path):
    """Yields the attestation and the assertions of an object file."""
    o = json.loads(path.read_text())
    app, environment = o["appID"].encode(), number(ENVIRONMENTS[o["environment"]])
    decoded = [base64.b64decode(o[k]) for k in ("keyID", "clientDataHash")]
    attestation = [*listed([]), app, environment, number(0), *decoded, number(o["verifyAt"]), base64.b64decode(o["attestation"])]
    yield path.name, ATTESTATION, attestation, None
    for i, a in enumerate(o["assertions"]):
        key = base64.b64decode(o["expect"]["publicKeyX963"])
        decoded = [base64.b64decode(a[k]) for k in ("clientData", "assertion")]
        yield f"{path.name} assertion {i}", ASSERTION, [app, environment, key, number(a["previousCounter"]), *decoded], None


def with_flipped_bit(objects, index, byte=0):
    changed = bytearray(objects[index])
    changed[byte] ^= 1
    return [*objects[:index], bytes(changed), *objects[index + 1:]]


def bench_inputs():
    """Returns the constants in BenchInputs.swift, which are strings and lists of strings."""
    source = (ROOT / "Sources/pure-attest/Support/Bench/BenchInputs.swift").read_text()
    text = r'"""\n(.*?)\n *"""'
    unwrapped = lambda found: re.sub(r"\\?\n *", "", found.strip())
    values = {n: unwrapped(t) for n, t in re.findall(rf"static let (\w+) = {text}", source, re.S)}
    for name, items in re.findall(r"static let (\w+) = \[\n(.*?)\n    \]", source, re.S):
        values[name] = [unwrapped(t) for t in re.findall(text, items, re.S)]
    return values


def bench_assertion(i):
    """Returns the objects for an assertion with the counter i + 1."""
    inputs = bench_inputs()
    assertion = base64.b64decode(inputs["assertions"][i])
    return [b"1234567890.com.example.myapp", number(1), bytes.fromhex(inputs["p256Key"]), number(0), b"benchmark", assertion]


def assertions():
    """Yields a valid assertion, variants with one changed input, and variants with one changed byte of the assertion."""
    good = bench_assertion(0)
    yield "assertion", ASSERTION, good, None
    yield "assertion, stored counter 1", ASSERTION, [*good[:3], number(1), *good[4:]], "counterNotIncreased"
    yield "assertion, other App ID", ASSERTION, with_flipped_bit(good, 0), "appIDMismatch"
    yield "assertion, other key", ASSERTION, [*good[:2], bytes.fromhex(P256_GENERATOR), *good[3:]], "invalidSignature"
    yield "assertion, key off the curve", ASSERTION, with_flipped_bit(good, 2, 64), "invalidPublicKey"
    yield "assertion, other challenge", ASSERTION, with_flipped_bit(good, 4), "invalidSignature"
    yield "assertion, no challenge", ASSERTION, [*good[:4], b"", good[5]], "emptyChallenge"
    yield "assertion, truncated", ASSERTION, [*good[:5], good[5][:-1]], "malformedCBOR"
    for byte in range(len(good[5])):
        yield f"assertion, byte {byte} changed", ASSERTION, with_flipped_bit(good, 5, byte), REJECTED


# SEC 2 §2.4.2.
P256_GENERATOR = (
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)


def suites():
    """Returns the cases of each suite: name, kind, objects and expected verdict."""
    found = {"chosen signatures": [], "attestations": [], "receipts": [], "chains": []}
    for path in sorted((ROOT / "Vectors/ecdsa-edge").glob("*.json")):
        found["chosen signatures"] += signatures(path)
    for name in ("signatures", "certificates", "names", "paths", "objects", "receipts"):
        for suite, case in adversarial(name):
            found[suite].append(case)
    found["assertions"] = list(assertions())
    sample = next(genuine(ROOT / "Vectors/app-attest/apple-guide-2026.json"))
    found["genuine"] = [
        sample, ("key ID changed", ATTESTATION, with_flipped_bit(sample[2], 4), "keyIDMismatch"),
        ("client data hash changed", ATTESTATION, with_flipped_bit(sample[2], 5), "nonceMismatch"),
    ]
    if EXTRA:
        found["Wycheproof"] = [c for p in sorted((pathlib.Path(EXTRA) / "vectors/ecdsa").glob("*_test.json")) for c in signatures(p)]
        found["more genuine"] = [c for p in sorted((pathlib.Path(EXTRA) / "app-attest").glob("*.json")) for c in genuine(p)]
    expected = {s: n for s, n in COUNTS.items() if EXTRA or s not in OUTSIDE}
    if {s: len(c) for s, c in found.items()} != expected:
        sys.exit(f"vectors.py: { {s: len(c) for s, c in found.items()} } cases, expected {expected}")
    return found


def names(constant):
    source = (ROOT / "Sources/Bindings/JavaScript/Generated/reasons.mjs").read_text()
    items = re.search(rf"export const {constant} = \[\n(.*?)\n\];", source, re.S)[1]
    return [item.strip().strip('",') for item in items.split("\n")]


def difference(verdict, expected, reasons, certificate_reasons):
    """Describes how a verdict differs from the expected verdict; returns None if they agree."""
    reason = reasons[verdict & 0xFF]
    if verdict >> 8:
        reason += f"({certificate_reasons[verdict >> 8]}"
    if expected in (None, REJECTED):
        return None if (verdict == 0) == (expected is None) else f"{reason}, not {expected or 'verified'}"
    # The expected text may contain details that the numeric verdict does not contain.
    same = verdict and re.match(rf"{re.escape(reason)}(?!\w)", expected)
    return None if same else f"{reason}, not {expected}"


def judge(lines):
    found, reasons = suites(), (names("REASONS"), names("CERTIFICATE_REASONS"))
    cases = [(suite, case) for suite in found for case in found[suite]]
    if len(lines) != len(cases):
        sys.exit(f"vectors.py: {len(lines)} verdicts for {len(cases)} cases")
    failures = []
    for (suite, (name, _, _, expected)), (verdict, _) in zip(cases, lines):
        wrong = difference(verdict, expected, *reasons)
        if wrong:
            failures.append(f"{suite}: {name}: {wrong}")
    if failures:
        sys.exit("\n".join([*failures, f"vectors.py: {len(failures)} of {len(cases)} verdicts differ"]))
    missing = [s for s in COUNTS if s not in found]
    print(", ".join(f"{len(found[s])} {s}" for s in found) + (f"; without PUREATTEST_EXTRA_VECTORS, not run: {', '.join(missing)}" if missing else ""))


def operations():
    """Returns a dictionary from some operation names of count.sh to their cases. An operation's count is the average over its cases."""
    inputs = bench_inputs()
    operations = {}
    for bits, hashed in ((256, 1), (384, 2)):
        key = bytes.fromhex(inputs[f"p{bits}Key"])
        operations[f"p{bits}-verify"] = [
            (SIGNATURE, [number(hashed), number(hashed), number(2), key, message, bytes.fromhex(signature)])
            for message, signature in zip((b"sample", b"test"), inputs[f"p{bits}Signatures"])
        ]
    operations["attestation-verify"] = [next(genuine(ROOT / "Vectors/app-attest/apple-guide-2026.json"))[1:3]]
    operations["assertion-verify"] = [(ASSERTION, bench_assertion(i)) for i in (0, 1)]
    return operations


def counts(lines):
    recorded = dict(re.findall(r"^([\w-]+) (\d+)$", (ROOT / "Benchmarks/Instructions/counts.txt").read_text(), re.M))
    rounds = operations()
    if len(lines) != 2 * sum(map(len, rounds.values())) or any(verdict or not count for verdict, count in lines):
        sys.exit("vectors.py: an operation did not verify, or was not counted")
    # The first round initialises the lazy globals, so only the second round is counted.
    second = iter(lines[len(lines) // 2:])
    for name, cases in rounds.items():
        count = sum(next(second)[1] for _ in cases) // len(cases)
        print(f"{name}: {count} instructions on aarch64, {recorded[name]} on x86-64, {count / int(recorded[name]):.2f} times")


def write(path, cases):
    with open(path, "wb") as file:
        for kind, objects in cases:
            for o in [bytes([kind]), *objects]:
                file.write(len(o).to_bytes(4, "big") + o)


def main():
    match sys.argv[1:]:
        case ["pack", path]:
            write(path, [case[1:3] for cases in suites().values() for case in cases])
        case ["operations", path]:
            write(path, 2 * [case for cases in operations().values() for case in cases])
        case ["judge" | "counts" as command]:
            lines = [tuple(map(int, found)) for found in re.findall(r"^(\d+) (\d+)$", sys.stdin.read(), re.M)]
            judge(lines) if command == "judge" else counts(lines)
        case _:
            print(__doc__.strip(), file=sys.stderr)
            sys.exit(2)


if __name__ == "__main__":
    main()
