"""Parses and verifies a receipt's CMS SignedData (RFC 5652), which Apple encodes in BER. Needs only Python's `cryptography`."""

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

from app_attest import check_chain, check_receipt_signer, read_length, require

SIGNED_DATA, DATA = bytes.fromhex("2a864886f70d010702"), bytes.fromhex("2a864886f70d010701")
SHA256_OID, ECDSA_SHA256 = bytes.fromhex("608648016503040201"), bytes.fromhex("2a8648ce3d040302")


class Node:
    """A BER element: its octets and its children."""

    def __init__(self, data, start, depth=0):
        require(depth < 24, "BER is nested too deeply")
        self.tag = data[start]
        length, position = read_length(data, start + 1)
        require(self.tag & 0x1F != 0x1F, "BER tag of several octets")
        self.children, self.contents = [], None
        if data[start + 1] == 0x80:
            require(self.tag & 0x20, "a primitive element of indefinite length")
            while data[position:position + 2] != b"\0\0":
                self.children.append(Node(data, position, depth + 1))
                position = self.children[-1].end
            self.end = position + 2
        else:
            self.end = position + length
            require(self.end <= len(data), "BER length")
            if self.tag & 0x20:
                while position < self.end:
                    self.children.append(Node(data, position, depth + 1))
                    position = self.children[-1].end
                require(position == self.end, "BER length")
            else:
                self.contents = data[position:self.end]
        self.raw = data[start:self.end]

    def of(self, tag):
        require(self.tag == tag, f"BER tag {self.tag:#x}, not {tag:#x}")
        return self

    def octets(self):
        """Returns the contents of an OCTET STRING, which may consist of parts."""
        if self.contents is not None:
            return self.of(0x04).contents
        return b"".join(part.octets() for part in self.of(0x24).children)


def algorithm(node):
    """Returns the algorithm's identifier. Parameters must be absent or NULL."""
    children = node.of(0x30).children
    require(len(children) == 1 or [(c.tag, c.contents) for c in children[1:]] == [(5, b"")], "parameters of an algorithm")
    return children[0].of(0x06).contents


def taken_apart(data):
    """Returns the content, the certificates, and the signer's issuer, serial number and signature. Requires exactly one signer."""
    info = Node(data, 0)
    require(info.end == len(data), "bytes follow the receipt")
    kind, wrapped = info.of(0x30).children
    require(kind.of(0x06).contents == SIGNED_DATA, "no SignedData")
    (signed,) = wrapped.of(0xA0).children
    version, digests, encapsulated, certificates, signers = signed.of(0x30).children
    require(version.of(0x02).contents == b"\1", "version")
    require(all(algorithm(digest) for digest in digests.of(0x31).children), "digest algorithms")
    content_type, content = encapsulated.of(0x30).children
    require(content_type.of(0x06).contents == DATA, "type of content")
    (octets,) = content.of(0xA0).children
    (signer,) = signers.of(0x31).children
    signer_version, identifier, digest, signature_algorithm, signature = signer.of(0x30).children
    require(signer_version.of(0x02).contents == b"\1", "the signer's version")
    require(algorithm(digest) == SHA256_OID and algorithm(signature_algorithm) == ECDSA_SHA256, "algorithms")
    issuer, serial = identifier.of(0x30).children
    return (octets.octets(), [c.of(0x30).raw for c in certificates.of(0xA0).children], issuer.raw,
            int.from_bytes(serial.of(0x02).contents, "big", signed=True), signature.of(0x04).octets())


def verified_content(data, root, time):
    """Returns the content if its signer may sign receipts and the signer's chain leads to this root."""
    content, certificates, issuer, serial, signature = taken_apart(data)
    parsed = [(der, x509.load_der_x509_certificate(der)) for der in certificates]
    # The signer information identifies the signer's certificate, which need not be the first one.
    named = [(d, c) for d, c in parsed if c.issuer.public_bytes() == issuer and c.serial_number == serial]
    require(named, "the signer's certificate is missing")
    der, signer = named[0]
    issuers = [d for d, c in parsed if c.subject.public_bytes() == issuer and d != der]
    require(issuers, "the issuer's certificate is missing")
    check_chain([der, issuers[0]], root, time)
    check_receipt_signer(signer)
    key = signer.public_key()
    require(isinstance(key, ec.EllipticCurvePublicKey), "the signer's key")
    key.verify(signature, content, ec.ECDSA(SHA256()))
    return content
