#!/usr/bin/env python3
"""Compares PureAttest's verification of whole objects with other verifiers.

    Tests/Checks/Fuzzing/run.sh --end-to-end [--runs N] [--seed N] [--peers]       builds, writes the seeds, and calls this

The other verifiers are Python's `cryptography` (../Interoperability/app_attest.py) and, with --peers, an App Attest verifier on swift-certificates and
swift-crypto (Benchmarks/Peers).

The templates are objects of virtual devices (without a fault and with each fault) and genuine objects: Apple's sample, and the objects in
PUREATTEST_EXTRA_VECTORS. The script mutates the parts of a template, and re-signs them (reissue.py). Each template has its own app and verification time. The
verdicts must agree, unless explanations.py states a reason. If both verifiers accept the object, their values must agree too. The same seed and templates give
the same inputs.
"""

import argparse
import base64
import collections
import functools
import hashlib
import json
import os
import pathlib
import random
import re
import sys
import warnings

import cbor2
from cryptography import x509

import elements
import reissue
from changes import changed_data, changed_object, other_time
from differential import join
from disagreements import Comparison, Tool
from explanations import EXPLAINED, of_certificates

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPOSITORY / "Tests/Checks/Interoperability"))
import app_attest  # noqa: E402
import check_objects  # noqa: E402
import signed_data  # noqa: E402

# These values must equal the values in `World`, which the fuzz targets use.
SEED_APP, SEED_TIME, SEED_DATA = "0123456789.com.example.fuzz", 1_790_000_000, b"client data of a request"


def encoded(value):
    return base64.b64encode(value).decode()


# MARK: Templates


# The values that a server knows before an object arrives.
Template = collections.namedtuple("Template", "app environment time client_data_hash platform")


def object_files(folders):
    for folder in folders:
        for path in sorted(pathlib.Path(folder).glob("app-attest/*.json")):
            file = json.loads(path.read_text())
            if "attestation" in file:
                yield file


def templates(seeds, folders):
    """Returns the templates of attestations, assertions and receipts, and the number of genuine object files. Skips objects that cannot be parsed.

    Each template is a tuple of the `Template` and the parts to mutate. For a receipt, it also has the public key, the client data hash, and whether the receipt
    has the type ATTEST.
    """
    attestations, data, receipts = [], [], []

    def add(read, found, *arguments):
        try:
            found.append(read(*arguments))
        except Exception:  # noqa: BLE001
            pass

    def attestation(template, item):
        return template, reissue.Attestation(item, template.client_data_hash)

    def assertion(template, item):
        return template, cbor2.loads(item)["authenticatorData"]

    def receipt(template, item):
        content, certificates, *_ = signed_data.taken_apart(item)
        fields = dict(receipt_fields(content))
        point = app_attest.x963(x509.load_der_x509_certificate(fields[3]).public_key())
        return template, reissue.Receipt(content, certificates), point, fields.get(4), fields.get(6) == b"ATTEST"

    client_data_hash = hashlib.sha256(SEED_DATA).digest()
    of_seed = {platform: Template(SEED_APP, "production", SEED_TIME, client_data_hash, platform) for platform in ("device", "macOS")}
    for path in sorted((seeds / "attestation").iterdir()):
        item = path.read_bytes()
        add(attestation, attestations, of_seed["macOS" if b"macosx" in item else "device"], item)
    for path in sorted((seeds / "assertion").iterdir()):
        add(assertion, data, of_seed["device"], path.read_bytes())
    for path in sorted((seeds / "receipt").iterdir()):
        add(receipt, receipts, of_seed["device"], path.read_bytes())
    genuine = 0
    for file in object_files(folders):
        platform = file.get("platform") or "device"
        known = Template(file["appID"], file["environment"], file["verifyAt"], app_attest.text(file["clientDataHash"]), platform)
        item = app_attest.text(file["attestation"])
        add(attestation, attestations, known, item)
        for each in file.get("assertions", []):
            add(assertion, data, known, app_attest.text(each["assertion"]))
        for each in file.get("receipts", []):
            at = known._replace(time=each.get("verifyAt") or known.time)
            add(receipt, receipts, at, app_attest.text(each["receipt"]) or cbor2.loads(item)["attStmt"]["receipt"])
        genuine += 1
    return attestations, data, receipts, genuine


def receipt_fields(content):
    (_, inner), = app_attest.elements(content)
    for _, field in app_attest.elements(inner):
        (_, kind), _, (_, value) = app_attest.elements(field)
        yield int.from_bytes(kind, "big"), value


# MARK: Questions for both verifiers, and the answers of the verifier in Python


class Kind:
    def __init__(self, found):
        self.found = found

    @staticmethod
    def certificates(_):
        return []

    @staticmethod
    def peer_knows(_):
        return True


