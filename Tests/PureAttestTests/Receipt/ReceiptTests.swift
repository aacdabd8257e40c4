import Foundation
import PureAttest
import PureX509
import Testing
import VectorSupport

/// Tests genuine receipts, from attestations and from Apple's answers to risk queries.
@Suite struct ReceiptTests {
    struct Case: Sendable, CustomStringConvertible {
        let object: ObjectFile
        let index: Int
        var file: ObjectFile.Receipt { object.receipts[index] }
        var description: String { "\(object.name) \(file.where)" }
        var time: UnixTime { UnixTime(secondsSince1970: file.verifyAt) }

        func unverified() throws -> UnverifiedReceipt {
            let attestation = try object.verify()
            guard let bytes = file.receipt else { return attestation.unverifiedReceipt }
            return try object.verifier().receipt(bytes, of: attestation.key)
        }
    }

    static let cases = objects.flatMap { object in
        object.receipts.indices.map { Case(object: object, index: $0) }
    }

    @Test(.enabled(if: hasExtraObjects, "PUREATTEST_EXTRA_VECTORS is not set: only one genuine receipt was verified"))
    func nothingWasSkipped() {
        #expect(Self.cases.count == 14)
        #expect(Self.cases.filter { $0.file.receipt != nil }.count == 6)
        #expect(Self.cases.filter { !$0.file.indefiniteLength }.count == 1)
    }

