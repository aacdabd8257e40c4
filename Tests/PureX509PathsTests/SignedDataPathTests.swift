import CertificateDrafts
import PureDER
import PureX509
import Testing

@testable import PureX509Paths

/// Tests signed data in which the signer's certificate has a path to an anchor (RFC 5652 §5.6).
@Suite struct SignedDataPathTests {
    private func verify(_ draft: SignedDataDraft, at time: UnixTime = TestChain.now) throws -> VerifiedSignedData {
        try SignedData(berEncoded: draft.encoded[...]).verify(
            with: CertificatePathVerifier(trustAnchors: [try TrustAnchor(try TestChain.root.certificate())]), at: time)
    }

    @Test func valid() throws {
        let verified = try verify(.signed)
        #expect(verified.content == [1, 2, 3])
        #expect(
            try verified.chain.certificates == [TestChain.leaf.certificate(), TestChain.authority.certificate()])
    }

    @Test func rejectsInvalidSignersAndTimes() throws {
        var draft = SignedDataDraft.signed
        draft.signature = DER.octets(TestChain.leafKey.sign([1, 2], .sha256))
        #expect(throws: PathError.certificate(.invalidContentSignature)) { try verify(draft) }
        draft = .signed
        draft.identifier = DER.name("CA") + DER.integer(2)
        #expect(throws: PathError.certificate(.signerCertificateMissing)) { try verify(draft) }
        draft = .signed
        draft.certificates = DER.context(0, TestChain.leaf.encoded)
        #expect(throws: PathError.issuerNotFound(certificate: 0)) { try verify(draft) }
        let epoch = UnixTime(secondsSince1970: 0)
        #expect(throws: PathError.notYetValid(certificate: 0, notBefore: TestChain.first, at: epoch)) {
            try verify(.signed, at: epoch)
        }
    }
}
