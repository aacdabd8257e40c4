#!/usr/bin/env python3
"""Compares `pure-attest verify-key-attestation` with an implementation in Python.

    Tests/Checks/Interoperability/check_key_attestation.py .build/release/pure-attest
    Tests/Checks/Interoperability/check_key_attestation.py --corpus FOLDER [.build/release/pure-attest]

The first form verifies the chains of Vectors/android-key-attestation with `cryptography`, including signatures and roots. It parses the key descriptions with
its own DER parser, and compares every member that the vectors' JSON files contain.

The second form verifies the files that `pure-attest simulate android-corpus` wrote, first in Python. With the path of `pure-attest`, the script then requires
that the program returns the verdict and the reason that each file states.

Exit status: 0 if all verdicts and values agree, 1 if not, 2 if cryptography is missing.
"""
import base64
import datetime
import json
import pathlib
import re
import subprocess
import sys
import warnings

from key_description import DESCRIPTION, HASHES, LEVELS, Refused, ask, authorizations, description, number, one, strict

try:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
except ImportError:
    print("check_key_attestation.py: Python's cryptography is missing", file=sys.stderr)
    sys.exit(2)

# cryptography warns about one of the faults, which adds algorithm parameters that must be absent.
warnings.filterwarnings("ignore", message="The parsed certificate contains a NULL parameter")
FOLDER = pathlib.Path(__file__).resolve().parents[3] / "Vectors" / "android-key-attestation"
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


def issues(certificate, position):
    """Checks by RFC 5280 that a certificate may issue certificates. The extension basicConstraints may be missing in the attestation certificate."""
    try:
        constraints = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value
        ask(constraints.ca and (constraints.path_length is None or position - 1 <= constraints.path_length), 1)
    except x509.ExtensionNotFound as error:
        if position != 1:
            raise Refused(1) from error
    try:
        ask(certificate.extensions.get_extension_for_class(x509.KeyUsage).value.key_cert_sign, 1)
    except x509.ExtensionNotFound:
        pass


def name(certificate, oid):
    values = certificate.subject.get_attributes_for_oid(oid)
    return values[0].value if len(values) == 1 else None


def chain_of(case):
    encoded = [base64.b64decode(item) for item in case["chain"]]
    ask(sum(map(len, encoded)) <= 65536, 1)
    try:
        chain = [x509.load_der_x509_certificate(item) for item in encoded]
        ask(chain, 1)
        extensions = [list(certificate.extensions) for certificate in chain]
    except Exception as error:
        raise Refused(1) from error
    root = x509.load_der_x509_certificate(base64.b64decode(case["testRoot"]))
    try:
        if spki(chain[-1]) != spki(root):
            # If a chain omits the root, the root must have issued the chain's last certificate.
            ask(is_signed(chain[-1], root), 2)
            chain.append(root)
            extensions.append([])
        ask(len(chain) in (4, 5), 1)
        ask(all(issuer.public_key().public_numbers().e > 1 for issuer in chain[1:]
                if isinstance(issuer.public_key(), rsa.RSAPublicKey)), 1)
        ask(all(map(is_signed, chain, chain[1:])), 1)
        ask(all(("RSA" in certificate.signature_algorithm_oid._name) == isinstance(issuer.public_key(), rsa.RSAPublicKey)
                for certificate, issuer in zip(chain, chain[1:])), 1)
    except Refused:
        raise
    except Exception as error:
        raise Refused(1) from error
    ask(all(certificate.signature_hash_algorithm.name in HASHES for certificate in chain[:-1]), 1)
    known = {"2.5.29.15", "2.5.29.19", "2.5.29.30", DESCRIPTION, "1.3.6.1.4.1.11129.2.1.30"}
    for position, certificate in enumerate(chain[:-1]):
        ask(all(item.oid.dotted_string in known for item in extensions[position] if item.critical), 1)
        if position > 0:
            ask(certificate.version is x509.Version.v3, 1)
            ask(all(item.oid.dotted_string != DESCRIPTION for item in extensions[position]), 3)
            # Attestation certificates that factories issued from 2016 on may state that they are not CAs. Their position in the chain lets them issue the leaf.
            if position > 1 or len(chain) == 5:
                issues(certificate, position)
    return chain


