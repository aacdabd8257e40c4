#!/usr/bin/env python3
"""Counts the machine instructions for parsing inputs and for formatting errors, at 10 and 1,000 times a base size. Fails if the counts grow too fast.

Sources/probe parses each input twice, and callgrind counts the instructions of the second parse. The counts are the same in every run, even on a busy machine,
and the library needs no counters. At ten times the base size, constant costs are already negligible. Between 10 and 1,000 times the base size, the cost per
byte may grow by half. If the parser sorts keys, the cost per byte may also grow in proportion to log n. Quadratic work would multiply the cost per byte by 100.
The control takes quadratic time, and the script requires that the control exceeds the limit.

The cost of formatting an error must not grow with the input's size. At 1,000 times the base size, formatting may need at most a tenth more instructions than at
10 times. Servers log errors, and the sender of a request can choose an error's payload. The control is an error whose description contains the whole payload.
The script searches the sources for error cases whose payload the sender chooses. Each of these error cases needs a probe `text-CASE`. The script fails if a
payload type is not in its lists.

Exit status: 0 if all checks pass, 1 if one fails, 2 if a tool is missing. Needs swift, valgrind and the Python package `cryptography`, which signs the paths.
"""

import argparse
import functools
import importlib.util
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
FACTORS = (10, 1_000)
# For each probe: the base number of elements, and whether the parser sorts the elements. At 1,000 times these numbers, a certificate still has at most
# 102,400 bytes (Certificate.maximumEncodedSize).
PROBES = {
    "base64": (16, False),
    "hex": (16, False),
    "pem": (2, False),
    "pem-label": (16, False),
    "der-elements": (16, False),
    "der-identifier": (16, False),
    "ber-parts": (16, False),
    "ber-structures": (16, False),
    "certificate-name": (6, False),
    "certificate-alternative-names": (16, False),
    "certificate-refused-names": (16, False),
    "certificate-policies": (8, True),
    "certificate-relative-name": (6, True),
    "cms-digest-algorithms": (16, False),
    "certificate-purposes": (16, False),
    "path-name-constraints": (4, False),
    "revocation-list": (16, False),
    "status-list": (16, True),
    "key-description": (16, False),
    "certificate-unknown-extension": (64, False),
    "cbor-array": (16, False),
    "cbor-text": (16, False),
    "cbor-chunks": (16, False),
    "cbor-map-ascending": (16, True),
    "cbor-map-shuffled": (16, True),
    "cbor-map-long-keys": (8, True),
    "cbor-map-arrays-as-keys": (8, True),
    "json-array": (16, False),
    "json-object": (16, True),
    "json-text": (16, False),
    "json-number": (16, False),
    "jws": (64, False),
    "app-store-content": (8, True),
}
# For each probe of a signed path: the base number of names, subtrees or policies, and whether the verifier sorts them. The script subtracts the cost of the
# path with the base number, because signature verification causes most of this cost.
PATHS = {
    "path-names": (5, False),
    "path-subtrees": (5, False),
    "path-policies": (4, True),
    "path-mappings": (2, True),
}
CONTROL = ("control-quadratic", 4)
# For each error: the base size of the payload. At 1,000 times this size, an identifier has at most 64,000 octets, or 30,000 if it occurs twice. A version
# then has at most 4,000.
TEXTS = {
    "text-hex": 100,
    "text-base64": 100,
    "text-der": 64,
    "text-cbor": 64,
    "text-ecdsa": 64,
    "text-duplicateExtension": 30,
    "text-unhandledCriticalExtension": 64,
    "text-wrongCriticality": 64,
    "text-unsupportedConstraint": 64,
    "text-certificate": 30,
    "text-malformedCertificate": 30,
    "text-receiptSignature": 30,
    "text-malformedReceiptCertificate": 30,
    "text-bundleVersionNotAllowed": 4,
    "text-appAttest": 30,
    "text-android": 30,
    "text-verification": 30,
    "text-keyAttestation": 30,
    "text-refused": 30,
    "text-certificateChain": 30,
    "text-signature": 30,
    "text-signedData": 30,
    "text-transaction": 30,
    "text-renewalInfo": 30,
    "text-appTransaction": 30,
    "text-delegate": 30,
    "text-ocsp": 30,
    "text-certificateStatus": 30,
    "text-otherBundleID": 100,
    "text-memberMissing": 100,
    "text-invalidMember": 100,
}
TEXT_CONTROL = ("control-text", 4)
# Payload types whose descriptions have a bounded length.
FIXED = {
    "CBORError", "CertificateField", "DERError", "DERTag", "ECDSAError", "Environment", "Int", "Int64", "Int64?", "PEMError", "RSAError",
    "UInt32", "UInt8", "UnixTime", "UnixTime?", "ValidationCategory?", "AppID.Platform", "SystemVersion?", "RevocationReason",
    "BudgetBalance", "SecurityLevel", "AppStoreEnvironment", "Base64Error", "JSONError", "JWSAlgorithm", "JWSField", "JWSParameter",
    "OCSPFailure", "VerifiedBootState", "KeyOrigin?", "UInt64?",
    # SystemBuild has up to 32 printable characters, and CodeDirectoryHash up to 64 bytes.
    "SystemBuild?", "CodeDirectoryHash?",
}
# Payload types that contain bytes chosen by the sender, directly or in a nested error. Each error case with such a payload needs a probe.
CHOSEN = {
    "ASN1ObjectIdentifier", "AppStoreError", "BundleVersion?", "JWSError", "KeyAttestationError", "OCSPError", "PathError", "PureAttestError",
    "PurchaseRefusal", "Refusal", "SignedText", "X509Error",
}
# Each implementation of a store defines this payload type itself.
FOREIGN = {"StoreFailure"}
SOURCES = ROOT / "Sources"