    /// All receipts are valid, and contain exactly the listed fields.
    @Test(arguments: cases)
    func fields(_ test: Case) throws {
        let receipt = try test.unverified().verify(at: test.time)
        let payload = receipt.payload
        let fields = test.file.fields
        func time(_ text: String?) -> Int64? {
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [.withInternetDateTime]
            return text.flatMap { formatter.date(from: $0.prefix(19) + "Z") }.map { Int64($0.timeIntervalSince1970) }
        }
        #expect(test.file.verifies)
        #expect(payload.appIDUTF8.elementsEqual(try #require(fields["appId"]).utf8))
        #expect(payload.kind == (fields["type"] == "ATTEST" ? .attestation : .answer))
        #expect(payload.environment == (fields["environment(undocumented)"] == "sandbox" ? .development : .production))
        #expect(payload.creationTime.secondsSince1970 == time(fields["creationTime"]))
        #expect(payload.expirationTime.secondsSince1970 == time(fields["expirationTime"]))
        #expect(payload.notBefore?.secondsSince1970 == time(fields["notBefore"]))
        #expect(
            payload.riskMetric == fields["riskMetric"].flatMap(UInt32.init) && receipt.riskMetric == payload.riskMetric)
        #expect(fields.count == 5 + (payload.riskMetric == nil ? 0 : 1) + (payload.notBefore == nil ? 0 : 1))
        #expect(payload.token?.count == 88)
        // Field 3 contains the leaf of the attestation.
        let leaf = try #require(try AttestationObject(decoding: ArraySlice(test.object.attestation)).certificates.first)
        #expect(payload.certificate == leaf)
        #expect(receipt.bytes.elementsEqual(try test.unverified().unverifiedBytes))
    }

    /// In answers to risk queries, field 4 is the client data hash after Apple decoded it as text. A comparison with
    /// the hash would therefore reject every genuine answer.
    @Test(arguments: cases)
    func clientDataHash(_ test: Case) throws {
        let payload = try test.unverified().verify(at: test.time).payload
        if payload.kind == .attestation {
            #expect(payload.clientDataHash.elementsEqual(test.object.clientDataHash))
        } else {
            let repaired = String(decoding: test.object.clientDataHash, as: UTF8.self)
            #expect(payload.clientDataHash.elementsEqual(repaired.utf8))
            #expect(!payload.clientDataHash.elementsEqual(test.object.clientDataHash))
        }
    }

    @Test(arguments: cases)
    func time(_ test: Case) throws {
        let receipt = try test.unverified()
        let payload = try receipt.verify(at: test.time).payload
        let (created, expires) = (payload.creationTime.secondsSince1970, payload.expirationTime.secondsSince1970)
        func verify(_ seconds: Int64, maximumAge: UInt32? = 300) throws {
            _ = try receipt.verify(at: UnixTime(secondsSince1970: seconds), maximumAge: maximumAge)
        }
        try verify(created + 300)
        try verify(created - 60)
        let late = UnixTime(secondsSince1970: created + 301)
        #expect(throws: PureAttestError.receiptTooOld(created: payload.creationTime, at: late)) {
            try verify(created + 301)
        }
        try verify(created + 301, maximumAge: 301)
        try verify(created + 86_400, maximumAge: nil)
        // The certificate of the signer may expire before the receipt does.
        for seconds in [expires + 1, .max] {
            #expect(throws: PureAttestError.self) { try verify(seconds, maximumAge: nil) }
        }
        let notBefore = try SignedData(berEncoded: receipt.unverifiedBytes).certificates[0].notBefore
        let first = UnixTime(secondsSince1970: .min)
        #expect(
            throws: PureAttestError.receiptSignature(.notYetValid(certificate: 0, notBefore: notBefore, at: first))
        ) { try verify(.min) }
    }

    /// Receipt field 2, receipt field 3, receipt field 7.
    @Test(arguments: cases)
    func belongsToKeyAndApp(_ test: Case) throws {
        let object = test.object
        let bytes = try test.unverified().unverifiedBytes
        func verify(
            key: [UInt8]? = nil, app: AppID? = nil, environment: PureAttest.Environment? = nil
        ) throws {
            let environment = environment ?? object.environmentValue
            let app = app ?? object.app
            let key = try AttestedKey(
                trustingStoredKey: key ?? [UInt8](object.expect.publicKeyX963), appID: app, environment: environment,
                counter: 0)
            let verifier = object.verifier(apps: [app], environment: environment)
            _ = try verifier.receipt(bytes, of: key).verify(at: test.time)
        }
        try verify()
        #expect(throws: PureAttestError.receiptOfOtherKey) { try verify(key: TestDevice.key.x963) }
        #expect(throws: PureAttestError.receiptOfOtherApp) { try verify(app: AppID(bytes: object.appID.utf8 + [0x78])) }
        let other = object.otherEnvironment
        #expect(throws: PureAttestError.receiptOfOtherEnvironment(object.environmentValue)) {
            try verify(environment: other)
        }
        let key = try object.verify().key
        #expect(throws: PureAttestError.keyOfOtherEnvironment(object.environmentValue)) {
            try object.verifier(environment: other).receipt(bytes, of: key)
        }
        #expect(throws: PureAttestError.keyOfUnknownApp) {
            try object.verifier(apps: []).receipt(bytes, of: key)
        }
    }

    /// If the receipt in an attestation is replaced, the receipt is rejected, but the attestation stays valid.
    @Test(.enabled(if: hasExtraObjects, "PUREATTEST_EXTRA_VECTORS is not set: there is just one genuine receipt"))
    func replacedReceipts() throws {
        for object in objects {
            let parts = try AttestationObject(decoding: ArraySlice(object.attestation))
            // The replacements: the receipt of the next object, and answers to risk queries about this object's key.
            let next = try #require(
                Self.cases.first { $0.object.name > object.name && $0.file.receipt == nil } ?? Self.cases.first)
            for other in [next] + Self.cases.filter({ $0.object.name == object.name && $0.file.receipt != nil }) {
                let mutated = TestDevice.object(
                    certificates: parts.certificates.map { [UInt8]($0) },
                    receipt: [UInt8](try other.unverified().unverifiedBytes),
                    authenticatorData: [UInt8](parts.authenticatorData))
                let receipt = try object.verify(attestation: mutated).unverifiedReceipt
                if other.object.name == object.name {
                    #expect(throws: PureAttestError.receiptOfOtherAttestation) { try receipt.verify(at: other.time) }
                } else {
                    #expect(throws: PureAttestError.self) { try receipt.verify(at: other.time) }
                }
            }
        }
    }

    /// The attestation root has issued no receipt. Some published verifiers use this root by mistake.
    @Test func checkedAgainstTheAttestationRoot() throws {
        let object = try ObjectFile.committed()
        let bytes = try object.verify().unverifiedReceipt.unverifiedBytes
        let signedData = try SignedData(berEncoded: bytes)
        let attestationChain = try AttestationObject(decoding: ArraySlice(object.attestation)).certificates
        // Reads the attestation root from the bytes that Apple publishes.
        let text = String(decoding: try VectorDirectory.committedFile("x509/apple-app-attest.pem"), as: UTF8.self)
        let root = try TrustAnchor(Certificate(derEncoded: try #require(PemFile(text).blocks.last?.bytes)))
        #expect(attestationChain.count == 2)
        #expect(throws: X509Error.issuerNotFound(certificate: 1)) {
            try FixedChainVerifier(trustAnchors: [root]).verify(
                signer: signedData.signer(), among: signedData.certificates,
                at: UnixTime(secondsSince1970: object.verifyAt))
        }
    }

    @Test(arguments: cases)
    func flipsAndTruncations(_ test: Case) throws {
        #if DEBUG
            let step = 499
        #else
            let step = 3
        #endif
        let genuine = [UInt8](try test.unverified().unverifiedBytes)
        let key = try test.object.verify().key
        let verifier = test.object.verifier()
        let original = try verifier.receipt(genuine, of: key).verify(at: test.time)
        var accepted = 0
        for index in stride(from: Int.random(in: 0..<step), to: genuine.count, by: step) {
            var mutated = genuine
            mutated[index] ^= UInt8(1) << UInt8.random(in: 0...7)
            do {
                // A changed receipt is accepted only if the change is in unsigned bytes, such as the root certificate.
                let receipt = try verifier.receipt(mutated, of: key).verify(at: test.time)
                #expect(receipt.payload.creationTime == original.payload.creationTime)
                #expect(receipt.payload.appIDUTF8 == original.payload.appIDUTF8)
                #expect(receipt.payload.certificate == original.payload.certificate)
                #expect(receipt.payload.token == original.payload.token)
                #expect(receipt.payload.riskMetric == original.payload.riskMetric)
                accepted += 1
            } catch {}
        }
        // Of about 3,800 bytes in the receipt, 583 belong to the unused root certificate.
        #if !DEBUG
            #expect(Double(accepted) < Double(genuine.count / step) * 0.2, "\(accepted)")
        #endif
        for count in stride(from: 0, to: genuine.count, by: step) {
            #expect(throws: PureAttestError.self) {
                try verifier.receipt(genuine.prefix(count), of: key).verify(at: test.time)
            }
        }
        #expect(throws: PureAttestError.receiptSignature(.malformed(.signedData, .trailingBytes))) {
            try verifier.receipt(genuine + [0], of: key).verify(at: test.time)
        }
    }
}
