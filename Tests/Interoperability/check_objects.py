#!/usr/bin/env python3
"""Verify object files with an implementation that shares nothing with PureAttest.

    pip install cryptography cbor2
    pure-attest simulate corpus --seed 1 --out corpus
    python3 Tests/Interoperability/check_objects.py corpus

Follows the steps of Apple's "Validating apps that connect to your server" with `cryptography` (ECDSA, certificates), `cbor2`
and, for receipts, `openssl cms -verify`. Reads the object files that Vectors/README.md describes: those of virtual devices under
their test anchors, genuine ones under Apple's root, whose DER is the file that --apple-root names.

Whatever a file says verifies has to be accepted. What it says does not verify has to be refused, but for the faults in
BEYOND_THIS_SCRIPT: general parsers, as here, do not see them. An entry that is refused after all is an error too.
"""

import argparse
import base64
import datetime
import hashlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import cbor2
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

NONCE = x509.ObjectIdentifier("1.2.840.113635.100.8.2")
RECEIPT_SIGNING = x509.ObjectIdentifier("1.2.840.113635.100.12.15")
ACCESS_CONTROL_LIST = x509.ObjectIdentifier("1.2.840.113635.100.8.6")
SYSTEM = x509.ObjectIdentifier("1.2.840.113635.100.8.7")
# Fields of the system's attributes.
PLATFORM, RELEASE_TYPE, SYSTEM_VERSION, SYSTEM_BUILD = 1026, 1029, 1400, 1403
# Apple's service dates every leaf back by this.
LEAF_BACKDATING = 86_400
MACOS_LIST = base64.b64decode(
    "MEAMAjExMDowCQwCb2uhAwEB/zAJDAJvYaEDAQH/MAsMBG9kZWyhAwEB/zAVDARvc2duoAYMBHJzZWMwBaYDAgEB")
AAGUIDS = {"development": b"appattestdevelop", "production": b"appattest" + bytes(7)}

BEYOND_THIS_SCRIPT = {
    # cbor2 takes the last of two equal keys, any head and indefinite lengths.
    "attestation.objectDuplicateKey", "attestation.extensionsDuplicateKey", "assertion.objectDuplicateKey",
    "assertion.extensionsDuplicateKey", "attestation.objectNonMinimalHead", "assertion.objectNonMinimalHead",
    "attestation.objectIndefiniteLength", "assertion.objectIndefiniteLength",
    # Sizes are not limited here.
    "attestation.objectTooLarge", "certificate.extensionsTooMany",
    # cryptography reads some certificates that break RFC 5280 or X.690.
    "certificate.algorithmParameters", "certificate.keyUsageEmpty", "certificate.keyUsagePadded",
    "certificate.serialNumberTooLong", "certificate.subjectEmpty", "certificate.subjectInvalidUTF8",
    # OpenSSL does not look behind the CMS object nor at the signer's version, and signed attributes are good CMS.
    "receipt.objectTrailingByte", "receipt.signerVersion", "receipt.signedAttributes",
}


class Refused(Exception):
    pass


def require(condition, reason):
    if not condition:
        raise Refused(reason)


def text(value):
    """Base64 of an object file."""
    return None if value is None else base64.b64decode(value, validate=True)


def tagged_fields(der):
    """The OCTET STRINGs of `SEQUENCE { [number] { OCTET STRING } … }`, by number; other fields are passed over."""
    fields = {}
    rest = unwrap(der, (0x30,))
    while rest:
        number, start = rest[0] & 0x1F, 1
        if number == 0x1F:
            number, more = 0, True
            while more:
                number, more, start = number << 7 | rest[start] & 0x7F, rest[start] & 0x80, start + 1
        length, start = rest[start], start + 1
        if length & 0x80:
            count = length & 0x7F
            length, start = int.from_bytes(rest[start:start + count], "big"), start + count
        require(start + length <= len(rest), "DER length")
        value, rest = rest[start:start + length], rest[start + length:]
        if value[0] == 0x04:
            require(number not in fields, "a field twice")
            fields[number] = unwrap(value, (0x04,))
    return fields


def version_numbers(version):
    numbers = [int(number) for number in version.split(".")]
    return numbers + [0] * (3 - len(numbers))


def x963(key):
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def decode(data):
    """One CBOR item and nothing behind it."""
    stream = io.BytesIO(data)
    value = cbor2.CBORDecoder(stream).decode()
    require(stream.tell() == len(data), "bytes follow the CBOR item")
    return value