@functools.cache
def path(name, count):
    """Returns a certificate chain, root first, as lines of hexadecimal digits. `name` selects its contents: `count` names and 100 subtrees, 100 names and
    `count` subtrees, `count` policies, or `count` policies with mappings.
    """
    sys.path.append(str(FOLDER.parents[1] / "Corpora/PathCorpus"))
    from chains import Link, alternative_names, ca, chain, common, dns, mappings, name_constraints, policies, sequence

    def constrained(names, subtrees):
        # Only the last subtree permits the names.
        bases = [*(dns(f"h{number:06}.test") for number in range(100_000, 100_000 + subtrees - 1)), dns("test")]
        hosts = (dns(f"h{number:06}.test") for number in range(names))
        return chain(ca("CA", name_constraints(bases)), Link(sequence(), [alternative_names(*hosts, critical=True)]))

    # Multiples of the prime 7,919, reduced modulo `count`, give all numbers in an order that looks random.
    own = [f"1.2.3.{100_000 + number * 7_919 % count}" for number in range(count)]
    others = [policy.replace("1.2.3", "1.2.4") for policy in own]
    made = {
        "path-names": lambda: constrained(count, 100),
        "path-subtrees": lambda: constrained(100, count),
        "path-policies": lambda: chain(ca("CA", policies(*own)), Link(common("EE"), [policies(*own)])),
        "path-mappings": lambda: chain(ca("CA", policies(*own), mappings(*zip(own, others))), Link(common("EE"), [policies(*others)])),
    }[name]()
    return "".join(certificate.encode().hex() + "\n" for certificate in made)


def run(probe, requests):
    """Returns (bytes of the input, instructions of the second parse) for each request (name, number of elements)."""
    with tempfile.TemporaryDirectory() as folder:
        # callgrind writes one file for each call of `mark()`. The probe makes three calls for each request, and the third file contains the counts of the
        # second parse.
        command = ["valgrind", "--tool=callgrind", "--dump-line=no", "--dump-before=$s5probe4markyyF"]
        command += [f"--callgrind-out-file={folder}/out", probe, *(str(part) for request in requests for part in request)]
        certificates = "".join(path(*request) + "\n" for request in requests if request[0] in PATHS)
        done = subprocess.run(command, capture_output=True, text=True, input=certificates)
        lines = done.stdout.splitlines()
        if done.returncode != 0 or [line.split()[0] for line in lines] != [name for name, _ in requests]:
            raise RuntimeError(f"the probe exited with status {done.returncode} at {requests[min(len(lines), len(requests) - 1)]}")
        dumps = len(list(pathlib.Path(folder).glob("out.*")))
        if dumps != 3 * len(requests):
            raise RuntimeError(f"callgrind wrote {dumps} counts of {len(requests)} requests")
        counted = [pathlib.Path(f"{folder}/out.{3 * number}").read_text() for number in range(1, len(requests) + 1)]
        return [(int(line.split()[1]), int(re.search(r"^totals: (\d+)", text, re.M)[1])) for line, text in zip(lines, counted)]


def measure(probe, sizes):
    """Returns the input size and the number of instructions of one parse, for each name and each factor. `sizes` maps names to base sizes."""
    requests = [(name, smallest * factor) for name, smallest in sizes.items() for factor in ((1, *FACTORS) if name in PATHS else FACTORS)]
    found = run(probe, requests)
    results = {}
    for (name, _), counts in zip(requests, found):
        results.setdefault(name, []).append(counts)
    for name in results.keys() & PATHS.keys():
        (smallest, cost), *rest = results[name]
        results[name] = [(size - smallest, count - cost) for size, count in rest]
    return results


