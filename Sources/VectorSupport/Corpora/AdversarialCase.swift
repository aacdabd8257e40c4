import PureAttest
import PureCBOR
import PureDER
import PureECDSA
import PureX509
import PureX509Paths

/// One object of the adversarial corpus, and its expected result.
package struct AdversarialCase: Sendable {
    /// "adv::" and a name, unique across all files.
    package let id: String
    /// The rows of `known-failures.json` for this case. A control case, which must be accepted, may have no rows.
    package let rows: [String]
    /// The expected error's text; `nil` if the object must be accepted.
    package let error: String?
    /// The number of bytes that the parsers read.
    package let inputByteCount: Int
    /// Whether the case runs with higher limits than the defaults.
    package let raisesLimits: Bool
    private let input: Input

    private enum Input: Sendable {
        case chain(Chain)
        /// Decodes or verifies another object.
        case object(@Sendable () throws -> Void)
    }

    private struct Chain: Sendable {
        let leaf: [UInt8]
        let intermediates: [[UInt8]]
        let anchors: [[UInt8]]
        let time: UnixTime
        let appAttestError: String?
        /// The error of parsing the leaf's signature. The outer `nil` means that the case does not test the signature.
        let signatureError: String??
        let maximumSignatureChecks: Int
    }

    init(_ test: AdversarialFile.Case, in file: AdversarialFile.Contents) throws {
        id = test.id
        rows = test.rows
        error = test.error.text
        raisesLimits = test.limits != nil
        let anchors = (test.anchors ?? file.anchors).map { $0.expanded() }
        let time = UnixTime(secondsSince1970: file.time)
        if let bytes = test.cbor?.expanded() {
            let limits = CBORLimits(
                maximumDepth: test.limits?.maximumDepth ?? CBORLimits.default.maximumDepth,
                maximumItems: test.limits?.maximumItems ?? CBORLimits.default.maximumItems,
                maximumSize: test.limits?.maximumSize ?? CBORLimits.default.maximumSize)
            let options: CBORDecodingOptions =
                test.limits?.allowIndefiniteLengths == true ? .allowIndefiniteLengths : []
            input = .object { _ = try CBORValue(decoding: bytes, limits: limits, options: options) }
            inputByteCount = bytes.count
        } else if let bytes = test.ber?.expanded() {
            input = .object { _ = try BERNormalizer.normalize(bytes[...]) }
            inputByteCount = bytes.count
        } else if let object = test.attestation?.expanded() {
            guard let keyID = test.keyID?.expanded(), let challenge = test.challenge?.expanded(),
                let app = test.appID.map({ AppID(bytes: $0.utf8) })
            else { throw VectorFileError.missingMember }
            let clockSkew = test.clockSkew ?? 0
            input = .object {
                let verifier = AppAttestVerifier(
                    apps: [app], environment: .production, launchPolicy: .reportOnly, clockSkew: clockSkew
                ).trusting(testAnchors: try Self.trustAnchors(anchors))
                _ = try verifier.verifyAttestation(object, keyID: keyID, challenge: challenge, at: time)
            }
            inputByteCount = object.count
        } else if let object = test.receipt?.expanded() {
            // The attested key is uncompressed.
            guard let publicKey = test.publicKey?.expanded(), let app = test.appID.map({ AppID(bytes: $0.utf8) })
            else { throw VectorFileError.missingMember }
            input = .object {
                let verifier = AppAttestVerifier(
                    apps: [app], environment: .production, launchPolicy: .reportOnly
                ).trusting(testAnchors: [], testReceiptAnchors: try Self.trustAnchors(anchors))
                let key = try AttestedKey(
                    trustingStoredKey: publicKey, appID: app, environment: .production, counter: 0)
                _ = try verifier.receipt(object, of: key).verify(at: time)
            }
            inputByteCount = object.count
        } else {
            var intermediates = (test.intermediates ?? file.intermediates).map { $0.expanded() }
            if let decoys = test.decoys {
                let period = UInt64(max(decoys.certificate.expanded().count, 1))
                guard decoys.count <= AdversarialFile.maximumExpandedByteCount / period, decoys.count <= 1 << 16 else {
                    throw VectorFileError.tooManyValues
                }
                intermediates = (0..<decoys.count).map { decoys.certificate.expanded(offset: $0) } + intermediates
            }
            let leaf = (test.leaf ?? file.leaf).expanded()
            input = .chain(
                Chain(
                    leaf: leaf, intermediates: intermediates, anchors: anchors, time: time,
                    appAttestError: test.appAttestError.map(\.text) ?? test.error.text,
                    signatureError: test.signatureError.map(\.text),
                    // The default of two covers the signatures of the leaf and of the intermediate.
                    maximumSignatureChecks: test.maximumSignatureChecks ?? 2))
            inputByteCount = leaf.count + (intermediates + anchors).reduce(0) { $0 + $1.count }
        }
    }

    /// Describes how the actual result differs from the expected result; `nil` if the results agree.
    package func failure() -> String? {
        switch input {
        case .chain(let chain): failure(of: chain)
        case .object(let check): difference(from: error, check)
        }
    }

    private static func trustAnchors(_ certificates: [[UInt8]]) throws -> [TrustAnchor] {
        try certificates.map { try TrustAnchor(try Certificate(derEncoded: $0[...])) }
    }

    /// Checks path building and the App Attest profile.
    private func failure(of chain: Chain) -> String? {
        let verifier: CertificatePathVerifier
        let leaf: Certificate
        let intermediates: [Certificate]
        do {
            leaf = try Certificate(derEncoded: chain.leaf[...])
            intermediates = try chain.intermediates.map { try Certificate(derEncoded: $0[...]) }
            verifier = CertificatePathVerifier(trustAnchors: try Self.trustAnchors(chain.anchors))
        } catch let refusal {
            return difference(from: error) { throw refusal }
        }
        // Compares names as bytes.
        guard
            var search = try? PathSearch(
                verifier: verifier, leaf: leaf, intermediates: intermediates, time: chain.time)
        else { return "no search" }
        let path = difference(from: error) {
            do { _ = try search.run() } catch { throw error.ofCertificate }
        }
        if let path { return path }
        guard search.signatureChecks <= chain.maximumSignatureChecks else {
            return "\(search.signatureChecks) signature checks, at most \(chain.maximumSignatureChecks) allowed"
        }
        // The error text in the file omits the number of certificates, so the number is added.
        let count = 1 + intermediates.count
        let expectedError = chain.appAttestError.map { $0 == "wrongCertificateCount" ? "\($0)(\(count))" : $0 }
        let appAttest = difference(from: expectedError) {
            do {
                _ = try AppAttestVerifier(apps: [], environment: .production, launchPolicy: .reportOnly)
                    .trusting(testAnchors: verifier.trustAnchors)
                    .verifyCertificateChain(([chain.leaf] + chain.intermediates).map { $0[...] }, at: chain.time)
            } catch { throw error.ofCertificate }
        }
        if let appAttest { return "App Attest: \(appAttest)" }
        guard let expected = chain.signatureError else { return nil }
        let signature = difference(from: expected) {
            _ = try P384.Signing.ECDSASignature(derRepresentation: leaf.signature)
        }
        return signature.map { "signature: \($0)" }
    }

    private func difference(from expected: String?, _ body: () throws -> Void) -> String? {
        var found: String?
        do { try body() } catch { found = caseText(of: error) }
        return found == expected ? nil : "\(found ?? "accepted"), not \(expected ?? "accepted")"
    }
}

/// Runs files of the adversarial corpus.
package enum AdversarialSuite {
    /// Runs every case on its own thread, with the stack size and time limit of ``SmallStack``.
    package static func run(_ file: Data) throws -> SuiteOutcome {
        var outcome = SuiteOutcome()
        for test in try AdversarialFile(json: file).cases {
            let result = SmallStack.run { test.failure() }
            let failure = result ?? "more than \(SmallStack.timeLimit) s"
            outcome.record(test.id, passed: failure == nil, detail: failure)
        }
        return outcome
    }
}