def decode_prefix(data):
    stream = io.BytesIO(data)
    value = cbor2.CBORDecoder(stream).decode()
    return value, data[stream.tell():]


def unwrap(der, tags):
    """The contents of nested DER elements with one-octet tags, nothing beside them."""
    for tag in tags:
        require(len(der) >= 2 and der[0] == tag, f"DER tag {tag:#x} is missing")
        length, start = der[1], 2
        if length & 0x80:
            count = length & 0x7F
            length, start = int.from_bytes(der[2:2 + count], "big"), 2 + count
        require(start + length == len(der), "DER length")
        der = der[start:]
    return der


def check_chain(certificates, root, time):
    require(len(certificates) == 2, f"{len(certificates)} certificates")
    leaf, intermediate = (x509.load_der_x509_certificate(c) for c in certificates)
    moment = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    for certificate in (leaf, intermediate):
        require(certificate.version == x509.Version.v3, "version")
        require(certificate.not_valid_before_utc <= moment <= certificate.not_valid_after_utc, "validity")
        require(certificate.serial_number > 0, "serial number")
        for extension in certificate.extensions:
            known = isinstance(extension.value, (x509.BasicConstraints, x509.KeyUsage, x509.ExtendedKeyUsage))
            require(known or not extension.critical, f"critical extension {extension.oid.dotted_string}")
    for issued, issuer, basic in ((leaf, intermediate, False), (intermediate, root, True)):
        issued.verify_directly_issued_by(issuer)
        constraints = issued.extensions.get_extension_for_class(x509.BasicConstraints)
        require(constraints.value.ca == basic, "basicConstraints")
        require(issued.extensions.get_extension_for_class(x509.KeyUsage).value.key_cert_sign == basic, "keyUsage")
    require(
        intermediate.extensions.get_extension_for_class(x509.BasicConstraints).critical, "basicConstraints not critical")
    return leaf


def parse_authenticator_data(data, attested):
    require(len(data) >= 37, "authenticator data too short")
    parsed = {"rp": data[:32], "counter": int.from_bytes(data[33:37], "big")}
    rest = data[37:]
    if attested:
        require(len(rest) >= 18, "credential data too short")
        length = int.from_bytes(rest[16:18], "big")
        require(len(rest) >= 18 + length, "credential ID past the end")
        parsed["aaguid"], parsed["id"] = rest[:16], rest[18:18 + length]
        key, rest = decode_prefix(rest[18 + length:])
        require(isinstance(key, dict) and sorted(key) == [-3, -2, -1, 1, 3], "COSE key")
        require((key[1], key[3], key[-1]) == (2, -7, 1), "COSE key parameters")
        require(all(isinstance(key[i], bytes) and len(key[i]) == 32 for i in (-2, -3)), "COSE key coordinates")
        parsed["key"] = b"\x04" + key[-2] + key[-3]
    extensions = decode(rest) if rest else {}
    require(isinstance(extensions, dict), "extensions")
    # The nonce has no boundary: a map is the system's only if the system set ED.
    believed = bool(data[32] & 0x80)
    require(rest or not believed, "extensions are missing")
    parsed["category"] = member(extensions, "apple_validation_category_01", "validationCategory")
    parsed["version"] = member(extensions, "apple_bundle_version_01", "bundleVersion")
    category = parsed["category"]
    if isinstance(category, bytes):
        require(len(category) == 4, "category length")
        parsed["category"] = int.from_bytes(category, "little")
    elif category is not None:
        require(isinstance(category, int) and category < 1 << 32, "category type")
    require(parsed["version"] is None or isinstance(parsed["version"], str), "version type")
    parsed["build"] = build(extensions, "apple_cd_hash_hash_01", "apple_cd_hash_type_01")
    if not believed:
        parsed["category"] = parsed["version"] = parsed["build"] = None
    return parsed


def member(extensions, name, other):
    require(not (name in extensions and other in extensions), "spelled twice")
    return extensions.get(name, extensions.get(other))


def build(members, hash_name, type_name):
    """The type and the hash of a build: both members or neither, SHA-256 whole or its first 20 bytes."""
    if hash_name not in members and type_name not in members:
        return None
    kind, digest = members.get(type_name), members.get(hash_name)
    require(isinstance(kind, bytes) and len(kind) == 1 and isinstance(digest, bytes), "build")
    require(len(digest) in (20, 32) if kind == b"\x02" else 1 <= len(digest) <= 64, "length of a build")
    return kind, digest


