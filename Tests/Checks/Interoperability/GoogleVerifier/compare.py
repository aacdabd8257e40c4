#!/usr/bin/env python3
"""Compares `pure-attest verify-key-attestation` with Google's verifier, which build.sh builds.

    Tests/Checks/Interoperability/GoogleVerifier/compare.py FOLDER/run .build/release/pure-attest [--runs N] [--seed N]

There are three kinds of chains:

- the chains of Vectors/android-key-attestation, under Google's roots;
- the chains of a virtual device, without a fault and with each fault;
- N (5,000) chains with mutated key descriptions, leaves and attestation certificates, signed with this script's keys.

Both verifiers check the chain and the key description, and ignore policies. If both accept a chain, the script compares the members that Answer.kt prints. If
only one verifier accepts a chain, a reason in this script must match. A reason that matches no chain is a failure too. Exit status: 0 if every disagreement has
a reason, 1 if not, 2 if the comparison could not run.
"""
import argparse
import base64
import collections
import datetime
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

import descriptions
import elements
import reissue

# cryptography warns about one of the faults, which adds algorithm parameters that must be absent.
warnings.filterwarnings("ignore", message="The parsed certificate contains a NULL parameter")
FOLDER = Path(__file__).resolve().parents[4] / "Vectors" / "android-key-attestation"
OID = "1.3.6.1.4.1.11129.2.1.17"
TIME = 1_790_000_000
RSA_ENCRYPTION = bytes.fromhex("06092a864886f70d010101")

# Reasons why only Google's library rejects a chain: (reason, regular expression). The expression must match in the text "name of the chain: error message".
REFUSED_THERE = [
    ("a chain without its root, as in WebAuthn", r": ChainParsingFailure\(cause=java.security.cert.CertificateException: Root certificate not found"),
    ("a tag unknown to Google's list, which PureAttest reports but does not trust", r"unknown tag number"),
    ("a leaf's key on an unsupported curve, which PureAttest reports, and rejects without --report-only", r"Unknown named curve"),
    ("an unknown origin, which no policy of PureAttest accepts", r"IllegalStateException: unknown value"),
    ("other parts of the leaf, which the device wrote and PureAttest does not read",
     r"^leaf \d+: thrown: java.security.cert.CertificateParsingException"),
]
# Reasons why only PureAttest rejects a chain: (reason, regular expression). The expression must match in PureAttest's reason code and text.
REFUSED_HERE = [
    ("a member's value is not DER or has the wrong type; Google's library omits it or reads it as BER", r"^malformedAuthorization"),
    ("a description that is not DER or does not match the schema", r"^malformedKeyDescription"),
    ("a duplicate member", r"^duplicateAuthorization"),
    ("names that differ as bytes", r"^wrongOrder"),
    ("the leaf's key differs from the described key", r"^keyMismatch"),
    ("an issuer that is not a CA or must not sign certificates", r"^notCertificationAuthority"),
    ("more certificates than a path length constraint allows", r"^pathLengthExceeded"),
    ("a security level that does not match the attestation certificate", r"^securityLevelMismatch"),
    ("a suspended but not revoked certificate", r"^suspended"),
    ("a revoked root", r"^revoked: certificate [34]"),
    ("a revocation list without the published format", r"^malformedRevocationList"),
    ("an issuer whose version is not 3", r"^notVersion3"),
    ("a chain above the size limit", r"^inputTooLarge"),
    ("an empty challenge", r"^emptyChallenge"),
    ("an unknown critical extension", r"^unhandledCriticalExtension"),
    ("a chain that is provisioned neither in the factory nor remotely", r"^unknownProvisioning"),
    ("parameters of a signature algorithm, or an RSA signature algorithm with an EC key", r"^unsupportedSignatureAlgorithm"),
    ("a certificate that violates DER or RFC 5280", r"^malformedCertificate"),
    ("provisioning information that is not the specified map", r"^malformedProvisioningInformation"),
    ("an RSA key that violates RFC 3279", r"^malformedRSAKey"),
    ("a software keystore's root, even if trusted", r"^softwareRoot"),
]


