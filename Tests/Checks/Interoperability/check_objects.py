#!/usr/bin/env python3
"""Verifies object files with an implementation that shares no code with PureAttest.

    pip install cryptography cbor2
    pure-attest simulate corpus --seed 1 --out corpus
    python3 Tests/Checks/Interoperability/check_objects.py corpus

Follows Apple's "Validating apps that connect to your server" with `cryptography` (ECDSA, certificates), `cbor2` and,
for receipts, `openssl cms -verify`. Reads the object files that Vectors/README.md describes. Virtual devices' objects
are verified under their test anchors, and genuine objects under Apple's root. --apple-root names the file with Apple's
root (DER).

The script must accept an object if and only if the file states that the object verifies. The faults in
BEYOND_THIS_SCRIPT are exceptions, because these general-purpose parsers do not detect them. If the script rejects an
object with one of these faults, the list is out of date, which is an error too.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import cryptography
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import Encoding

from app_attest import (
    check_receipt_fields, check_receipt_signer, require, text, verify_assertion, verify_attestation, x963)

BEYOND_THIS_SCRIPT = {
    # cbor2 accepts duplicate keys, overlong heads and indefinite lengths. It uses the last value of a duplicate key.
    "attestation.objectDuplicateKey", "attestation.extensionsDuplicateKey", "assertion.objectDuplicateKey",
    "assertion.extensionsDuplicateKey", "attestation.objectNonMinimalHead", "assertion.objectNonMinimalHead",
    "attestation.objectIndefiniteLength", "assertion.objectIndefiniteLength",
    # This script does not limit sizes.
    "attestation.objectTooLarge", "certificate.extensionsTooMany",
    # cryptography reads some certificates that violate RFC 5280 or X.690.
    "certificate.keyUsageEmpty", "certificate.keyUsagePadded",
    "certificate.serialNumberTooLong", "certificate.subjectEmpty", "certificate.subjectInvalidUTF8",
    # OpenSSL ignores the bytes after the CMS object, and the signer's version. It accepts signed attributes, which are
    # valid in CMS.
    "receipt.objectTrailingByte", "receipt.signerVersion", "receipt.signedAttributes",
} | ({"certificate.algorithmParameters"} if int(cryptography.__version__.split(".")[0]) < 49 else set())


def verify_receipt(file, receipt, root_pem, key, time, attested):
    """Verifies signature and chain with OpenSSL, then checks the fields. `attested`: whether the attestation contained
    the receipt.
    """
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "receipt").write_bytes(receipt)
        (folder / "root.pem").write_bytes(root_pem)
        result = subprocess.run(
            ["openssl", "cms", "-verify", "-binary", "-inform", "DER", "-in", folder / "receipt", "-CAfile",
             folder / "root.pem", "-purpose", "any", "-attime", str(time), "-out", folder / "payload", "-signer",
             folder / "signer.pem"],
            capture_output=True, text=True)
        require(result.returncode == 0, f"openssl cms: {result.stderr.strip()}")
        payload = (folder / "payload").read_bytes()
        signers = x509.load_pem_x509_certificates((folder / "signer.pem").read_bytes())
    require(len(signers) == 1, "signers")
    check_receipt_signer(signers[0])
    check_receipt_fields(file, payload, key, time, attested)


def attempt(verify, *arguments):
    """Returns (result, None), or (None, reason) if an object is rejected. Treats every parser exception as a rejection."""
    try:
        return verify(*arguments), None
    except InvalidSignature:
        return None, "signature"
    except Exception as error:  # noqa: BLE001
        return None, f"{type(error).__name__}: {error}"


class Tally:
    def __init__(self):
        self.counts = {"accepted": 0, "refused": 0, "beyond this script": 0}
        self.failures = []

    def record(self, name, expected, refusal, verbose):
        fault = expected.get("fault")
        if expected["verifies"]:
            self.counts["accepted"] += 1
            if refusal:
                self.failures.append(f"{name}: refused: {refusal}")
        elif fault in BEYOND_THIS_SCRIPT:
            self.counts["beyond this script"] += 1
            if refusal:
                self.failures.append(f"{name}: {fault} is refused: {refusal}; remove it from the list")
        else:
            self.counts["refused"] += 1
            if not refusal:
                self.failures.append(f"{name}: {fault} is accepted")
        if verbose:
            print(f"{name}: {refusal or 'accepted'}")


def main():
    parser = argparse.ArgumentParser(description="Verify object files independently of PureAttest.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--apple-root", type=pathlib.Path, help="DER of the App Attestation root, for genuine files")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    # cryptography warns about some certificates that this script itself rejects.
    warnings.filterwarnings("ignore", module="cryptography|__main__|app_attest")
    tally = Tally()
    receipts = 0
    for path in sorted(options.folder.glob("*.json")):
        file = json.loads(path.read_text())
        if "attestation" not in file:
            continue
        anchor = file.get("testAnchor")
        root = text(anchor["attestationRoot"]) if anchor else options.apple_root.read_bytes()
        result, refusal = attempt(verify_attestation, file, x509.load_der_x509_certificate(root))
        tally.record(file["name"], file["expect"], refusal, options.verbose)
        if not result or not file["expect"]["verifies"]:
            continue
        leaf, receipt, _ = result
        for index, assertion in enumerate(file["assertions"]):
            _, refusal = attempt(verify_assertion, file, assertion, leaf)
            tally.record(f"{file['name']}, assertion {index + 1}", assertion, refusal, options.verbose)
        if anchor:
            certificate = x509.load_der_x509_certificate(text(anchor["receiptRoot"]))
            pem = certificate.public_bytes(Encoding.PEM)
            for item in file["receipts"]:
                der = text(item["receipt"]) or receipt
                _, refusal = attempt(
                    verify_receipt, file, der, pem, x963(leaf.public_key()), item["verifyAt"], item["receipt"] is None)
                tally.record(f"{file['name']}, receipt", item, refusal, options.verbose)
                receipts += 1
    print(", ".join(f"{count} {what}" for what, count in tally.counts.items()), f"({receipts} receipts)")
    for failure in tally.failures:
        print(failure, file=sys.stderr)
    if sum(tally.counts.values()) == 0:
        print("found no object files", file=sys.stderr)
    return 1 if tally.failures or sum(tally.counts.values()) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
