import Foundation
import PureAttest
import Testing
import VectorSupport

extension ObjectFile {
    var app: AppID { AppID(bytes: appID.utf8) }
    var environmentValue: PureAttest.Environment { environment == "production" ? .production : .development }
    var otherEnvironment: PureAttest.Environment { environment == "production" ? .development : .production }
    var time: UnixTime { UnixTime(secondsSince1970: verifyAt) }

    func verifier(
        apps: [AppID]? = nil, environment: PureAttest.Environment? = nil, launchPolicy: LaunchPolicy = .reportOnly,
        counterPolicy: CounterPolicy = .strict, clockSkew: UInt32 = 0
    ) -> AppAttestVerifier {
        AppAttestVerifier(
            apps: apps ?? [app], environment: environment ?? environmentValue, launchPolicy: launchPolicy,
            counterPolicy: counterPolicy, clockSkew: clockSkew)
    }

    func verify(
        _ verifier: AppAttestVerifier? = nil, attestation: [UInt8]? = nil, at time: UnixTime? = nil
    ) throws(PureAttestError) -> VerifiedAttestation {
        try (verifier ?? self.verifier()).verifyAttestation(
            attestation ?? [UInt8](self.attestation), keyID: keyID, clientDataHash: clientDataHash,
            at: time ?? self.time)
    }

    /// Returns the key as stored before `assertion`.
    func key(before assertion: Assertion) throws -> AttestedKey {
        try storedKey(counter: assertion.previousCounter)
    }

    /// Returns the object's key, or another key, as another library stores it.
    func storedKey(_ x963: [UInt8]? = nil, of app: AppID? = nil, counter: UInt32 = 0) throws -> AttestedKey {
        try AttestedKey(
            trustingStoredKey: x963 ?? [UInt8](expect.publicKeyX963), appID: app ?? self.app,
            environment: environmentValue, counter: counter)
    }
}

/// All objects. Only the committed object is available without `PUREATTEST_EXTRA_VECTORS`.
let objects: [ObjectFile] = {
    do { return try ObjectFile.all() } catch { fatalError("unreadable object file: \(error)") }
}()

let hasExtraObjects = ObjectFile.extraDirectory != nil

/// Returns the only failed step of a report.
func onlyFailure(_ report: VerificationReport) throws -> VerificationReport.Step {
    #expect(report.failures.count == 1, "\(report)")
    return try #require(report.failures.first)
}
