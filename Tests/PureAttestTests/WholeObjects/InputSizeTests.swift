import PureX509
import Testing

@testable import PureAttest

/// Input of exactly the maximum size is parsed. Longer input is rejected as too large before any other check.
@Suite struct InputSizeTests {
    private static let device = TestDevice()

    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private func expect(
        _ limit: Int, _ atLimit: PureAttestError, _ verify: ([UInt8]) throws(PureAttestError) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: atLimit, sourceLocation: sourceLocation) { try verify(zeros(limit)) }
        #expect(throws: PureAttestError.inputTooLarge, sourceLocation: sourceLocation) { try verify(zeros(limit + 1)) }
    }

    @Test func attestations() throws {
        let verifier = try Self.device.verifier()
        // The input consists of zeros. The first zero is a complete CBOR item, so all other bytes are trailing bytes.
        expect(InputLimits.attestation, .malformedCBOR(.trailingBytes)) { (bytes) throws(PureAttestError) in
            _ = try verifier.verifyAttestation(bytes, keyID: [], challenge: [], at: TestAuthority.time)
        }
        expect(InputLimits.attestation, .malformedCBOR(.trailingBytes)) { (bytes) throws(PureAttestError) in
            _ = try verifier.verifyAttestation(bytes, keyID: [], clientDataHash: [], at: TestAuthority.time)
        }
    }

    @Test func assertions() throws {
        let verifier = try Self.device.verifier()
        let key = try Self.device.storedKey()
        expect(InputLimits.assertion, .malformedCBOR(.trailingBytes)) { (bytes) throws(PureAttestError) in
            _ = try verifier.verifyAssertion(bytes, challenge: [1], signed: .clientData([]), key: key)
        }
        // Although the environment and the challenge are wrong too, the size and then the CBOR are checked first.
        let other = try Self.device.verifier(environment: .development)
        expect(InputLimits.assertion, .malformedCBOR(.trailingBytes)) { (bytes) throws(PureAttestError) in
            _ = try other.verifyAssertion(bytes, challenge: [], key: key)
        }
    }

    /// The first byte is 00, which does not start a SEQUENCE.
    @Test func receipts() throws {
        let verifier = try Self.device.verifier()
        let key = try Self.device.storedKey()
        let refused = PureAttestError.receiptSignature(.malformed(.signedData, .reservedTag))
        expect(InputLimits.receipt, refused) { (bytes) throws(PureAttestError) in
            _ = try verifier.receipt(bytes, of: key).verify(at: TestAuthority.time)
        }
    }

    /// A risk query can contain any receipt up to the maximum size, and accepts any answer up to the maximum size.
    @Test func riskQueries() throws {
        func query(_ count: Int) throws -> ReceiptRefresh {
            try ReceiptRefresh(
                receipt: zeros(count), environment: .production, teamID: "A", keyID: "B", at: TestAuthority.time)
        }
        let body = try query(InputLimits.receipt).request(signature: zeros(64)).body
        #expect(body.count == (InputLimits.receipt + 2) / 3 * 4)
        #expect(throws: PureAttestError.inputTooLarge) { try query(InputLimits.receipt + 1) }

        #expect(ReceiptRefreshAnswer(status: 200, body: body) == .receipt(zeros(InputLimits.receipt)))
        let spaces = [UInt8](repeating: 0x20, count: InputLimits.receiptAnswer - body.count)
        #expect(ReceiptRefreshAnswer(status: 200, body: body + spaces) == .receipt(zeros(InputLimits.receipt)))
        #expect(ReceiptRefreshAnswer(status: 200, body: body + spaces + [0x20]) == .malformedBody)
    }
}