def judge(case):  # pylint: disable=too-many-locals
    """Checks rules 1 to 17 as the articles state them, independently of the library."""
    def unique(pairs):
        ask(len({key for key, _ in pairs}) == len(pairs), 6)
        return dict(pairs)
    try:
        entries = json.loads(case["revocationList"], object_pairs_hook=unique)["entries"]
    except (ValueError, KeyError) as error:
        raise Refused(6) from error
    ask(all(entry.get("status") in ("REVOKED", "SUSPENDED") for entry in entries.values()), 6)
    chain = chain_of(case)
    oid = x509.NameOID
    is_remote = len(chain) == 5
    level = name(chain[1], oid.ORGANIZATION_NAME if is_remote else oid.TITLE)
    if is_remote:
        ask([(name(item, oid.COMMON_NAME), name(item, oid.ORGANIZATION_NAME)) for item in chain[2:4]]
            == [("Droid CA3", "Google LLC"), ("Droid CA2", "Google LLC")] and level in ("TEE", "StrongBox"), 16)
    else:
        ask(name(chain[2], oid.SERIAL_NUMBER) is not None, 16)
    for certificate in chain[1:-1]:
        ask(certificate.not_valid_before_utc.timestamp() <= case["verifyAt"], 4)
        ask(not is_remote or case["verifyAt"] <= certificate.not_valid_after_utc.timestamp(), 4)
    ask(all(format(certificate.serial_number, "x") not in entries for certificate in chain[:len(case["chain"])]), 5)

    values = [item.value.value for item in chain[0].extensions if item.oid.dotted_string == DESCRIPTION]
    ask(values, 7)
    parts = strict(one(values[0], 0x30))
    ask([part[0] for part in parts] == [2, 10, 2, 10, 4, 4, 0x30, 0x30], 7)
    attested, kept = number(parts[1][2]), number(parts[3][2])
    ask(attested in LEVELS and kept in LEVELS, 7)
    software, hardware = authorizations(parts[6][2]), authorizations(parts[7][2])
    policy = case["policy"]
    ask(parts[4][2] == base64.b64decode(case["challenge"]), 8)
    ask(level is None or {"TEE": 1, "StrongBox": 2}[level] == attested, 9)
    try:
        key = chain[0].public_key()
        if isinstance(key, rsa.RSAPublicKey):
            kind = (1, key.key_size, None)
            ask(key.public_numbers().e > 1, 10)
        else:
            kind = (3, key.key_size, {256: 1, 384: 2}[key.key_size])
    except Exception as error:
        raise Refused(10) from error
    ask(hardware.get(2) == kind[0] and hardware.get(3, kind[1]) == kind[1] and hardware.get(10, kind[2]) == kind[2], 10)
    ask(min(attested, kept) >= {"trustedEnvironment": 1, "strongBox": 2}[policy["minimumSecurityLevel"]], 11)
    ask(704 in hardware and hardware[704][1] and hardware[704][2] == 0, 12)
    purposes = hardware.get(1, [])
    ask(hardware.get(702) == 0 and 2 in purposes and 7 not in purposes and 600 not in {*hardware, *software}, 13)
    ask(709 in software and 709 not in hardware and software[709][0], 14)
    packages, digests = software[709]
    ask(all(package == case["packageName"].encode() and version >= (case["minimumVersion"] or 0)
            for package, version in packages), 14)
    ask(digests and set(digests) == {bytes.fromhex(digest) for digest in case["signingDigests"]}, 14)
    system(hardware, policy, case["verifyAt"])
    provisioning(chain[1], policy, is_remote)
    request = {key: base64.b64decode(value) for key, value in case["request"].items()}
    algorithm = (padding.PKCS1v15(), hashes.SHA256()) if kind[0] == 1 else (ec.ECDSA(hashes.SHA256()),)
    try:
        key.verify(request["signature"], request["clientData"], *algorithm)
    except Exception as error:
        raise Refused(17) from error
    ask(request["clientData"] == request["challenge"], 17)


