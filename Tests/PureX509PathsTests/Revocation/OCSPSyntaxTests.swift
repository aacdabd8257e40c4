import CertificateDrafts
import PureDER
import PureX509
import Testing

@testable import PureX509Paths

/// Tests the encoding of OCSP responses (RFC 6960 §4.1.1, §4.2.1), with the exact error for each fault.
@Suite struct OCSPSyntaxTests {
    private func expect(
        _ response: TestOCSPResponse, _ error: PathError, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: error, sourceLocation: sourceLocation) {
            try OCSPResponse(derEncoded: response.encoded[...])
        }
    }

    private func response(responder: [UInt8]) -> TestOCSPResponse {
        TestOCSPResponse().changing { $0.responder = responder }
    }

    private func response(status: [UInt8]) -> TestOCSPResponse {
        TestOCSPResponse().changing { $0.statuses = [status] }
    }

    @Test func trailingElements() {
        let name = DER.name("CA"), hash = DER.octets(SHA1.hash(TestChain.authorityKey.point[...]))
        let identifier = TestOCSPResponse.identifier(), good = DER.implicit(0, [])
        let time = DER.generalizedTime("20241201000000Z")
        let longIdentifier = DER.sequence(
            DER.sequence(DER.oid(0x2B, 0x0E, 3, 2, 0x1A)), hash, hash, TestChain.leaf.serial, DER.null)
        let reason = DER.context(0, DER.element(0x0A, [1]))
        let responses = [
            response(responder: DER.context(0, DER.integer(0), DER.null) + TestOCSPResponse.byName("CA")),
            response(responder: DER.context(1, name, DER.null)),
            response(responder: DER.context(2, hash, DER.null)),
            response(status: TestOCSPResponse.status(of: longIdentifier)),
            response(status: TestOCSPResponse.status(DER.context(1, time, DER.null))),
            response(status: TestOCSPResponse.status(DER.context(1, time, reason, DER.null))),
            response(status: DER.sequence(identifier, good, time, DER.context(0, time, DER.null))),
            response(status: DER.sequence(identifier, good, time, DER.null)),
        ]
        #expect(responses.count == 8)
        for response in responses { expect(response, .malformed(.ocspResponse, .trailingBytes)) }
    }

    /// X.690 §11.5 forbids encoding the default, which is version 1. No other version exists.
    @Test func versions() {
        for (number, error): (UInt8, PathError) in [
            (0, .certificate(.encodedDefault(.ocspResponse))), (1, .invalidValue(.ocspResponse)),
        ] {
            expect(
                response(responder: DER.context(0, DER.integer(number)) + TestOCSPResponse.byName("CA")), error)
        }
    }

    /// For an unknown alternative of a CHOICE, the error states that the first alternative was expected.
    @Test func unknownAlternatives() {
        expect(
            response(status: TestOCSPResponse.status(DER.implicit(3, []))),
            .malformed(.ocspResponse, .unexpectedTag(expected: .contextPrimitive(0), found: .contextPrimitive(3))))
        expect(
            response(responder: DER.context(3, DER.name("CA"))),
            .malformed(.ocspResponse, .unexpectedTag(expected: .context(1), found: .context(3))))
    }

    /// An input with too many octets is rejected by its count, before any octet is read.
    @Test func longEncodingIsNotCopied() {
        var readCount = 0
        let octets = (0..<OCSPResponse.maximumEncodedSize + 1).lazy.map { _ -> UInt8 in
            readCount += 1
            return 0
        }
        #expect(throws: PathError.ocsp(.responseTooLarge)) { try OCSPResponse(derEncoded: octets) }
        #expect(readCount == 0)
    }
}
