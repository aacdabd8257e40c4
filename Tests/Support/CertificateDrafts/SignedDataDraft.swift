/// Signed data (RFC 5652 §5) in which a test may replace each part with a different encoding, well-formed or malformed.
package struct SignedDataDraft {
    package var contentType = DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02)
    package var version = DER.integer(1)
    /// The field `digestAlgorithms`, or `nil` for the signer's algorithm.
    package var digestAlgorithms: [UInt8]?
    package var innerType = DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01)
    package var content = DER.context(0, DER.octets([1, 2, 3]))
    package var certificates: [UInt8] = []
    package var signerVersion = DER.integer(1)
    package var digest = DER.oid(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01)
    package var digestParameters: [UInt8] = [0x05, 0x00]
    package var attributes: [UInt8] = []
    package var algorithm = TestCertificate.algorithm(.sha256)
    package var signature = DER.octets([0xAA])
    package var identifier = DER.name("CA") + DER.integer(7)
    package var signerTail: [UInt8] = []
    package var tail: [UInt8] = []
    package var explicitTail: [UInt8] = []
    package var outerTail: [UInt8] = []

    package var signer: [UInt8] {
        DER.sequence(
            signerVersion, DER.sequence(identifier), DER.sequence(digest, digestParameters),
            attributes, algorithm, signature, signerTail)
    }
    package var encoded: [UInt8] { encoded(signers: signer) }

    package func encoded(signers: [UInt8]) -> [UInt8] {
        DER.sequence(
            contentType,
            DER.context(
                0,
                DER.sequence(
                    version, DER.element(0x31, digestAlgorithms ?? DER.sequence(digest, digestParameters)),
                    DER.sequence(innerType, content), certificates, DER.element(0x31, signers), tail), explicitTail),
            outerTail)
    }

    package init() {}

    /// Data that the leaf of ``TestChain`` signed, with the certificates of the CA and the leaf in this order.
    package static var signed: SignedDataDraft {
        var draft = SignedDataDraft()
        draft.certificates = DER.context(0, TestChain.authority.encoded, TestChain.leaf.encoded)
        draft.identifier = DER.name("CA") + TestChain.leaf.serial
        draft.signature = DER.octets(TestChain.leafKey.sign([1, 2, 3], .sha256))
        return draft
    }
}
