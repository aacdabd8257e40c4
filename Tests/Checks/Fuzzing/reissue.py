"""Issues copies of given attestations, assertions and receipts, signed with this script's keys.

Without a new signature, every verifier would reject every mutant of a genuine object. Names, extensions and dates are the same as in the template.
"""

import hashlib

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import elements

ECDSA_SHA384 = bytes.fromhex("300a06082a8648ce3d040303")
ECDSA_SHA256 = bytes.fromhex("300a06082a8648ce3d040302")
BASIC_CONSTRAINTS_CA = bytes.fromhex("300f0603551d130101ff040530030101ff")
KEY_USAGE_CA = bytes.fromhex("300e0603551d0f0101ff040403020106")


def key(number, curve=ec.SECP256R1()):
    return ec.derive_private_key(0x1234567 + number, curve)


ROOT, INTERMEDIATE = key(1, ec.SECP384R1()), key(2, ec.SECP384R1())
RECEIPT_ROOT, RECEIPT_INTERMEDIATE, RECEIPT_SIGNER = key(3, ec.SECP384R1()), key(4), key(5)
DEVICE = key(6)


def spki(private):
    return private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def x963(private):
    return private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


KEY_ID = hashlib.sha256(x963(DEVICE)).digest()


def sign(private, data, hash_function=hashes.SHA256()):
    return private.sign(data, ec.ECDSA(hash_function, deterministic_signing=True))


def fields(certificate):
    """Returns the elements of a certificate's signed part. The certificate must have version 3."""
    return elements.parse(certificate)[0].children[0].children


def signed_part(certificate, public_key):
    children = [child.encoded() for child in fields(certificate)]
    children[6] = spki(public_key)
    return elements.encode(0x30, b"".join(children))


def certificate(signed, issuer):
    """Returns a certificate with this signed part (TBSCertificate), signed with the algorithm that the signed part names."""
    algorithm = ECDSA_SHA384 if ECDSA_SHA384 in signed[:60] else ECDSA_SHA256
    hash_function = hashes.SHA384() if algorithm == ECDSA_SHA384 else hashes.SHA256()
    bits = elements.encode(0x03, b"\0" + sign(issuer, signed, hash_function))
    return elements.encode(0x30, signed + algorithm + bits)


def root(name, private):
    """Returns a root with the given name (DER), valid from 2000 to 2049."""
    validity = elements.encode(0x30, elements.encode(0x17, b"000101000000Z") + elements.encode(0x17, b"491231235959Z"))
    extensions = elements.encode(0xA3, elements.encode(0x30, BASIC_CONSTRAINTS_CA + KEY_USAGE_CA))
    return certificate(
        elements.encode(0x30, b"\xa0\x03\2\1\2" + b"\2\1\1" + ECDSA_SHA384 + name + validity + name + spki(private) + extensions),
        private)


class Attestation:
    """The parts of a template attestation. `issue` signs them with the keys of this script's device and authority."""

    def __init__(self, encoded, client_data_hash):
        item = cbor2.loads(encoded)
        statement, data = item["attStmt"], item["authData"]
        leaf, intermediate = statement["x5c"]
        old = elements.parse(leaf)[0].children[0].children[6].encoded()[-65:]
        new = x963(DEVICE)
        nonce = hashlib.sha256(data + client_data_hash).digest()
        self.data = data.replace(old[1:33], new[1:33]).replace(old[33:], new[33:]).replace(hashlib.sha256(old).digest(), KEY_ID)
        self.placeholder = nonce
        self.leaf = signed_part(leaf, DEVICE)
        self.intermediate = signed_part(intermediate, INTERMEDIATE)
        self.root = root(fields(intermediate)[3].encoded(), ROOT)
        self.receipt = statement["receipt"]
        self.members = list(item)

    def issue(self, client_data_hash, data=None, leaf=None, intermediate=None, fresh=True):
        """Returns the object. With `fresh`, the leaf contains the correct nonce for `data` and `client_data_hash`."""
        data = self.data if data is None else data
        leaf = self.leaf if leaf is None else leaf
        if fresh:
            leaf = leaf.replace(self.placeholder, hashlib.sha256(data + client_data_hash).digest())
        chain = [certificate(leaf, INTERMEDIATE), certificate(intermediate or self.intermediate, ROOT)]
        values = {"fmt": "apple-appattest", "attStmt": {"x5c": chain, "receipt": self.receipt}, "authData": data}
        return {name: values[name] for name in self.members if name in values}


def assertion(data, client_data):
    nonce = hashlib.sha256(data + hashlib.sha256(client_data).digest()).digest()
    return {"signature": sign(DEVICE, nonce), "authenticatorData": data}


class Receipt:
    """The parts of a template receipt. `issue` signs them with this script's keys. The payload keeps the template's certificate."""

    def __init__(self, content, certificates):
        self.content = content
        by_subject = {fields(c)[5].encoded(): c for c in certificates}
        signer = next(c for c in certificates if fields(c)[3].encoded() != fields(c)[5].encoded()
                      and not any(fields(o)[3].encoded() == fields(c)[5].encoded() for o in certificates))
        intermediate = by_subject[fields(signer)[3].encoded()]
        self.signer = signed_part(signer, RECEIPT_SIGNER)
        self.intermediate = signed_part(intermediate, RECEIPT_INTERMEDIATE)
        self.root = root(fields(intermediate)[3].encoded(), RECEIPT_ROOT)

    def issue(self, content=None, signer=None, intermediate=None, form="minimal"):
        content = self.content if content is None else content
        signer = signer or self.signer
        e = elements.encode
        sha256 = bytes.fromhex("300d06096086480165030402010500")
        oid = bytes.fromhex("06092a864886f70d0107")
        octets = e(0x04, content)
        if form == "indefinite":
            octets = e(0x24, b"".join(e(0x04, content[i:i + 1000]) for i in range(0, len(content), 1000)), form)
        # The signer information identifies the template's certificate by issuer and serial number.
        named = elements.parse(self.signer)[0].children
        identifier = e(0x30, named[3].encoded() + named[1].encoded())
        info = e(0x30, b"\2\1\1" + identifier + sha256 + ECDSA_SHA256 + e(0x04, sign(RECEIPT_SIGNER, content)))
        chain = [certificate(signer, RECEIPT_INTERMEDIATE), certificate(intermediate or self.intermediate, RECEIPT_ROOT), self.root]
        signed = e(0x30, b"\2\1\1" + e(0x31, sha256) + e(0x30, oid + b"\1" + e(0xA0, octets, form), form)
                   + e(0xA0, b"".join(chain)) + e(0x31, info), form)
        return e(0x30, oid + b"\2" + e(0xA0, signed, form), form)
