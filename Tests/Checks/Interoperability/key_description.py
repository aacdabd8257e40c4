"""Reads the key descriptions of Android key attestations, with a DER parser of its own."""

import base64

DESCRIPTION = "1.3.6.1.4.1.11129.2.1.17"
LEVELS = {0: "software", 1: "trustedEnvironment", 2: "strongBox"}
STATES = {0: "verified", 1: "selfSigned", 2: "unverified", 3: "failed"}
# Tag numbers, and the names that `pure-attest` prints for them.
NUMBERS = {2: "algorithm", 3: "keySize", 10: "ecCurve", 11: "mlDsaVariant", 200: "rsaPublicExponent", 405: "usageCountLimit",
           504: "userAuthType", 505: "authTimeout", 701: "creationDateTime", 702: "origin", 705: "osVersion",
           706: "osPatchLevel", 718: "vendorPatchLevel", 719: "bootPatchLevel"}
SETS = {1: "purposes", 5: "digests", 6: "paddings"}
TEXTS = {710: "brand", 711: "device", 712: "product", 713: "serial", 714: "imei", 715: "meid", 716: "manufacturer", 717: "model",
         723: "secondIMEI"}


class Refused(Exception):
    """A rejection. The argument is the number of the violated rule."""


def number(data):
    return int.from_bytes(data, "big")


def ask(condition, rule):
    if not condition:
        raise Refused(rule)


HASHES = {"sha256", "sha384", "sha512"}
NULLS = {7, 303, 305, 503, 506, 507, 508, 509, 600, 703, 720}
MORE_NUMBERS = {8, 400, 401, 402, 502}
MORE_SETS = {4, 203}
OCTETS = {724}


def strict(data):
    """Returns (identifier octet, tag number, contents) of each DER element. Malformed DER violates rule 7."""
    found, at = [], 0
    try:
        while at < len(data):
            first, number = data[at], data[at] & 31
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
                octets = data[at:at + (length & 127)]
                at += len(octets)
                length = int.from_bytes(octets, "big")
                ask(length > 127 and octets[0] != 0, 7)
            ask(at + length <= len(data), 7)
            found.append((first, number, data[at:at + length]))
            at += length
    except IndexError as error:
        raise Refused(7) from error
    return found


def one(data, identifier):
    parts = strict(data)
    ask(len(parts) == 1 and parts[0][0] == identifier, 7)
    return parts[0][2]


def unsigned(identifier, contents):
    ask(identifier == 2 and contents and contents[0] < 128 and (len(contents) == 1 or contents[0] or contents[1] > 127), 7)
    return number(contents)


def authorizations(contents):
    """Returns the members of an AuthorizationList by number."""
    found = {}
    for first, tag, value in strict(contents):
        ask(first & 0xE0 == 0xA0 and tag not in found, 7)
        if tag in NUMBERS or tag in MORE_NUMBERS:
            found[tag] = unsigned(2, one(value, 2))
        elif tag in SETS or tag in MORE_SETS:
            found[tag] = [unsigned(first, item) for first, _, item in strict(one(value, 0x31))]
        elif tag in NULLS:
            ask(one(value, 5) == b"", 7)
            found[tag] = True
        elif tag == 704:
            parts = strict(one(value, 0x30))
            ask([part[0] for part in parts[:3]] == [4, 1, 10] and len(parts) in (3, 4), 7)
            ask(parts[1][2] in (b"\x00", b"\xff") and number(parts[2][2]) in STATES, 7)
            found[tag] = (parts[0][2], parts[1][2] == b"\xff", number(parts[2][2]), parts[3][2] if len(parts) == 4 else None)
        elif tag == 709:
            packages, digests = strict(one(one(value, 4), 0x30))[:2]
            ask(len(strict(one(one(value, 4), 0x30))) == 2, 7)
            names = [[part[2] for part in strict(item[2])] for item in strict(packages[2])]
            found[tag] = ([(name, number(version)) for name, version in names], [item[2] for item in strict(digests[2])])
        elif tag in TEXTS or tag in OCTETS:
            found[tag] = one(value, 4)
        else:
            found[tag] = None
    ask(len(found) <= 64, 7)
    return found


def members(contents):
    """Returns the members of an AuthorizationList by the names and in the formats of `pure-attest`."""
    found = {}
    for tag, value in authorizations(contents).items():
        if tag in NUMBERS:
            found[NUMBERS[tag]] = value
        elif tag in SETS:
            found[SETS[tag]] = list(map(str, value))
        elif tag in TEXTS:
            found[TEXTS[tag]] = value.decode()
        elif tag == 704:
            key, locked, state, boot_hash = value
            found["rootOfTrust"] = {
                "verifiedBootKey": base64.b64encode(key).decode(), "deviceLocked": locked, "verifiedBootState": STATES[state],
                "verifiedBootHash": None if boot_hash is None else base64.b64encode(boot_hash).decode()}
        elif tag == 709:
            packages, digests = value
            found["packages"] = [{"name": name.decode(), "version": version} for name, version in packages]
            found["signingDigests"] = [digest.hex() for digest in digests]
    return found


def description(leaf):
    value = next(item for item in leaf.extensions if item.oid.dotted_string == DESCRIPTION).value.value
    parts = [contents for _, _, contents in strict(strict(value)[0][2])]
    if len(parts) != 8:
        return None
    return {
        "attestationVersion": number(parts[0]), "attestationSecurityLevel": LEVELS[number(parts[1])],
        "keyMintVersion": number(parts[2]), "keyMintSecurityLevel": LEVELS[number(parts[3])],
        "attestationChallenge": base64.b64encode(parts[4]).decode(), "softwareEnforced": members(parts[6]),
        "hardwareEnforced": members(parts[7])}
