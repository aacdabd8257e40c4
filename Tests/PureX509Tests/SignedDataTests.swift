import CertificateDrafts
import PureDER
import Testing

@testable import PureX509

/// Tests parsing the supported profile of CMS (RFC 5652 §5). Each case departs from the profile in one way.
@Suite struct SignedDataTests {
    private func rejection(_ change: (inout SignedDataDraft) -> Void) -> X509Error? {
        var draft = SignedDataDraft()
        change(&draft)
        do {
            _ = try SignedData(berEncoded: draft.encoded[...])
            return nil
        } catch { return error }
    }

    @Test func reads() throws {
        let data = try SignedData(berEncoded: SignedDataDraft().encoded[...])
        #expect(data.content == [1, 2, 3] && data.certificates.isEmpty && data.signature == [0xAA])
        #expect(data.signerIssuer.elementsEqual(DER.name("CA")) && data.signerSerialNumber == [7])
        #expect(data.signatureAlgorithm == .ecdsaWithSHA256)
    }

    /// RFC 5652 §5.1, §5.2, §5.3.
    @Test func departures() {
        #expect(rejection { $0.contentType = $0.innerType } == .unsupportedContentType)
        #expect(rejection { $0.innerType = $0.contentType } == .unsupportedContentType)
        #expect(rejection { $0.version = DER.integer(3) } == .unsupportedSignedDataVersion)
        #expect(rejection { $0.signerVersion = DER.integer(3) } == .unsupportedSignedDataVersion)
        #expect(rejection { $0.content = [] } == .contentMissing)
        #expect(rejection { $0.attributes = DER.context(0, DER.sequence()) } == .signedAttributesPresent)
        #expect(rejection { $0.attributes = DER.context(1, DER.sequence()) } != nil)
        #expect(rejection { $0.signerTail = DER.context(1, DER.sequence()) } == .malformed(.signerInfo, .trailingBytes))
        #expect(rejection { $0.tail = DER.integer(0) } == .malformed(.signerInfo, .trailingBytes))
        #expect(rejection { $0.identifier += DER.integer(0) } == .malformed(.signerInfo, .trailingBytes))
        #expect(rejection { $0.explicitTail = DER.integer(0) } == .malformed(.signedData, .trailingBytes))
        #expect(rejection { $0.content += DER.integer(0) } == .malformed(.signedData, .trailingBytes))
        #expect(
            rejection { $0.content = DER.context(0, DER.octets([1]), DER.octets([2])) }
                == .malformed(.signedData, .trailingBytes))
        #expect(rejection { $0.outerTail = DER.integer(0) } == .malformed(.signedData, .trailingBytes))
        // Embedded revocation lists.
        #expect(rejection { $0.certificates = DER.context(1, DER.sequence()) } != nil)
    }

    /// RFC 5754 §2: the parameters for SHA-2 are absent or NULL.
    @Test func digestAlgorithm() {
        #expect(rejection { $0.digestParameters = [] } == nil)
        #expect(rejection { $0.digestParameters = [0x05, 0x01, 0x00] } == .digestAlgorithmMismatch)
        #expect(rejection { $0.digestParameters = DER.octets([]) } == .digestAlgorithmMismatch)
        #expect(rejection { $0.digestParameters = DER.integer(0) } == .digestAlgorithmMismatch)
        for (last, hash): (UInt8, TestKey.Hash) in [(1, .sha256), (2, .sha384), (3, .sha512)] {
            for other: UInt8 in 0...4 {
                let refused = rejection {
                    $0.digest = DER.oid(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, other)
                    $0.algorithm = TestCertificate.algorithm(hash)
                }
                #expect(refused == (other == last ? nil : .digestAlgorithmMismatch))
            }
        }
        // An unsupported algorithm: sha256WithRSAEncryption.
        let rsa = DER.sequence(DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B), [0x05, 0x00])
        #expect(rejection { $0.algorithm = rsa } == .digestAlgorithmMismatch)
    }

    /// RFC 5652 §5.1: the field contains any number of AlgorithmIdentifiers for any algorithms, and no other elements.
    @Test func digestAlgorithms() {
        let sha1 = DER.sequence(DER.oid(0x2B, 14, 3, 2, 26), DER.null)
        let sha512 = DER.sequence(DER.oid(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03))
        for good in [[], sha1, sha512 + sha1 + sha1, DER.sequence(DER.oid(0x2A), DER.sequence())] {
            #expect(rejection { $0.digestAlgorithms = good } == nil)
        }
        for (bad, error): ([UInt8], DERError) in [
            (DER.integer(1), .unexpectedTag(expected: .sequence, found: .integer)),
            (sha1 + DER.null, .unexpectedTag(expected: .sequence, found: .null)),
            (DER.sequence(), .unexpectedEnd),
            (DER.sequence(DER.null), .unexpectedTag(expected: .objectIdentifier, found: .null)),
            (DER.sequence(DER.oid(0x2A, 0x80, 1)), .nonMinimalObjectIdentifier),
            (DER.sequence(DER.oid(0x2A), DER.null, DER.null), .trailingBytes), ([0x30], .unexpectedEnd),
        ] {
            #expect(rejection { $0.digestAlgorithms = bad } == .malformed(.signedData, error), "\(bad)")
        }
    }

    /// SignerInfo identifies the signer, so the signer's certificate does not have to be the first.
    @Test func signer() throws {
        let (data, signer) = (try SignedData(berEncoded: SignedDataDraft.signed.encoded[...]), TestChain.leaf)
        #expect(try data.signer() == signer.certificate())
        try data.checkSignature(of: data.signer())
        #expect(throws: X509Error.invalidContentSignature) { try data.checkSignature(of: data.certificates[0]) }
        var unnamed = SignedDataDraft.signed
        unnamed.identifier = DER.name("CA") + DER.integer(2)
        let other = try SignedData(berEncoded: unnamed.encoded[...])
        #expect(throws: X509Error.signerCertificateMissing) { try other.signer() }
    }

    @Test func unsupportedKeyOfSigner() throws {
        let rsa = TestKey.publicKeyInfo(
            algorithm: DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01), parameters: DER.null, point: [])
        let signer = TestCertificate("Leaf", .p256(4), issuer: "Root", signer: TestChain.rootKey)
        var draft = SignedDataDraft()
        draft.certificates = DER.context(0, signer.changing { $0.publicKeyInfo = rsa }.encoded)
        draft.identifier = DER.name("Root") + signer.serial
        let data = try SignedData(berEncoded: draft.encoded[...])
        let named = try data.signer()
        #expect(throws: X509Error.unsupportedPublicKey(certificate: 0)) { try data.checkSignature(of: named) }
    }

    @Test func counts() throws {
        let draft = SignedDataDraft()
        for count in [0, 2, 3] {
            let signers = (0..<count).flatMap { _ in draft.signer }
            #expect(throws: X509Error.wrongSignerCount) {
                try SignedData(berEncoded: draft.encoded(signers: signers)[...])
            }
        }
        let certificate = TestChain.leaf.encoded
        for count in [1, 7, 8, 9] {
            var draft = SignedDataDraft()
            draft.certificates = DER.context(0, (0..<count).flatMap { _ in certificate })
            if count <= 8 {
                #expect(try SignedData(berEncoded: draft.encoded[...]).certificates.count == count)
            } else {
                #expect(throws: X509Error.tooManyCertificates) { try SignedData(berEncoded: draft.encoded[...]) }
            }
        }
    }
}
