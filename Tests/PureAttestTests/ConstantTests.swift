import PureCBOR
import Testing

@testable import PureAttest

@Suite struct ConstantTests {
    @Test func limits() {
        #expect(InputLimits.attestation == 65_536)
        #expect(InputLimits.assertion == 4_096)
        #expect(InputLimits.receipt == 65_536)
        // The length of the longest receipt in Base64, plus the length of line breaks.
        #expect(InputLimits.receiptAnswer == 88_404)
        #expect(InputLimits.attestationCBOR.maximumDepth == 4 && InputLimits.attestationCBOR.maximumItems == 64)
        #expect(InputLimits.assertionCBOR.maximumDepth == 4 && InputLimits.assertionCBOR.maximumItems == 64)
        #expect(UnverifiedReceipt.registrationAge == 300)
    }

    @Test func defaults() {
        let verifier = AppAttestVerifier(apps: [], environment: .production, launchPolicy: .reportOnly)
        for verifier in [verifier, verifier.trusting(testAnchors: [])] {
            #expect(verifier.clockSkew == 0 && verifier.assertionVerifier.counterPolicy == .strict)
        }
        #expect(verifier.authority == .apple && verifier.trusting(testAnchors: []).authority == .test)
    }

    /// The category numbers of Apple's launch constraints.
    @Test func categories() {
        let expected: [(ValidationCategory, UInt32)] = [
            (.platform, 1), (.testFlight, 2), (.development, 3), (.appStore, 4), (.enterprise, 5), (.developerID, 6),
            (.uncategorized, 10),
        ]
        for (category, number) in expected { #expect(category.rawValue == number) }
    }

    /// Input of exactly the maximum size is parsed, and longer input is rejected unread.
    @Test func exactSizes() throws {
        func zeros(_ count: Int) -> ArraySlice<UInt8> { ArraySlice([UInt8](repeating: 0, count: count)) }
        #expect(throws: PureAttestError.malformedCBOR(.trailingBytes)) {
            try AttestationObject(decoding: zeros(InputLimits.attestation))
        }
        #expect(throws: PureAttestError.inputTooLarge) {
            try AttestationObject(decoding: zeros(InputLimits.attestation + 1))
        }
        #expect(throws: PureAttestError.malformedCBOR(.trailingBytes)) {
            try AssertionObject(decoding: zeros(InputLimits.assertion))
        }
        #expect(throws: PureAttestError.inputTooLarge) {
            try AssertionObject(decoding: zeros(InputLimits.assertion + 1))
        }
    }

    /// Only spaces, carriage returns, line feeds and tabs may surround an answer from Apple.
    @Test func spaceAroundAnswers() {
        for octet in UInt8(0)...255 {
            let answer = ReceiptRefreshAnswer(status: 200, body: [octet] + "AQID".utf8 + [octet])
            if [0x20, 0x0D, 0x0A, 0x09].contains(octet) {
                #expect(answer == .receipt([1, 2, 3]))
            } else {
                #expect(answer != .receipt([1, 2, 3]))
            }
        }
    }

    /// Each launch policy treats missing launch information as documented (attestation step 10, assertion step 7).
    @Test func silence() throws {
        let silent = LaunchInformation()
        #expect(throws: Never.self) {
            try LaunchPolicy.reportOnly.checkCategory(of: silent, app: AppID(bytes: []), environment: .production)
        }
        #expect(throws: Never.self) {
            try LaunchPolicy.onlyOrMissing([.appStore]).checkCategory(
                of: silent, app: AppID(bytes: []), environment: .production)
        }
        #expect(throws: PureAttestError.validationCategoryNotAllowed(nil)) {
            try LaunchPolicy.only([.appStore]).checkCategory(
                of: silent, app: AppID(bytes: []), environment: .production)
        }
    }
}