def system(hardware, policy, time):
    ask(hardware.get(705, 0) >= (policy["minimumOSVersion"] or 0), 15)
    patches = [hardware.get(tag, 0) for tag in (706, 718, 719)]
    months = [level // 100 if level > 999999 else level for level in patches]
    ask(all(month >= (policy["minimumPatchLevel"] or 0) for month in months), 15)
    now = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    age = now.year * 12 + now.month - (months[0] // 100 * 12 + months[0] % 100)
    ask(1 <= months[0] % 100 <= 12 and age <= 12, 15)


def provisioning(attestation, policy, is_remote):
    ask(is_remote or not policy["requiresRemoteProvisioning"], 16)
    issued = None
    for item in attestation.extensions:
        if item.oid.dotted_string == "1.3.6.1.4.1.11129.2.1.30":
            # The value must be a CBOR map that is empty or contains only the known member.
            value = item.value.value
            ask(value[:1] == b"\xa0" or value[:2] == b"\xa1\x01", 16)
            if value[0] == 0xA1:
                issued = value[2] if len(value) == 3 else number(value[3:])
    limit = policy["maximumCertificatesIssued"]
    ask(limit is None or issued is not None and issued <= limit, 16)


def check_corpus(folder):
    """Verifies the files that `simulate android-corpus` wrote, without `pure-attest`. If the fault of a file is a security hole or a policy violation, Python
    must reject the file by the rule that the file names. If the fault concerns only the encoding, Python's parsers may accept the file.
    """
    accepted = refused = lenient = 0
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        case = json.loads(path.read_text())
        expect, rule = case["expect"], None
        try:
            judge(case)
        except Refused as error:
            rule = error.args[0]
        if expect["verifies"]:
            accepted += 1
            if rule is not None:
                print(f"{path.name}: Python rejects it by rule {rule}", file=sys.stderr)
                return 1
            continue
        if rule is None:
            lenient += 1
            if expect["severity"] != "leniency":
                print(f"{path.name}: Python accepts it", file=sys.stderr)
                return 1
            continue
        refused += 1
        named = int(re.match(r"K(\d+)", expect["rule"]).group(1))
        # Rules 1 to 3 concern the form of the chain. If a chain violates several of them, the order of the checks decides which rule fails.
        if rule != named and max(rule, named) > 3:
            print(f"{path.name}: Python rejects it by rule {rule}, expected {named}", file=sys.stderr)
            return 1
    if accepted < 12 or refused < 100:
        print(f"too few cases: {accepted} accepted, {refused} rejected", file=sys.stderr)
        return 1
    print(f"{accepted} cases accepted, {refused} rejected by their named rule; Python accepts {lenient} lenient ones")
    return 0


def run_tool(command, path, *options, text=None):
    return subprocess.run([command, "verify-key-attestation", path, "--json", *options], input=text, capture_output=True, text=True,
                          check=False)


def check_reasons(folder, command):
    """Compares the command's verdict and reason with the verdict and reason that each file states."""
    count = 0
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        expect = json.loads(path.read_text())["expect"]
        output = json.loads(run_tool(command, path, "--trust-test-anchor").stdout)
        if (output["verified"], output["reasonCode"]) != (expect["verifies"], expect.get("reasonCode")):
            print(f"{path.name}: {output['reasonCode']}, expected {expect.get('reasonCode')}", file=sys.stderr)
            return 1
        count += 1
    print(f"{count} verdicts of the command equal the files'")
    return 0


def main():
    if len(sys.argv) in (3, 4) and sys.argv[1] == "--corpus":
        return check_corpus(sys.argv[2]) or (check_reasons(*sys.argv[2:]) if len(sys.argv) == 4 else 0)
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    roots = [x509.load_pem_x509_certificate(pem.encode()) for pem in json.loads((FOLDER / "roots.json").read_text())]
    assert hashes.SHA256.digest_size == 32
    compared = accepted = refused = 0
    for path in sorted(FOLDER.rglob("*.pem")):
        blocks = re.findall(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", path.read_text(), re.DOTALL)
        chain = [x509.load_pem_x509_certificate(block.encode()) for block in blocks]
        issuers = chain[1:-1]
        time = max((int(issuer.not_valid_before_utc.timestamp()) for issuer in issuers), default=0) + 3600
        is_chain = (len(chain) in (4, 5) and all(map(is_signed, chain, chain[1:])) and spki(chain[-1]) in map(spki, roots)
                    and "malformed" not in path.name)
        # Also checks the chain without its last certificate. If the chain is valid, the rest of the chain ends just below the root.
        below = chain[:-1]
        is_below = (len(below) in (3, 4) and all(map(is_signed, below, below[1:])) and any(is_signed(below[-1], root) for root in roots)
                    and "malformed" not in path.name)
        options = ["--report-only", "--at", str(time)]
        result = run_tool(sys.argv[1], "-", *options, text="\n".join(blocks[:-1]) + "\n")
        output = json.loads(result.stdout or '{"verified": false}')
        if output["verified"] != is_below or is_below != is_chain:
            print(f"{path.name} without its last certificate: Python says {is_below}, pure-attest {output}", file=sys.stderr)
            return 1
        result = run_tool(sys.argv[1], path, *options)
        output = json.loads(result.stdout)
        if output["verified"] != is_chain or (result.returncode == 0) != is_chain:
            print(f"{path.name}: Python says {is_chain}, pure-attest {output['reason']}", file=sys.stderr)
            return 1
        accepted, refused = accepted + is_chain, refused + (not is_chain)
        if "malformed" in path.name:
            continue
        try:
            mine = description(chain[0])
        except Refused:
            mine = None
        theirs = output["keyDescription"]
        if (mine is None) != (theirs is None):
            print(f"{path.name}: only one verifier reads a key description", file=sys.stderr)
            return 1
        if mine is None:
            continue
        pairs = [(name, value, theirs[name]) for name, value in mine.items() if not name.endswith("Enforced")]
        for part in ("softwareEnforced", "hardwareEnforced"):
            pairs += [(member, value, theirs[part].get(member)) for member, value in mine[part].items()]
        for name, value, found in pairs:
            compared += 1
            if found != value:
                print(f"{path.name}: {name}: Python says {value}, pure-attest {found}", file=sys.stderr)
                return 1
    if accepted < 10 or refused < 4 or compared < 200:
        print(f"too few cases: {accepted} chains, {refused} rejections, {compared} members", file=sys.stderr)
        return 1
    print(f"{accepted} chains accepted, {refused} rejected, {compared} members of key descriptions agree with Python")
    return 0


sys.exit(main())