def object_members(item, names):
    """Whether a map has these members, and besides at most the build that iOS 18.5 to 26 put there, which proves nothing."""
    require(isinstance(item, dict) and set(item) - {"cdHash"} == names, "members")
    if "cdHash" in item:
        unsigned = item["cdHash"]
        require(isinstance(unsigned, dict) and set(unsigned) == {"hash", "type"}, "unsigned build")
        kind, digest = build(unsigned, "hash", "type")
        require(kind == b"\x02" and len(digest) == 20, "unsigned build")


def check_launch(file, parsed):
    policy = file.get("launchPolicy")
    if policy:
        require(parsed["category"] in policy["validationCategories"], "category")
        require(policy["bundleVersions"] is None or parsed["version"] in policy["bundleVersions"], "version")
        if policy["codeDirectoryHashes"] is not None:
            accepted = [(b"\x02", text(digest)) for digest in policy["codeDirectoryHashes"]]
            require(parsed["build"] in accepted, "build")


def check_system(file, leaf):
    """What Apple certified of the system, for attestations and, as of then, for assertions."""
    policy = file.get("systemPolicy")
    if not policy:
        return
    fields = tagged_fields(leaf.extensions.get_extension_for_oid(SYSTEM).value.value)
    minimum = policy["minimumMacOSVersion" if file.get("platform") == "macOS" else "minimumVersion"]
    if minimum is not None:
        found = version_numbers(fields[SYSTEM_VERSION].decode())
        require(found >= version_numbers(minimum), "system version")
    if policy.get("builds") is not None:
        require(fields[SYSTEM_BUILD].decode() in policy["builds"], "system build")
    require(policy["acceptsPrereleases"] or RELEASE_TYPE not in fields, "kind of release")


def within(file, name, value):
    limit = (file.get("agePolicy") or {}).get(name)
    require(limit is None or value <= limit, name)


def verify_attestation(file, root):
    """Apple's steps; returns the leaf, the receipt and the leaf's DER."""
    item = decode(text(file["attestation"]))
    object_members(item, {"fmt", "attStmt", "authData"})
    statement = item["attStmt"]
    require(item["fmt"] == "apple-appattest", "fmt")
    require(isinstance(statement, dict) and set(statement) == {"x5c", "receipt"}, "attStmt")
    require(isinstance(statement["receipt"], bytes) and isinstance(statement["x5c"], list), "types")
    require(all(isinstance(c, bytes) for c in statement["x5c"]), "certificate type")
    data = item["authData"]

    leaf = check_chain(statement["x5c"], root, file["verifyAt"])  # 1
    client_data_hash = text(file["clientDataHash"])  # 2
    if file.get("challenge") is not None:
        require(hashlib.sha256(text(file["challenge"])).digest() == client_data_hash, "challenge")
    nonce = hashlib.sha256(data + client_data_hash).digest()  # 3
    certified = leaf.extensions.get_extension_for_oid(NONCE).value.value  # 4
    require(unwrap(certified, (0x30, 0xA1, 0x04)) == nonce, "nonce")
    key = leaf.public_key()
    require(isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1), "leaf key")
    key_id = text(file["keyID"])
    require(hashlib.sha256(x963(key)).digest() == key_id, "key ID")  # 5
    parsed = parse_authenticator_data(data, True)
    require(parsed["rp"] == hashlib.sha256(file["appID"].encode()).digest(), "App ID")  # 6
    require(parsed["counter"] == 0, "counter")  # 7
    require(parsed["aaguid"] == AAGUIDS[file["environment"]], "environment")  # 8
    require(parsed["id"] == key_id, "credential ID")  # 9
    require(parsed["key"] == x963(key), "COSE key")
    platform = tagged_fields(leaf.extensions.get_extension_for_oid(SYSTEM).value.value).get(PLATFORM)
    require(platform is None or (platform == b"macosx") == (file.get("platform") == "macOS"), "platform")
    check_system(file, leaf)
    within(file, "maximumAttestationAge", file["verifyAt"] - leaf.not_valid_before_utc.timestamp() - LEAF_BACKDATING)
    if file.get("platform") == "macOS":
        extension = leaf.extensions.get_extension_for_oid(ACCESS_CONTROL_LIST).value.value
        require(unwrap(extension, (0x30, 0xA3, 0x04)) == MACOS_LIST, "access control list")
    check_launch(file, parsed)  # 10, 11
    return leaf, statement["receipt"], statement["x5c"][0]


