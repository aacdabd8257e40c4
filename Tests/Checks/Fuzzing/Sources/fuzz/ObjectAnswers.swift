import Foundation
import PureBytes

@testable import PureAttest
@testable import PureAttestTesting

// Answers the questions of `end_to_end.py` about whole objects. An answer states the verdict and, for an accepted
// object, its values. The verifier trusts the root that the question contains, and has permissive policies.

/// Parts: App ID, environment, platform, root, key identifier, client data hash, time, attestation.
func attestationAnswer(_ question: ArraySlice<UInt8>) throws -> String {
    let parts = Parts(decoding: question, count: 8).parts
    let verifier = try verifier(app: parts[0], parts[1], parts[2], root: parts[3])
    let verified = try verifier.verifyAttestation(
        parts[7], keyID: parts[4], clientDataHash: parts[5], at: try time(parts[6]))
    return [hex(verified.key.publicKeyX963), describe(verified.launchInformation)].joined(separator: " ")
}

/// Parts: App ID, environment, platform, public key, previous counter, client data, assertion.
func assertionAnswer(_ question: ArraySlice<UInt8>) throws -> String {
    let parts = Parts(decoding: question, count: 7).parts
    guard let counter = UInt32(text(parts[4])) else { throw QuestionError.unreadable }
    let verified = try verifier(app: parts[0], parts[1], parts[2], root: nil).verifyAssertion(
        parts[6], challenge: parts[5],
        key: try storedKey(parts[3], app: parts[0], parts[1], parts[2], counter: counter))
    return "\(verified.counter) \(describe(verified.launchInformation))"
}

/// Parts: App ID, environment, root, public key, client data hash (or empty), time, receipt.
func receiptAnswer(_ question: ArraySlice<UInt8>) throws -> String {
    let parts = Parts(decoding: question, count: 7).parts
    let verifier = try verifier(app: parts[0], parts[1], Array("device".utf8), root: parts[2])
    let key = try storedKey(parts[3], app: parts[0], parts[1], Array("device".utf8), counter: 0)
    var receipt = try verifier.receipt(parts[6], of: key)
    if !parts[4].isEmpty {
        let expected = receipt.expected
        receipt = UnverifiedReceipt(
            unverifiedBytes: receipt.unverifiedBytes,
            expected: ReceiptExpectation(
                app: expected.app, key: expected.key, clientDataHash: parts[4][...],
                chainVerifier: expected.chainVerifier, authority: expected.authority, clockSkew: expected.clockSkew))
    }
    let payload = try receipt.verify(at: try time(parts[5])).payload
    return "\(payload.riskMetric.map { "\($0)" } ?? "-") \(payload.creationTime.secondsSince1970)"
}

/// The error for a malformed question. The scripts never send one.
private enum QuestionError: Error { case unreadable }

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

private func time(_ bytes: [UInt8]) throws -> UnixTime {
    guard let seconds = Int64(text(bytes)) else { throw QuestionError.unreadable }
    return UnixTime(secondsSince1970: seconds)
}

private func appID(_ bytes: [UInt8], _ platform: [UInt8]) -> AppID {
    AppID(bytes: bytes, platform: text(platform) == "macOS" ? .macOS : .device)
}

private func environment(_ name: [UInt8]) -> Environment { text(name) == "production" ? .production : .development }

private func verifier(
    app: [UInt8], _ environmentName: [UInt8], _ platform: [UInt8], root: [UInt8]?
) throws -> AppAttestVerifier {
    let anchors = root.map { [trustAnchor($0)] } ?? []
    return AppAttestVerifier(
        apps: [appID(app, platform)], environment: environment(environmentName), launchPolicy: .reportOnly
    ).trusting(testAnchors: anchors, testReceiptAnchors: anchors)
}

private func storedKey(
    _ x963: [UInt8], app: [UInt8], _ environmentName: [UInt8], _ platform: [UInt8], counter: UInt32
) throws -> AttestedKey {
    try AttestedKey(
        trustingStoredKey: x963, appID: appID(app, platform), environment: environment(environmentName),
        counter: counter)
}

private func describe(_ information: LaunchInformation) -> String {
    let category = information.validationCategory.map { "\($0.rawValue)" } ?? "-"
    let version = information.bundleVersion.map { "v" + hex($0.utf8) } ?? "-"
    let build = information.codeDirectoryHash.map { "b" + hex($0.bytes) } ?? "-"
    return "\(category) \(version) \(build)"
}