class Attestations(Kind):
    letter = "A"

    def make(self, rng):
        template, parts = rng.choice(self.found)
        app, environment, time, platform = template.app, template.environment, template.time, template.platform
        key_id, client_data_hash, changes = reissue.KEY_ID, template.client_data_hash, {}
        choice = rng.randrange(12)
        if choice < 3:
            # The extensions follow 87 bytes, which end with the 32-byte credential identifier, and a COSE key of 77 bytes.
            changes["data"] = changed_data(parts.data, 87 + 77, rng)
        elif choice < 6:
            changes["leaf"] = elements.mutate(parts.leaf, rng)
        elif choice < 8:
            changes["intermediate"] = elements.mutate(parts.intermediate, rng)
        issued = parts.issue(client_data_hash, fresh=rng.randrange(20) != 0, **changes)
        item = changed_object(issued, rng) if choice in (8, 9) else cbor2.dumps(issued)
        if choice == 10:
            match rng.randrange(6):
                case 0: time = other_time(time, rng)
                case 1: app = rng.choice([app + "x", app[:-1], app.upper(), app[1:]])
                case 2: environment = "development" if environment == "production" else "production"
                case 3: platform = "macOS" if platform == "device" else "device"
                case 4: key_id = elements.flip(key_id, rng)
                case _: client_data_hash = elements.flip(client_data_hash, rng)
        return {"app": app, "environment": environment, "platform": platform, "root": parts.root, "keyID": key_id,
                "clientDataHash": client_data_hash, "time": time, "object": item}

    @staticmethod
    def question(q):
        return join([q["app"].encode(), q["environment"].encode(), q["platform"].encode(), q["root"], q["keyID"],
                     q["clientDataHash"], str(q["time"]).encode(), q["object"]])

    @staticmethod
    def answer(q):
        file = {"appID": q["app"], "environment": q["environment"], "platform": q["platform"], "verifyAt": q["time"],
                "keyID": encoded(q["keyID"]), "clientDataHash": encoded(q["clientDataHash"]), "attestation": encoded(q["object"])}
        leaf, _, parsed = app_attest.verify_attestation(file, x509.load_der_x509_certificate(q["root"]))
        return f"{app_attest.x963(leaf.public_key()).hex()} {describe(parsed)}"

    @staticmethod
    def certificates(q):
        return [item for item in cbor2.loads(q["object"])["attStmt"]["x5c"] if isinstance(item, bytes)]

    @staticmethod
    def peer_knows(q):
        return q["environment"] == "production" and q["platform"] == "device"


class Assertions(Kind):
    letter = "Z"

    def make(self, rng):
        template, data = rng.choice(self.found)
        app, key, client_data, signed = template.app, reissue.x963(reissue.DEVICE), SEED_DATA, SEED_DATA
        counter = max(0, int.from_bytes(data[33:37], "big") - rng.choice([1, 1, 1, 0, 70]))
        choice = rng.randrange(8)
        if choice < 4:
            data = changed_data(data, 37, rng)
        item = reissue.assertion(data, signed)
        if choice == 4:
            item["signature"] = elements.mutate(item["signature"], rng)
        whole = changed_object(item, rng) if choice in (5, 6) else cbor2.dumps(item)
        if choice == 7:
            match rng.randrange(3):
                case 0: app = rng.choice([app + "x", app[:-1]])
                case 1: client_data = elements.flip(client_data, rng)
                case _: key = reissue.x963(reissue.key(rng.randrange(100, 104)))
        return {"app": app, "environment": template.environment, "platform": "device", "key": key, "counter": counter,
                "clientData": client_data, "object": whole}

    @staticmethod
    def question(q):
        return join([q["app"].encode(), q["environment"].encode(), q["platform"].encode(), q["key"],
                     str(q["counter"]).encode(), q["clientData"], q["object"]])

    @staticmethod
    def answer(q):
        class Leaf:
            @staticmethod
            def public_key():
                return app_attest.ec.EllipticCurvePublicKey.from_encoded_point(app_attest.ec.SECP256R1(), q["key"])
        parsed = app_attest.verify_assertion(
            {"appID": q["app"]},
            {"assertion": encoded(q["object"]), "clientData": encoded(q["clientData"]), "previousCounter": q["counter"]}, Leaf)
        return f"{parsed['counter']} {describe(parsed)}"