def growth(counts, smallest, sorts):
    """Returns the growth factor of the cost per byte between 10 and 1,000 times the base size, without the growth due to sorting."""
    (early_size, early), (late_size, late) = counts
    ratio = (late / late_size) / (early / early_size)
    return ratio / (math.log2(smallest * 1_000) / math.log2(smallest * 10)) if sorts else ratio


def constancy(counts):
    """Returns the growth factor of the cost of formatting an error between 10 and 1,000 times the base size."""
    return counts[1][1] / counts[0][1]


def payloads():
    """Yields (module, error case, payload type) for each payload of an error case in the libraries."""
    for file in sorted(SOURCES.glob("Pure*/**/*.swift")):
        text = re.sub(r"//.*", "", file.read_text())
        for body in re.findall(r"enum \w+(?:<[^>]*>)?: Error\b[^{]*\{(.*?)\n\}", text, re.DOTALL):
            for name, held in re.findall(r"\bcase (\w+)\(([^)]*)\)", body):
                for part in held.split(","):
                    yield file.relative_to(SOURCES).parts[0], name, part.split(":")[-1].strip()


def unprobed():
    """Yields the mistakes in the lists of probes and payload types: missing probes, missing types, and types that no error uses."""
    found = list(payloads())
    if len(found) < 40:
        yield f"found only {len(found)} payloads in the sources"
    for module, name, kind in found:
        if kind in CHOSEN and f"text-{name}" not in TEXTS:
            yield f"{module}: {name} has a payload {kind} but no probe text-{name}"
        if kind not in FIXED | CHOSEN | FOREIGN:
            yield f"{module}: {name} has a payload {kind}: add it to a list in count.py, by whether its text is bounded"
    for kind in sorted((FIXED | CHOSEN | FOREIGN) - {kind for _, _, kind in found}):
        yield f"no error has a payload {kind}: remove it from count.py"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME", help="run only this probe")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    for tool in ("valgrind", "swift"):
        if not shutil.which(tool):
            print(f"count.py: {tool} is not installed", file=sys.stderr)
            return 2
    if not importlib.util.find_spec("cryptography"):
        print("count.py: cryptography is not installed: python3 -m pip install cryptography", file=sys.stderr)
        return 2
    # Builds in the root package's build folder, so that both packages share the compiled modules.
    build = ["swift", "build", "-c", "release", "--package-path", str(FOLDER), "--scratch-path", str(ROOT / ".build")]
    done = subprocess.run(build, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"count.py: the probe does not build:\n{done.stdout[-2000:]}", file=sys.stderr)
        return 1
    folder = subprocess.run([*build, "--show-bin-path"], capture_output=True, text=True, check=True).stdout.strip()
    probe = f"{folder}/probe"
    probes = PROBES | PATHS | {CONTROL[0]: (CONTROL[1], False)}
    texts = TEXTS | dict([TEXT_CONTROL])
    controls = (CONTROL[0], TEXT_CONTROL[0])
    sizes = {name: smallest for name, (smallest, _) in probes.items()} | texts
    if arguments.only and arguments.only not in sizes:
        print(f"count.py: no such probe: {arguments.only}", file=sys.stderr)
        return 2
    results, failed = [], 0
    for message in unprobed():
        print(f"FAILED {message}", file=sys.stderr)
        failed += 1
    try:
        measured = measure(probe, {name: size for name, size in sizes.items() if arguments.only in (None, name)})
    except RuntimeError as error:
        print(f"count.py: {error}", file=sys.stderr)
        return 1
    for name, counts in measured.items():
        smallest, sorts = probes.get(name) or (texts[name], False)
        grown = constancy(counts) if name in texts else growth(counts, smallest, sorts)
        passed = (grown <= (1.1 if name in texts else 1.5)) == (name not in controls)
        failed += not passed
        results.append({"name": name, "bytes": [c[0] for c in counts], "instructions": [c[1] for c in counts], "growth": round(grown, 2), "passed": passed})
        if not arguments.json:
            shown = "  ".join(f"{size:,} B {count:,}" for size, count in counts)
            print(f"{'ok    ' if passed else 'FAILED'} {name}: {shown}; growth {grown:.2f}", flush=True)
    if arguments.json:
        print(json.dumps(results, indent=1))
    else:
        print(f"{sum(r['passed'] for r in results)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
