#!/usr/bin/env python3
"""Holds `pure-attest verify-key-attestation` against Python: the chains of Vectors/android-key-attestation, verified with `cryptography`
and read by a few lines of DER here.

    Tests/Interoperability/check_key_attestation.py .build/release/pure-attest

Signatures and roots are checked here too, and every member of a description that the files name is compared. Exit status: 0 if all
agree, 1 if not, 2 if cryptography is missing.
"""
import base64
import json
import pathlib
import re
import subprocess
import sys

try:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
except ImportError:
    print("check_key_attestation.py: Python's cryptography is missing", file=sys.stderr)
    sys.exit(2)

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Vectors" / "android-key-attestation"
DESCRIPTION = "1.3.6.1.4.1.11129.2.1.17"
LEVELS = {0: "software", 1: "trustedEnvironment", 2: "strongBox"}
STATES = {0: "verified", 1: "selfSigned", 2: "unverified", 3: "failed"}
# Numbers, and what the command calls them.
NUMBERS = {2: "algorithm", 3: "keySize", 10: "ecCurve", 11: "mlDsaVariant", 200: "rsaPublicExponent", 405: "usageCountLimit",
           504: "userAuthType", 505: "authTimeout", 701: "creationDateTime", 702: "origin", 705: "osVersion",
           706: "osPatchLevel", 718: "vendorPatchLevel", 719: "bootPatchLevel"}
SETS = {1: "purposes", 5: "digests", 6: "paddings"}
TEXTS = {710: "brand", 711: "device", 712: "product", 713: "serial", 714: "imei", 715: "meid", 716: "manufacturer", 717: "model",
         723: "secondIMEI"}


def elements(data):
    """(tag number, contents) of each element."""
    at = 0
    while at < len(data):
        number = data[at] & 31
        at += 1
        if number == 31:
            number = 0
            while True:
                number = number << 7 | data[at] & 127
                at += 1
                if data[at - 1] < 128:
                    break
        length = data[at]
        at += 1
        if length > 127:
            count = length & 127
            length = int.from_bytes(data[at:at + count], "big")
            at += count
        yield number, data[at:at + length]
        at += length


def inner(data):
    return next(elements(data))[1]


def number(data):
    return int.from_bytes(data, "big")


def members(data):
    found = {}
    for tag, value in elements(data):
        if tag in NUMBERS:
            found[NUMBERS[tag]] = number(inner(value))
        elif tag in SETS:
            found[SETS[tag]] = [str(number(item)) for _, item in elements(inner(value))]
        elif tag in TEXTS:
            found[TEXTS[tag]] = inner(value).decode()
        elif tag == 704:
            key, locked, state, *rest = [item for _, item in elements(inner(value))]
            found["rootOfTrust"] = {
                "verifiedBootKey": base64.b64encode(key).decode(), "deviceLocked": locked == b"\xff",
                "verifiedBootState": STATES[number(state)],
                "verifiedBootHash": base64.b64encode(rest[0]).decode() if rest else None}
        elif tag == 709:
            packages, digests = [item for _, item in elements(inner(inner(value)))]
            names = [[part for _, part in elements(package)] for _, package in elements(packages)]
            found["packages"] = [{"name": name.decode(), "version": number(version)} for name, version in names]
            found["signingDigests"] = [item.hex() for _, item in elements(digests)]
    return found


def description(leaf):
    value = next(item for item in leaf.extensions if item.oid.dotted_string == DESCRIPTION).value.value
    parts = [item for _, item in elements(inner(value))]
    if len(parts) != 8:
        return None
    return {
        "attestationVersion": number(parts[0]), "attestationSecurityLevel": LEVELS[number(parts[1])],
        "keyMintVersion": number(parts[2]), "keyMintSecurityLevel": LEVELS[number(parts[3])],
        "attestationChallenge": base64.b64encode(parts[4]).decode(), "softwareEnforced": members(parts[6]),
        "hardwareEnforced": members(parts[7])}


def spki(certificate):
    return certificate.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def is_signed(certificate, issuer):
    key, algorithm = issuer.public_key(), certificate.signature_hash_algorithm
    try:
        if isinstance(key, rsa.RSAPublicKey):
            key.verify(certificate.signature, certificate.tbs_certificate_bytes, padding.PKCS1v15(), algorithm)
        else:
            key.verify(certificate.signature, certificate.tbs_certificate_bytes, ec.ECDSA(algorithm))
    except Exception:  # pylint: disable=broad-except
        return False
    return certificate.issuer == issuer.subject


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    roots = {spki(x509.load_pem_x509_certificate(pem.encode())) for pem in json.loads((FOLDER / "roots.json").read_text())}
    assert hashes.SHA256.digest_size == 32
    compared = accepted = refused = 0
    for path in sorted(FOLDER.rglob("*.pem")):
        blocks = re.findall(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", path.read_text(), re.DOTALL)
        chain = [x509.load_pem_x509_certificate(block.encode()) for block in blocks]
        issuers = chain[1:-1]
        time = max((int(issuer.not_valid_before_utc.timestamp()) for issuer in issuers), default=0) + 3600
        is_chain = (len(chain) in (4, 5) and all(map(is_signed, chain, chain[1:])) and spki(chain[-1]) in roots
                    and "malformed" not in path.name)
        result = subprocess.run([sys.argv[1], "verify-key-attestation", path, "--report-only", "--json", "--at", str(time)],
                                capture_output=True, text=True, check=False)
        output = json.loads(result.stdout)
        if output["verified"] != is_chain or (result.returncode == 0) != is_chain:
            print(f"{path.name}: Python says {is_chain}, and pure-attest {output['reason']}", file=sys.stderr)
            return 1
        accepted, refused = accepted + is_chain, refused + (not is_chain)
        if "malformed" in path.name:
            continue
        mine, theirs = description(chain[0]), output["keyDescription"]
        if (mine is None) != (theirs is None):
            print(f"{path.name}: only one of the two reads a description", file=sys.stderr)
            return 1
        if mine is None:
            continue
        for name, value in mine.items():
            if name.endswith("Enforced"):
                for member, expected in value.items():
                    compared += 1
                    if theirs[name].get(member) != expected:
                        print(f"{path.name}: {member} is {expected}, not {theirs[name].get(member)}", file=sys.stderr)
                        return 1
            else:
                compared += 1
                if theirs[name] != value:
                    print(f"{path.name}: {name} is {value}, not {theirs[name]}", file=sys.stderr)
                    return 1
    if accepted < 10 or refused < 4 or compared < 200:
        print(f"only {accepted} chains, {refused} refusals and {compared} members", file=sys.stderr)
        return 1
    print(f"{accepted} chains accepted, {refused} refused, {compared} members of descriptions agree with Python")
    return 0


sys.exit(main())