def der(certificate):
    return certificate.public_bytes(serialization.Encoding.DER)


def genuine():
    """Yields each chain in Vectors, with and without its last certificate.

    All issuers should be valid at the verification time. It is one hour after the latest `notBefore` of the certificates between the leaf and the last one.
    """
    for path in sorted(FOLDER.rglob("*.pem")):
        blocks = re.findall(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", path.read_text(), re.DOTALL)
        chain = [x509.load_pem_x509_certificate(block.encode()) for block in blocks]
        time = max((int(issuer.not_valid_before_utc.timestamp()) for issuer in chain[1:-1]), default=0) + 3600
        for name, part in ((path.relative_to(FOLDER), chain), (f"{path.relative_to(FOLDER)} without its last", chain[:-1])):
            yield {"name": str(name), "chain": [der(certificate) for certificate in part], "time": time, "root": None,
                   "list": '{"entries":{}}'}


def virtual(command):
    """Yields the virtual device's chains, without a fault and with each fault."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([command, "simulate", "android-corpus", "--seed", "7", "--out", folder], check=True, stdout=subprocess.DEVNULL)
        for path in sorted(Path(folder).glob("*.json")):
            case = json.loads(path.read_text())
            yield {"name": path.stem, "chain": [base64.b64decode(item) for item in case["chain"]], "time": case["verifyAt"],
                   "root": base64.b64decode(case["testRoot"]), "list": case["revocationList"]}


def attester(level):
    """Returns the name of the attestation key, which is the subject of the attestation certificate and the issuer of the leaf."""
    return {"TITLE": "StrongBox" if level == 2 else "TEE", "SERIAL_NUMBER": "51"}


class Factory:
    """Issues chains of four certificates. This script has the private keys, so that it can sign mutants."""

    def __init__(self):
        self.keys = {name: reissue.key(50 + number) for number, name in enumerate(["root", "intermediate", "attestation"])}
        # The script uses only the public keys of the leaves. The RSA key has the smallest accepted size.
        self.leaf_keys = {3: reissue.key(60), 1: rsa.generate_private_key(65537, 2048)}
        self.root = self.issue({"COMMON_NAME": "root"}, {"COMMON_NAME": "root"}, self.keys["root"], "root", ca=True)
        self.intermediate = self.issue({"SERIAL_NUMBER": "50"}, {"COMMON_NAME": "root"}, self.keys["intermediate"], "root", ca=True)

    def issue(self, subject, issuer, key, signer, ca=False, description=None):
        def name(parts):
            return x509.Name([x509.NameAttribute(getattr(x509.NameOID, oid), value) for oid, value in parts.items()])
        start = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
        builder = x509.CertificateBuilder(name(issuer), name(subject), key.public_key(), 77, start, start.replace(year=2049))
        if ca:
            builder = builder.add_extension(x509.BasicConstraints(True, None), True)
        usage = dict.fromkeys(["content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "crl_sign",
                               "encipher_only", "decipher_only"], False)
        builder = builder.add_extension(x509.KeyUsage(digital_signature=not ca, key_cert_sign=ca, **usage), True)
        if description is not None:
            builder = builder.add_extension(x509.UnrecognizedExtension(x509.ObjectIdentifier(OID), description), False)
        return der(builder.sign(self.keys[signer], hashes.SHA256()))

    def attestation(self, level):
        return self.issue(attester(level), {"SERIAL_NUMBER": "50"}, self.keys["attestation"], "intermediate", ca=True)

    def leaf(self, description, algorithm, level):
        return self.issue({"COMMON_NAME": "Android Keystore Key"}, attester(level), self.leaf_keys[algorithm], "attestation",
                          description=description)


def templates(cases):
    """Returns (description, key algorithm, security level) for each chain whose leaf has an RSA-2048 or P-256 key. Skips leaves that cannot be parsed."""
    found = []
    for case in cases:
        try:
            leaf = x509.load_der_x509_certificate(case["chain"][0])
            value = next(item for item in leaf.extensions if item.oid.dotted_string == OID).value.value
            algorithm = 1 if isinstance(leaf.public_key(), rsa.RSAPublicKey) else 3
            is_p256 = isinstance(leaf.public_key(), ec.EllipticCurvePublicKey) and leaf.public_key().key_size == 256
            if algorithm == 1 and leaf.public_key().key_size == 2048 or is_p256:
                found.append((value, algorithm, descriptions.parse(value)[0].children[1].contents[0]))
        except Exception:  # pylint: disable=broad-except
            continue
    return found


def mutants(cases, runs, seed):
    rng, factory, seeds = random.Random(seed), Factory(), templates(cases)
    assert len(seeds) > 8, "templates"
    def case(name, leaf, attestation):
        return {"name": name, "chain": [leaf, attestation, factory.intermediate, factory.root], "time": TIME, "root": factory.root,
                "list": '{"entries":{}}'}
    # Random mutation seldom produces this mutant: an RSA key whose parameters are an OCTET STRING instead of NULL.
    value, algorithm, level = next(item for item in seeds if item[1] == 1)
    signed = elements.parse(factory.leaf(value, algorithm, level))[0].children[0].encoded()
    assert RSA_ENCRYPTION + b"\5\0" in signed
    signed = signed.replace(RSA_ENCRYPTION + b"\5\0", RSA_ENCRYPTION + b"\4\0")
    yield case("leaf parameters", reissue.certificate(signed, factory.keys["attestation"]), factory.attestation(level))
    for number in range(runs):
        value, algorithm, level = rng.choice(seeds)
        kind = rng.choice(["description", "description", "description", "leaf", "attestation"])
        attestation = factory.attestation(level)
        if kind == "description":
            value = descriptions.mutate(value, rng)
        leaf = factory.leaf(value, algorithm, level)
        if kind == "leaf":
            leaf = resigned(leaf, factory.keys["attestation"], rng)
        if kind == "attestation":
            attestation = resigned(attestation, factory.keys["intermediate"], rng)
        yield case(f"{kind} {number}", leaf, attestation)


def resigned(certificate, key, rng):
    signed = elements.parse(certificate)[0].children[0].encoded()
    return reissue.certificate(elements.mutate(signed, rng), key)


def ask_google(run, cases):
    lines = []
    for case in cases:
        question = {"chain": [base64.b64encode(item).decode() for item in case["chain"]], "time": case["time"], "revoked": case["revoked"]}
        if case["root"] is not None:
            question["root"] = base64.b64encode(case["root"]).decode()
        lines.append(json.dumps(question))
    result = subprocess.run([run], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(answers) == len(cases), result.stderr[-2000:]
    return answers


def ask_here(command, case):
    question = {"chain": [base64.b64encode(item).decode() for item in case["chain"]], "verifyAt": case["time"],
                "revocationList": case["list"]}
    options = ["--report-only", "--json"]
    if case["root"] is not None:
        question["testRoot"] = base64.b64encode(case["root"]).decode()
        options.append("--trust-test-anchor")
    result = subprocess.run([command, "verify-key-attestation", "-", *options], input=json.dumps(question), capture_output=True, text=True,
                            check=False)
    if not result.stdout.startswith("{"):
        raise OSError(f"{case['name']}: {result.stderr[:300]}")
    return json.loads(result.stdout)


def month(level):
    """Returns the year and month of a patch level in Google's format, or None if the level is malformed."""
    text = str(level)
    if len(text) not in (6, 8) or not 1 <= int(text[4:6]) <= 12:
        return None
    return f"{text[:4]}-{text[4:6]}"


def members(listed):
    """Converts an authorization list from `pure-attest` to the names and formats of Answer.kt."""
    found = {}
    for name, value in listed.items():
        if name in ("osPatchLevel", "vendorPatchLevel", "bootPatchLevel"):
            if month(value):
                found[name] = month(value)
        elif name == "rootOfTrust":
            states = ["verified", "selfSigned", "unverified", "failed"]
            found |= {"verifiedBootKey": value["verifiedBootKey"], "deviceLocked": str(value["deviceLocked"]).lower(),
                      "verifiedBootState": str(states.index(value["verifiedBootState"]))}
            if value.get("verifiedBootHash") is not None:
                found["verifiedBootHash"] = value["verifiedBootHash"]
        elif name in ("packages", "signingDigests") and any("\ufffd" in item["name"] for item in listed["packages"]):
            continue  # Google's library omits all names if one of them is not UTF-8. PureAttest returns the bytes.
        elif name == "packages":
            found[name] = sorted({f"{item['name']} {item['version']}" for item in value})
        elif name == "signingDigests":
            found[name] = sorted({base64.b64encode(bytes.fromhex(item)).decode() for item in value})
        elif name in ("purposes", "digests", "paddings"):
            found[name] = sorted(set(value))
        elif isinstance(value, bool):
            if value:
                found[name] = "true"
        elif value is not None and "\ufffd" not in str(value):  # Google's library omits values that are not UTF-8.
            found[name] = str(value)
    return found


def differences(there, here):
    found = []
    for name, value in there.items():
        if name.endswith("Enforced"):
            mine = members(here[name])
            found += [f"{name}.{key}: {theirs} there, {mine.get(key)} here" for key, theirs in value.items() if theirs != mine.get(key)]
        elif value != str(here[name]):
            found.append(f"{name}: {value} there, {here[name]} here")
    return found


def explained(reasons, text, counts):
    for reason, pattern in reasons:
        if re.search(pattern, text):
            counts[reason] += 1
            return True
    return False


def revoked(text):
    try:
        return [serial for serial, entry in json.loads(text)["entries"].items() if entry.get("status") == "REVOKED"]
    except (ValueError, KeyError, AttributeError):
        return []


def main():
    parser = argparse.ArgumentParser(description="Compare with Google's verifier of key attestations.")
    parser.add_argument("run", help="the program that build.sh writes")
    parser.add_argument("command", help="pure-attest from a release build")
    parser.add_argument("--runs", type=int, default=5000, help="number of mutants (5,000)")
    parser.add_argument("--seed", type=int, default=2)
    options = parser.parse_args()
    for program in (options.run, options.command):
        if not os.access(program, os.X_OK):
            parser.error(f"{program} is not an executable")
    cases = [*genuine(), *virtual(options.command)]
    cases += mutants(cases, options.runs, options.seed)
    for case in cases:
        case["revoked"] = revoked(case["list"])
    there = ask_google(options.run, cases)
    counts, both, neither, compared, found = collections.Counter(), 0, 0, 0, 0
    for case, google in zip(cases, there):
        here = ask_here(options.command, case)
        if google["verified"] and here["verified"]:
            both += 1
            if case["name"].startswith("accepted") and not google["constraints"]:
                print(f"{case['name']}: Google's constraints reject it", file=sys.stderr)
                found += 1
            differing = differences(google["description"], here["keyDescription"])
            compared += sum(sum(item is not None for item in value.values()) if isinstance(value, dict) else 1
                            for value in google["description"].values())
        elif google["verified"]:
            text = f"{here['reasonCode']}: {here['reason']} {google['notes']}"
            differing = [] if explained(REFUSED_HERE, text, counts) else [f"rejected only by PureAttest: {text}"]
        elif here["verified"]:
            differing = [] if explained(REFUSED_THERE, f"{case['name']}: {google['failure']}", counts) else [f"rejected only by Google: {google['failure']}"]
        else:
            neither, differing = neither + 1, []
        for line in differing:
            found += 1
            print(f"{case['name']}: {line}", file=sys.stderr)
    print(f"{len(cases):,} chains: {both:,} accepted by both, with {compared:,} members compared; {neither:,} rejected by both")
    for reason, count in counts.most_common():
        print(f"{count:6,} {reason}")
    stale = [reason for reason, _ in REFUSED_THERE + REFUSED_HERE if not counts[reason]]
    for reason in stale:
        print(f"stale reason; remove it: {reason}", file=sys.stderr)
    if not compared:
        found += 1
        print("found no members to compare", file=sys.stderr)
    return 1 if found or stale else 0


if __name__ == "__main__":
    sys.exit(main())
