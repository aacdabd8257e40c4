"""Implements Apple's "Validating apps that connect to your server", independently of PureAttest.

Uses `cryptography` (ECDSA, certificates) and `cbor2`. Vectors/README.md describes the object files.
"""

import base64
import datetime
import hashlib
import io

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

NONCE = x509.ObjectIdentifier("1.2.840.113635.100.8.2")
RECEIPT_SIGNING = x509.ObjectIdentifier("1.2.840.113635.100.12.15")
ACCESS_CONTROL_LIST = x509.ObjectIdentifier("1.2.840.113635.100.8.6")
SYSTEM = x509.ObjectIdentifier("1.2.840.113635.100.8.7")
# Field numbers of the system attributes.
PLATFORM, RELEASE_TYPE, SYSTEM_VERSION, SYSTEM_BUILD = 1026, 1029, 1400, 1403
# The number of seconds by which Apple's service backdates every leaf.
LEAF_BACKDATING = 86_400
MACOS_LIST = base64.b64decode(
    "MEAMAjExMDowCQwCb2uhAwEB/zAJDAJvYaEDAQH/MAsMBG9kZWyhAwEB/zAVDARvc2duoAYMBHJzZWMwBaYDAgEB")
AAGUIDS = {"development": b"appattestdevelop", "production": b"appattest" + bytes(7)}


class Refused(Exception):
    pass


def require(condition, reason):
    if not condition:
        raise Refused(reason)


def text(value):
    """Decodes a Base64 value from an object file. Returns None for None."""
    return None if value is None else base64.b64decode(value, validate=True)


def read_length(der, start):
    """Reads a DER length of any number of octets at `start`. Returns the length and the position after it."""
    length, start = der[start], start + 1
    if length & 0x80:
        count = length & 0x7F
        length, start = int.from_bytes(der[start:start + count], "big"), start + count
    return length, start


def tagged_fields(der):
    """Returns the known fields of `SEQUENCE { [number] { OCTET STRING } … }` by number. Skips other fields."""
    fields = {}
    rest = unwrap(der, (0x30,))
    while rest:
        number, start = rest[0] & 0x1F, 1
        if number == 0x1F:
            number, more = 0, True
            while more:
                number, more, start = number << 7 | rest[start] & 0x7F, rest[start] & 0x80, start + 1
        length, start = read_length(rest, start)
        require(start + length <= len(rest), "DER length")
        value, rest = rest[start:start + length], rest[start + length:]
        if value[:1] == b"\4" and number in (PLATFORM, RELEASE_TYPE, SYSTEM_VERSION, SYSTEM_BUILD):
            require(number not in fields, "a field twice")
            fields[number] = unwrap(value, (0x04,))
    return fields


def version_numbers(version):
    numbers = [int(number) for number in version.split(".")]
    return numbers + [0] * (3 - len(numbers))


def x963(key):
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def decode(data):
    """Decodes one CBOR item. No bytes may follow the item."""
    value, rest = decode_prefix(data)
    require(not rest, "bytes follow the CBOR item")
    return value


def decode_prefix(data):
    stream = io.BytesIO(data)
    value = cbor2.CBORDecoder(stream).decode()
    return value, data[stream.tell():]


def unwrap(der, tags):
    """Unwraps nested DER elements, one for each of `tags`, and returns the innermost contents. The tags have one octet, and no element has siblings."""
    for tag in tags:
        require(len(der) >= 2 and der[0] == tag, f"DER tag {tag:#x} is missing")
        length, start = read_length(der, 1)
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
        # RFC 5280 §4.2.1.9: a certificate without the extension is not a CA.
        constraints = [e.value.ca for e in issued.extensions if isinstance(e.value, x509.BasicConstraints)]
        require((constraints == [True]) == basic, "basicConstraints")
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
    # WebAuthn §9: extension identifiers are strings.
    require(isinstance(extensions, dict) and all(isinstance(name, str) for name in extensions), "extensions")
    # The nonce is a hash over the authenticator data and the client data hash, with no separator between them. Therefore, only the ED flag shows that a
    # trailing map comes from the system.
    believed = bool(data[32] & 0x80)
    require(rest or not believed, "extensions are missing")
    parsed["category"] = member(extensions, "apple_validation_category_01", "validationCategory")
    parsed["version"] = member(extensions, "apple_bundle_version_01", "bundleVersion")
    category = parsed["category"]
    if isinstance(category, bytes):
        require(len(category) == 4, "category length")
        parsed["category"] = int.from_bytes(category, "little")
    elif category is not None:
        require(isinstance(category, int) and 0 <= category < 1 << 32, "category type")
    require(parsed["version"] is None or isinstance(parsed["version"], str), "version type")
    parsed["build"] = build(extensions, "apple_cd_hash_hash_01", "apple_cd_hash_type_01")
    if not believed:
        parsed["category"] = parsed["version"] = parsed["build"] = None
    return parsed