class Receipts(Kind):
    letter = "R"

    def make(self, rng):
        template, parts, point, client_data_hash, attested = rng.choice(self.found)
        app, environment, time, expected = template.app, template.environment, template.time, b""
        changes, choice = {"form": rng.choice(["minimal", "indefinite"])}, rng.randrange(10)
        if attested and client_data_hash and rng.randrange(2):
            expected = client_data_hash
        if choice < 3:
            changes["content"] = elements.mutate(parts.content, rng)
        elif choice < 5:
            changes["signer"] = elements.mutate(parts.signer, rng)
        elif choice == 5:
            changes["intermediate"] = elements.mutate(parts.intermediate, rng)
        item = parts.issue(**changes)
        if choice in (6, 7):
            item = elements.mutate(item, rng)
        elif choice == 8:
            match rng.randrange(5):
                case 0: time = other_time(time, rng)
                case 1: app += "x"
                case 2: environment = "development" if environment == "production" else "production"
                case 3: point = reissue.x963(reissue.key(rng.randrange(100, 104)))
                case _: expected = rng.randbytes(32)
        return {"app": app, "environment": environment, "root": parts.root, "key": point, "expected": expected,
                "time": time, "object": item}

    @staticmethod
    def question(q):
        return join([q["app"].encode(), q["environment"].encode(), q["root"], q["key"], q["expected"],
                     str(q["time"]).encode(), q["object"]])

    @staticmethod
    def answer(q):
        content = signed_data.verified_content(q["object"], x509.load_der_x509_certificate(q["root"]), q["time"])
        file = {"appID": q["app"], "environment": q["environment"], "clientDataHash": encoded(q["expected"])}
        app_attest.check_receipt_fields(file, content, q["key"], q["time"], True if q["expected"] else None)
        fields = dict(receipt_fields(content))
        created = app_attest.datetime.datetime.fromisoformat(fields[12].decode().replace("Z", "+00:00"))
        return f"{int(fields[17]) if 17 in fields else '-'} {int(created.timestamp() // 1)}"

    @staticmethod
    def certificates(q):
        """Returns the certificates in the SignedData, and the device's certificate from the payload (field 3)."""
        content, found, *_ = signed_data.taken_apart(q["object"])
        return found + [value for kind, value in receipt_fields(content) if kind == 3]

    @staticmethod
    def peer_knows(_):
        return False


def describe(parsed):
    category, version, build = parsed["category"], parsed["version"], parsed["build"]
    return " ".join([
        "-" if category is None else str(category), "-" if version is None else "v" + version.encode().hex(),
        "-" if build is None else "b" + build[1].hex()])


def certificate_reason(tool, kind, question, ours, theirs):
    certificates, _ = check_objects.attempt(kind.certificates, question)
    return of_certificates(tool, certificates or [], ours, theirs)


def main():
    parser = argparse.ArgumentParser(description="Compare whole verifications with two other implementations.")
    parser.add_argument("--fuzz", required=True, help="the program that run.sh builds")
    parser.add_argument("--seeds", required=True, type=pathlib.Path, help="the folder that `fuzz --seeds` wrote")
    parser.add_argument("--peers", help="the program of Benchmarks/Peers")
    parser.add_argument("--runs", type=int, default=1_000, help="inputs of each kind (1,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--survey", action="store_true", help="count the unexplained disagreements by their text")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be a whole number from 1")
    warnings.filterwarnings("ignore")

    extra = os.environ.get("PUREATTEST_EXTRA_VECTORS")
    attestations, data, receipts, genuine = templates(options.seeds, [REPOSITORY / "Vectors"] + ([extra] if extra else []))
    if min(len(attestations), len(data), len(receipts), genuine) == 0:
        raise SystemExit("end_to_end.py: one kind of object has no templates")
    tool = Tool(options.fuzz, "--answer")
    peer = Tool(options.peers, "--answer") if options.peers else None
    comparison = Comparison(EXPLAINED)
    for kind in (Attestations(attestations), Assertions(data), Receipts(receipts)):
        name = type(kind).__name__.lower()
        rng = random.Random(f"{options.seed} {name}")
        for _ in range(options.runs):
            question = kind.make(rng)
            asked = kind.question(question)
            ours = tool.ask(kind.letter, asked)
            result, refusal = check_objects.attempt(kind.answer, question)
            theirs = f"accepted {result}" if refusal is None else "refused " + re.sub(r"\s+", " ", refusal)
            reason = functools.partial(certificate_reason, tool, kind, question)
            comparison.record(f"{name}, cryptography", ours, theirs, asked, kind=f"{name}, cryptography", otherwise=reason)
            if peer and kind.peer_knows(question):
                # For an attestation, the peer returns only the key. For an assertion, it returns only the counter.
                short = " ".join(ours.split()[:2]) if ours.startswith("accepted") else ours
                comparison.record(f"{name}, swift-certificates", short, peer.ask(kind.letter, asked), asked,
                                  kind=f"{name}, swift-certificates", otherwise=reason)
        if sys.stderr.isatty():
            print(f"\r\033[K{name}", end="", file=sys.stderr)
    if options.survey:
        comparison.survey()
        return 0
    # The script compares values only for objects that both verifiers accept, and fails if there are too few of these objects.
    for name, tally in comparison.summary.items():
        if tally["both accept"] * 20 < sum(tally.values()):
            raise SystemExit(f"end_to_end.py: both accept only {tally['both accept']} {name}, too few")
    print(f"templates: {len(attestations)} attestations, {len(data)} assertions, {len(receipts)} receipts; "
          f"{genuine} genuine object files")
    return comparison.report(comparison.stale(options.runs, comparison.summary), options.json)


if __name__ == "__main__":
    sys.exit(main())
