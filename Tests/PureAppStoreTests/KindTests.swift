import DebugSampling
import PureAppStoreTesting
import PureDER
import Testing

@testable import PureAppStore

/// The App Store signs all kinds of data with one key, so only the members of the JSON object distinguish the kinds.
@Suite struct KindTests {
    private static let store = TestAppStoreTests.store
    private static let signed = TestAppStoreTests.signed

    private static func content(_ kind: SignedDataReport.Kind) -> [UInt8] { OracleCases().content(kind) }

    /// Renewal information names no app, so a transaction of any app would otherwise pass as renewal information.
    @Test(arguments: SignedDataReport.Kind.allCases, SignedDataReport.Kind.allCases)
    func dataOfAnotherKindIsRejected(_ actual: SignedDataReport.Kind, _ expected: SignedDataReport.Kind) throws {
        let text = Self.store.sign(Self.content(actual))
        let failure = try TestAppStoreTests.verifier().explain(expected, text, at: now).firstFailure
        if actual == expected {
            #expect(failure == nil)
        } else if case .memberMissing? = failure {
        } else {
            Issue.record("\(actual) as \(expected): \(String(describing: failure))")
        }
    }

    @Test(
        arguments: SignedDataReport.Kind.allCases,
        debugSample(SignedDataFault.allCases, every: 5, of: "faults of each kind"))
    func faultsAreRejectedInEveryKind(_ kind: SignedDataReport.Kind, _ fault: SignedDataFault) throws {
        let text = Self.store.sign(Self.content(kind), fault: fault)
        let failure = try TestAppStoreTests.verifier().explain(kind, text, at: now).firstFailure
        #expect(failure?.withoutDetails == fault.error.withoutDetails)
    }

    @Test(arguments: [#""autoRenewStatus":0"#, #""autoRenewProductId":"a""#])
    func oneMemberMarksRenewalInfo(_ member: String) throws {
        let json =
            #"{"originalTransactionId":"1","environment":"Sandbox","signedDate":\#(Self.signed),\#(member)}"#
        let failure = try TestAppStoreTests.verifier()
            .explain(.renewalInfo, Self.store.sign(json.utf8), at: now).firstFailure
        #expect(failure == nil)
    }
}