def member(extensions, name, other):
    require(not (name in extensions and other in extensions), "spelled twice")
    require(all(extensions[each] is not None for each in (name, other) if each in extensions), "null")
    return extensions.get(name, extensions.get(other))


def build(members, hash_name, type_name):
    """Returns a build's hash type and hash, or None if both are absent. A hash of type 2 is a SHA-256 hash or its first 20 bytes."""
    if hash_name not in members and type_name not in members:
        return None
    kind, digest = members.get(type_name), members.get(hash_name)
    require(isinstance(kind, bytes) and len(kind) == 1 and isinstance(digest, bytes), "build")
    require(len(digest) in (20, 32) if kind == b"\x02" else 1 <= len(digest) <= 64, "length of a build")
    return kind, digest


def object_members(item, names):
    """Requires the members `names`. Allows only one further member: the unsigned cdHash, which iOS 18.5 to 26 add."""
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
    """Checks the system attributes that Apple certified in the leaf. For an assertion, the attributes describe the system at the time of attestation."""
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
    """Verifies an attestation by Apple's steps. Returns the leaf, the receipt and the parsed authenticator data."""
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
    attributes = [e.value.value for e in leaf.extensions if e.oid == SYSTEM]
    platform = tagged_fields(attributes[0]).get(PLATFORM) if attributes else None
    require(platform is None or (platform == b"macosx") == (file.get("platform") == "macOS"), "platform")
    check_system(file, leaf)
    within(file, "maximumAttestationAge", file["verifyAt"] - leaf.not_valid_before_utc.timestamp() - LEAF_BACKDATING)
    if file.get("platform") == "macOS":
        extension = leaf.extensions.get_extension_for_oid(ACCESS_CONTROL_LIST).value.value
        require(unwrap(extension, (0x30, 0xA3, 0x04)) == MACOS_LIST, "access control list")
    check_launch(file, parsed)  # 10, 11
    return leaf, statement["receipt"], parsed


def verify_assertion(file, assertion, leaf):
    item = decode(text(assertion["assertion"]))
    object_members(item, {"signature", "authenticatorData"})
    require(all(isinstance(item[name], bytes) for name in ("signature", "authenticatorData")), "types")
    client_data = text(assertion["clientData"])
    data = item["authenticatorData"]
    nonce = hashlib.sha256(data + hashlib.sha256(client_data).digest()).digest()  # 1, 2
    leaf.public_key().verify(item["signature"], nonce, ec.ECDSA(SHA256()))  # 3: the signed message is the nonce
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
    return parsed


def elements(der):
    """Yields the tag and contents of each DER element in `der`, without entering constructed elements."""
    while der:
        length, start = read_length(der, 1)
        require(start + length <= len(der), "DER length")
        yield der[0], der[start:start + length]
        der = der[start + length:]


def check_receipt_signer(signer):
    signer.extensions.get_extension_for_oid(RECEIPT_SIGNING)


def check_receipt_fields(file, payload, key, time, attested):
    """Checks a receipt's fields by Apple's "Assessing fraud risk". The caller checks the signature. `key` is the attested key (X9.63). `attested` states
    whether the attestation contained the receipt (None if unknown).
    """
    (tag, contents), = elements(payload)
    require(tag == 0x31, "payload is not a SET")
    fields = {}
    for tag, field in elements(contents):
        (kind_tag, kind), (version_tag, _), (value_tag, value) = elements(field)
        require((tag, kind_tag, version_tag, value_tag) == (0x30, 0x02, 0x02, 0x04), "field")
        require(int.from_bytes(kind, "big") not in fields, "field twice")
        fields[int.from_bytes(kind, "big")] = value
    require(set(fields) >= {2, 3, 4, 6, 12, 21}, "receipt: a field is missing")
    require(fields[2] == file["appID"].encode(), "receipt: App ID")
    require(x963(x509.load_der_x509_certificate(fields[3]).public_key()) == key, "receipt: key")
    if attested is None:
        require(fields[6] in (b"ATTEST", b"RECEIPT"), "receipt: type")
    elif attested:
        require(fields[6] == b"ATTEST" and fields[4] == text(file["clientDataHash"]), "receipt: client hash")
    else:
        require(fields[6] == b"RECEIPT", "receipt: type")
    # Apple does not document field 7.
    expected = {"production": b"production", "development": b"sandbox"}[file["environment"]]
    require(fields.get(7, expected) == expected, "receipt: environment")
    require(17 not in fields or fields[17].isdigit(), "receipt: risk metric")
    created, expires = (
        datetime.datetime.fromisoformat(fields[i].decode().replace("Z", "+00:00")).timestamp() for i in (12, 21))
    require(19 not in fields or datetime.datetime.fromisoformat(fields[19].decode().replace("Z", "+00:00")), "not before")
    require(created >= time - 300 and time <= expires, "receipt: times")
