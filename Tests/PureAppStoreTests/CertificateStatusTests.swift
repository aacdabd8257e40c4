import PureAppStoreTesting
import PureDER
import PureX509Paths
import Testing

@testable import PureAppStore

@Suite struct CertificateStatusTests {
    private static let store = TestAppStoreTests.store
    private static let text = store.sign(TestAppStoreTests.transaction)
    private static let start = UnixTime(secondsSince1970: now.secondsSince1970 - 3_600)
    private static let end = UnixTime(secondsSince1970: now.secondsSince1970 + 7_200)

    private static func response(
        _ role: TestAppStore.CertificateRole, _ answer: TestAppStore.CertificateAnswer = .good,
        by store: TestAppStore = store, from start: UnixTime = start, to end: UnixTime = end
    ) throws -> OCSPResponse {
        try OCSPResponse(derEncoded: store.ocspResponse(about: role, answer, from: start, to: end))
    }

    private func status(
        _ responses: [OCSPResponse], at time: UnixTime = now
    ) -> Result<CertificateStatus, AppStoreError> {
        Result { () throws(AppStoreError) in
            guard let verifier = try? TestAppStoreTests.verifier() else { throw .appAppleIDMissing }
            let transaction = try verifier.verifyAndDecodeTransaction(
                signedTransaction: Self.text, ocspResponses: responses, at: time)
            return transaction.certificateStatus
        }
    }

    @Test func goodCertificates() throws {
        let (leaf, intermediate) = (try Self.response(.leaf), try Self.response(.intermediate))
        #expect(status([]) == .success(.notChecked))
        #expect(status([leaf, intermediate]) == .success(.good(until: Self.end)))
        #expect(status([intermediate, leaf]) == .success(.good(until: Self.end)))
        let shorter = UnixTime(secondsSince1970: Self.end.secondsSince1970 - 60)
        #expect(status([try Self.response(.leaf, to: shorter), intermediate]) == .success(.good(until: shorter)))
        // If a certificate has two responses with status good, the result uses the response that is valid longer.
        #expect(
            status([try Self.response(.leaf, to: shorter), leaf, intermediate]) == .success(.good(until: Self.end)))
    }

    @Test func bothCertificatesNeedAResponse() throws {
        let (leaf, intermediate) = (try Self.response(.leaf), try Self.response(.intermediate))
        #expect(status([leaf]) == .failure(.certificateStatusMissing(certificate: 1)))
        #expect(status([intermediate]) == .failure(.certificateStatusMissing(certificate: 0)))
        let other = TestAppStore(seed: 39)
        #expect(
            status([try Self.response(.leaf, by: other), intermediate])
                == .failure(.certificateStatus(certificate: 0, .ocsp(.invalidSignature))))
    }

    @Test func revokedIsBelieved() throws {
        let good = try TestAppStore.CertificateRole.allCases.map { try Self.response($0) }
        for (position, role) in TestAppStore.CertificateRole.allCases.enumerated() {
            let revoked = AppStoreError.certificateStatus(
                certificate: position, .ocsp(.revoked(at: Self.start, .unspecified)))
            #expect(status(good + [try Self.response(role, .revoked)]) == .failure(revoked))
            #expect(status([try Self.response(role, .revoked)] + good) == .failure(revoked))
            // A response is ignored if the certificate's issuer has not authorised the responder.
            let forged = try Self.response(role, .revoked, by: TestAppStore(seed: 39))
            #expect(status([forged] + good) == .success(.good(until: Self.end)))
            #expect(status([try Self.response(role, .unknown)] + good) == .success(.good(until: Self.end)))
        }
        #expect(
            status([try Self.response(.leaf, .unknown), good[1]])
                == .failure(.certificateStatus(certificate: 0, .ocsp(.unknownCertificate))))
    }

    @Test func oldResponsesAreRejected() throws {
        let good = try TestAppStore.CertificateRole.allCases.map { try Self.response($0) }
        let late = UnixTime(secondsSince1970: Self.end.secondsSince1970 + 301)
        #expect(
            status(good, at: late)
                == .failure(.certificateStatus(certificate: 0, .ocsp(.expired(nextUpdate: Self.end, at: late)))))
        #expect(
            status(good, at: UnixTime(secondsSince1970: late.secondsSince1970 - 1)) == .success(.good(until: Self.end)))
    }

    @Test func reportsAndNotificationsCheckThem() throws {
        let revoked = [try Self.response(.leaf, .revoked), try Self.response(.intermediate)]
        let verifier = try TestAppStoreTests.verifier()
        let report = verifier.explain(.transaction, Self.text, ocspResponses: revoked, at: now)
        #expect(report.steps.filter { $0.outcome != .passed }.map(\.check) == [.revocation])
        let outer = Self.store.sign(
            AppStoreContent.notification(
                type: "TEST", bundleID: "com.example.app", appAppleID: 42, signedDate: TestAppStoreTests.signed,
                signedTransaction: Self.text))
        #expect(throws: AppStoreError.self) {
            try verifier.verifyAndDecodeNotification(signedPayload: outer, ocspResponses: revoked, at: now)
        }
        let good = try TestAppStore.CertificateRole.allCases.map { try Self.response($0) }
        let verified = try verifier.verifyAndDecodeNotification(signedPayload: outer, ocspResponses: good, at: now)
        guard case .data(let data) = verified.content else { return #expect(Bool(false), "a purchase") }
        #expect(verified.certificateStatus == .good(until: Self.end))
        #expect(data.transaction?.certificateStatus == .good(until: Self.end))
    }
}