def verify_assertion(file, assertion, leaf):
    item = decode(text(assertion["assertion"]))
    object_members(item, {"signature", "authenticatorData"})
    require(all(isinstance(item[name], bytes) for name in ("signature", "authenticatorData")), "types")
    client_data = text(assertion["clientData"])
    data = item["authenticatorData"]
    nonce = hashlib.sha256(data + hashlib.sha256(client_data).digest()).digest()  # 1, 2
    leaf.public_key().verify(item["signature"], nonce, ec.ECDSA(SHA256()))  # 3: the nonce is the message
    parsed = parse_authenticator_data(data, False)
    require(parsed["rp"] == hashlib.sha256(file["appID"].encode()).digest(), "App ID")  # 4
    check_system(file, leaf)
    if "verifyAt" in assertion:
        within(file, "maximumKeyAge", assertion["verifyAt"] - file["verifyAt"])
    require(parsed["counter"] > assertion["previousCounter"], "counter")  # 5
    within(file, "maximumCounterStep", parsed["counter"] - assertion["previousCounter"])
    if "challenge" in assertion:
        require(client_data == text(assertion["challenge"]), "challenge")  # 6
    check_launch(file, parsed)  # 7, 8


def elements(der):
    """The DER elements of one level: tag and contents."""
    while der:
        length, start = der[1], 2
        if length & 0x80:
            count = length & 0x7F
            length, start = int.from_bytes(der[2:2 + count], "big"), 2 + count
        require(start + length <= len(der), "DER length")
        yield der[0], der[start:start + length]
        der = der[start + length:]


def verify_receipt(file, receipt, root_pem, leaf, time, attested):
    """Signature and chain by OpenSSL, then the fields. `attested`: it came inside the attestation."""
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
    signers[0].extensions.get_extension_for_oid(RECEIPT_SIGNING)
    (tag, contents), = elements(payload)
    require(tag == 0x31, "payload is no SET")
    fields = {}
    for tag, field in elements(contents):
        (_, kind), (_, version), (_, value) = elements(field)
        require(tag == 0x30 and version == b"\x01", "field")
        require(int.from_bytes(kind, "big") not in fields, "field twice")
        fields[int.from_bytes(kind, "big")] = value
    require(fields[2] == file["appID"].encode(), "receipt: App ID")
    require(fields[3] == leaf, "receipt: certificate")
    if attested:
        require(fields[6] == b"ATTEST" and fields[4] == text(file["clientDataHash"]), "receipt: client hash")
    else:
        require(fields[6] == b"RECEIPT", "receipt: type")
    require(fields[7] == {"production": b"production", "development": b"sandbox"}[file["environment"]], "environment")
    require(17 not in fields or fields[17].isdigit(), "receipt: risk metric")
    created, expires = (
        datetime.datetime.fromisoformat(fields[i].decode().replace("Z", "+00:00")).timestamp() for i in (12, 21))
    require(created >= time - 300 and time <= expires, "receipt: times")


def attempt(verify, *arguments):
    """The result, or why it was refused. A parser's exception is a refusal; this script has no other bugs to hide."""
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
    # It warns of what this script refuses by itself.
    warnings.filterwarnings("ignore", module="cryptography|__main__")
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
        leaf, receipt, leaf_der = result
        for index, assertion in enumerate(file["assertions"]):
            _, refusal = attempt(verify_assertion, file, assertion, leaf)
            tally.record(f"{file['name']}, assertion {index + 1}", assertion, refusal, options.verbose)
        if anchor:
            certificate = x509.load_der_x509_certificate(text(anchor["receiptRoot"]))
            pem = certificate.public_bytes(Encoding.PEM)
            for item in file["receipts"]:
                der = text(item["receipt"]) or receipt
                _, refusal = attempt(
                    verify_receipt, file, der, pem, leaf_der, item["verifyAt"], item["receipt"] is None)
                tally.record(f"{file['name']}, receipt", item, refusal, options.verbose)
                receipts += 1
    print(", ".join(f"{count} {what}" for what, count in tally.counts.items()), f"({receipts} receipts)")
    for failure in tally.failures:
        print(failure, file=sys.stderr)
    if sum(tally.counts.values()) == 0:
        print("no object files", file=sys.stderr)
    return 1 if tally.failures or sum(tally.counts.values()) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
