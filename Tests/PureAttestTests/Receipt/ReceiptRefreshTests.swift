import Foundation
import PureAttest
import PureBytes
import Testing
import VectorSupport

/// Tests the request for a risk metric in the form that published clients send, and the handling of each HTTP status.
@Suite struct ReceiptRefreshTests {
    private func refresh(
        environment: PureAttest.Environment = .production, teamID: String = "A1B2C3D4E5", keyID: String = "ABC123DEFG"
    ) throws -> ReceiptRefresh {
        try ReceiptRefresh(
            receipt: [0x30, 0x00, 0xff], environment: environment, teamID: teamID, keyID: keyID,
            at: UnixTime(secondsSince1970: 1_700_000_000))
    }

    private func decoded(_ part: some StringProtocol) throws -> String {
        String(decoding: try Base64.decode(part.utf8, as: .urlSafeUnpadded), as: UTF8.self)
    }

    @Test func request() throws {
        let refresh = try refresh()
        let signature = [UInt8](0..<64)
        let request = try refresh.request(signature: signature)
        #expect(request.url == "https://data.appattest.apple.com/v1/attestationData" && request.method == "POST")
        #expect(request.body == [UInt8]("MAD/".utf8))
        let parts = request.authorization.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        #expect(parts[0] + "." + parts[1] == String(decoding: refresh.signingInput, as: UTF8.self))
        #expect(try decoded(parts[0]) == #"{"alg":"ES256","kid":"ABC123DEFG","typ":"JWT"}"#)
        #expect(try decoded(parts[1]) == #"{"iss":"A1B2C3D4E5","iat":1700000000}"#)
        #expect(parts[2] == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0-Pw")
        let development = try self.refresh(environment: .development).request(signature: signature)
        #expect(development.url == "https://data-development.appattest.apple.com/v1/attestationData")
    }

    @Test func rejectsInvalidInput() throws {
        for bad in ["", "A\"B", "A B", "Ä", "A\u{0}", "a-b", "a.b"] {
            #expect(throws: PureAttestError.malformedIdentifier) { try refresh(teamID: bad) }
            #expect(throws: PureAttestError.malformedIdentifier) { try refresh(keyID: bad) }
        }
        for count in [0, 63, 65, 70, 72] {
            #expect(throws: PureAttestError.malformedTokenSignature) {
                try refresh().request(signature: [UInt8](repeating: 1, count: count))
            }
        }
        #expect(throws: PureAttestError.inputTooLarge) {
            try ReceiptRefresh(
                receipt: [UInt8](repeating: 0, count: InputLimits.receipt + 1), environment: .production, teamID: "A",
                keyID: "B", at: UnixTime(secondsSince1970: 0))
        }
    }

    @Test func answers() {
        func answer(_ status: Int, _ body: String = "") -> ReceiptRefreshAnswer {
            ReceiptRefreshAnswer(status: status, body: body.utf8)
        }
        #expect(answer(200, "MAD/") == .receipt([0x30, 0x00, 0xff]))
        #expect(answer(200, " MAD/\r\n") == .receipt([0x30, 0x00, 0xff]))
        for body in ["", "  \n", "MAD", "MA D/", "MAD_", "<html>", String(repeating: "A", count: 100_000)] {
            #expect(answer(200, body) == .malformedBody)
        }
        #expect(answer(304) == .notYet)
        #expect(answer(400) == .invalidReceipt)
        #expect(answer(401) == .unauthorized)
        #expect(answer(404) == .notFound)
        #expect(answer(429) == .tooManyRequests)
        for status in [500, 503, 599] { #expect(answer(status) == .serverError(status: status)) }
        for status in [Int.min, -1, 0, 100, 201, 302, 418, 499, 600, .max] {
            #expect(answer(status, "MAD/") == .unknownStatus(status))
        }
    }
    @Test(arguments: ReceiptTests.cases.filter { $0.file.receipt != nil })
    func genuineAnswers(_ test: ReceiptTests.Case) throws {
        let body = try #require(test.file.receipt).base64EncodedString()
        guard case .receipt(let bytes) = ReceiptRefreshAnswer(status: 200, body: body.utf8) else {
            Issue.record("not a receipt")
            return
        }
        let key = try test.object.verify().key
        let receipt = try test.object.verifier().receipt(bytes, of: key).verify(at: test.time)
        #expect(receipt.payload.kind == .answer && receipt.riskMetric != nil && receipt.payload.notBefore != nil)
    }
}
