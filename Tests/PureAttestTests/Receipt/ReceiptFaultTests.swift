import PureAttest
import PureDER
import PureECDSA
import PureSHA2
import PureX509
import Testing

@testable import PureAttestTesting
@Suite struct ReceiptFaultTests {
    static let issuer = ReceiptIssuer(seed: 1)
    static let otherIssuer = ReceiptIssuer(seed: 2)
    static let device = TestDevice()
    static let leaf = device.leaf(nonce: [UInt8](repeating: 7, count: 32))
    static let time = TestCertificateAuthority.start.adding(30 * 86_400)

    private func draft(
        _ encoding: ReceiptEncoding = .indefiniteLength, _ change: (inout ReceiptDraft) -> Void = { _ in }
    ) -> [UInt8] {
        func text(_ text: String) -> [UInt8] { [UInt8](text.utf8) }
        var draft = ReceiptDraft(
            fields: [
                .init(type: 2, value: Self.device.appID.bytes), .init(type: 3, value: Self.leaf),
                .init(type: 4, value: [UInt8](repeating: 9, count: 32)), .init(type: 5, value: text("token")),
                .init(type: 6, value: text("RECEIPT")), .init(type: 7, value: text("production")),
                .init(type: 12, value: receiptTime(Self.time)), .init(type: 17, value: text("3")),
                .init(type: 19, value: receiptTime(Self.time.adding(86_400))),
                .init(type: 21, value: receiptTime(Self.time.adding(90 * 86_400))),
            ], encoding: encoding, issuer: Self.issuer)
        change(&draft)
        return draft.encoded()
    }

    private func verify(_ bytes: [UInt8], at time: UnixTime = time, clockSkew: UInt32 = 0) throws -> VerifiedReceipt {
        let verifier = try Self.device.verifier(clockSkew: clockSkew)
            .trusting(testAnchors: [], testReceiptAnchors: [trustAnchor(Self.issuer.certificates[2])])
        return try verifier.receipt(bytes, of: Self.device.storedKey()).verify(at: time)
    }

    private func rejects(_ error: PureAttestError, _ change: (inout ReceiptDraft) -> Void) {
        #expect(throws: error) { try verify(draft(.indefiniteLength, change)) }
        #expect(throws: error) { try verify(draft(.definiteLength, change)) }
    }

    @Test(arguments: ReceiptEncoding.allCases)
    func validByItself(_ encoding: ReceiptEncoding) throws {
        let receipt = try verify(draft(encoding))
        #expect(receipt.riskMetric == 3 && receipt.payload.kind == .answer)
        #expect(receipt.payload.creationTime == Self.time)
    }

    @Test func testReceiptIsNotApples() throws {
        let verifier = AppAttestVerifier(
            apps: [Self.device.appID], environment: .production, launchPolicy: .reportOnly)
        #expect(throws: PureAttestError.self) {
            try verifier.receipt(draft(), of: Self.device.storedKey()).verify(at: Self.time)
        }
    }

    /// The SignerInfo identifies the signer, so the order of certificates does not matter.
    @Test func firstCertificateTakenAsSigner() throws {
        _ = try verify(draft { $0.certificates.reverse() })
        _ = try verify(draft { $0.certificates.removeLast() })
        rejects(.receiptSignature(.signerCertificateMissing)) { $0.certificates.removeFirst() }
        rejects(.receiptSignature(.signerCertificateMissing)) { $0.certificates = [] }
        rejects(.receiptSignature(.signerCertificateMissing)) {
            $0.signerIdentifier = ReceiptIssuer.rootName + Self.issuer.signer.serialNumber
        }
        rejects(.receiptSignature(.signerCertificateMissing)) {
            $0.signerIdentifier = ReceiptIssuer.intermediateName + der(1)
        }
        rejects(.receiptSignature(.invalidContentSignature)) { $0.key = Self.otherIssuer.signerKey }
        rejects(.receiptSignature(.tooManyCertificates)) {
            $0.certificates += [[UInt8]](repeating: $0.certificates[2], count: 6)
        }
    }

    @Test func foreignRoot() {
        #expect(throws: PureAttestError.self) {
            try verify(
                draft {
                    $0.certificates = Self.otherIssuer.certificates
                    $0.key = Self.otherIssuer.signerKey
                    $0.signerIdentifier = ReceiptIssuer.intermediateName + Self.otherIssuer.signer.serialNumber
                })
        }
    }

    /// Apple receipt: signature. RFC 5652 §5.6.
    @Test func signature() {
        rejects(.receiptSignature(.invalidContentSignature)) { $0.replacePayload = { $0[$0.count / 2] ^= 1 } }
        rejects(.receiptSignature(.signedAttributesPresent)) { $0.hasSignedAttributes = true }
        rejects(.receiptSignature(.wrongSignerCount)) { $0.signerCount = 0 }
        rejects(.receiptSignature(.wrongSignerCount)) { $0.signerCount = 2 }
        for bytes in [[], [0x30], [0x30, 0x80], [0x30, 0x80, 0x00, 0x00], [0x05, 0x00]] as [[UInt8]] {
            #expect(throws: PureAttestError.self) { try verify(bytes) }
        }
        #expect(throws: PureAttestError.inputTooLarge) {
            let verifier = try Self.device.verifier()
            return try verifier.receipt(
                [UInt8](repeating: 0, count: InputLimits.receipt + 1), of: Self.device.storedKey())
        }
    }

    /// The signer's certificate chains to the same root, but is not for receipts. Apple receipt: signature.
    @Test func signerForSomethingElse() throws {
        func key(_ number: UInt8) -> SigningKey<P256> {
            SigningKey(secret: [UInt8](repeating: 0, count: 31) + [number])
        }
        let signerKey = key(77)
        let intermediateKey = IssuerSigningKey.p256(key(78))
        let root = IssuerSigningKey.p256(key(79))
        let start = TestCertificateAuthority.start
        let end = TestCertificateAuthority.end
        func certificates(_ extensions: [ExtensionDraft]) -> [[UInt8]] {
            let intermediate = CertificateDraft(
                serialNumber: [1], issuer: ReceiptIssuer.rootName, subject: ReceiptIssuer.intermediateName,
                subjectPublicKeyInfo: intermediateKey.subjectPublicKeyInfo, from: start, to: end, hash: .sha256,
                extensions: [.issuerBasicConstraints(), .issuerKeyUsage])
            let signer = CertificateDraft(
                serialNumber: [2], issuer: ReceiptIssuer.intermediateName, subject: ReceiptIssuer.signerName,
                subjectPublicKeyInfo: IssuerSigningKey.p256(signerKey).subjectPublicKeyInfo, from: start, to: end,
                hash: .sha256, extensions: [.leafBasicConstraints] + extensions)
            return [signer.encoded(signedBy: intermediateKey), intermediate.encoded(signedBy: root)]
        }
        let anchor = try TrustAnchor(
            name: ReceiptIssuer.rootName[...], subjectPublicKeyInfo: root.subjectPublicKeyInfo[...])
        let verifier = try Self.device.verifier().trusting(testAnchors: [], testReceiptAnchors: [anchor])
        func verify(_ extensions: [ExtensionDraft]) throws {
            let bytes = draft {
                $0.certificates = certificates(extensions)
                $0.key = signerKey
                $0.signerIdentifier = ReceiptIssuer.intermediateName + der(2)
            }
            _ = try verifier.receipt(bytes, of: Self.device.storedKey()).verify(at: Self.time)
        }
        let marker = ExtensionDraft(.receiptSigning, derNull)
        let digitalSignature = ExtensionDraft(.keyUsage, critical: true, der(.bitString, [7, 0x80]))
        let keyAgreement = ExtensionDraft(.keyUsage, critical: true, der(.bitString, [3, 0x08]))
        try verify([digitalSignature, marker])
        #expect(throws: PureAttestError.receiptSignerNotAllowed) { try verify([marker]) }
        // RFC 5280 §4.2.1.12: a critical extKeyUsage must name App Attest. Genuine signers have no extKeyUsage.
        for (purposes, isAllowed): ([ASN1ObjectIdentifier], Bool) in [
            ([.appAttest], true), ([.serverAuthentication], false), ([.anyExtendedKeyUsage], false),
        ] {
            for isCritical in [true, false] {
                let usage = ExtensionDraft(
                    .extendedKeyUsage, critical: isCritical, der(.sequence, purposes.flatMap { der($0) }))
                if isAllowed || !isCritical {
                    try verify([digitalSignature, marker, usage])
                } else {
                    #expect(throws: PureAttestError.receiptSignerNotAllowed) {
                        try verify([digitalSignature, marker, usage])
                    }
                }
            }
        }
        #expect(throws: PureAttestError.receiptSignerNotAllowed) { try verify([digitalSignature]) }
        #expect(throws: PureAttestError.receiptSignerNotAllowed) { try verify([keyAgreement, marker]) }
        #expect(throws: PureAttestError.receiptSignerNotAllowed) {
            try verify([digitalSignature, ExtensionDraft(.apple(12, 14), derNull)])
        }
    }

    @Test func fields() throws {
        for type in [2, 3, 4, 6, 12, 21] as [UInt32] {
            rejects(.receiptFieldMissing(Int64(type))) { $0.fields.removeAll { $0.type == type } }
        }
        for type in [5, 7, 17, 19] as [UInt32] {
            _ = try verify(draft { $0.fields.removeAll { $0.type == type } })
        }
        #expect(try verify(draft { $0.fields.removeAll { $0.type == 17 } }).riskMetric == nil)
        #expect(try verify(draft { $0.set(17, [0x30]) }).riskMetric == 0)
        for type in [2, 5, 12, 17] as [UInt32] {
            rejects(.duplicateReceiptField(Int64(type))) {
                $0.fields.append($0.fields[$0.fields.firstIndex { $0.type == type } ?? 0])
            }
        }
        for (type, texts) in [
            (6, ["", "attest", "ATTEST ", "RECEIP"]), (7, ["", "Sandbox", "production\0"]),
            (17, ["", "-1", "+1", "1.0", "1234567890", " 1"]),
        ] as [(UInt32, [String])] {
            for text in texts {
                rejects(.malformedReceiptField(Int64(type))) { $0.set(type, [UInt8](text.utf8)) }
            }
        }
        _ = try verify(draft { $0.fields.append(.init(type: 99, value: [])) })
        rejects(.tooManyReceiptFields) { draft in
            for type in 100..<160 as Range<UInt32> { draft.fields.append(.init(type: type, value: [])) }
        }
        rejects(.malformedReceipt(.trailingBytes)) { $0.alterPayload = { $0.append(0) } }
        rejects(.malformedReceipt(.unexpectedTag(expected: .set, found: .sequence))) {
            $0.alterPayload = { $0[0] = 0x30 }
        }
    }

    /// Receipt field 4, receipt field 12, receipt field 21.
    @Test func meaning() throws {
        rejects(.receiptOfOtherApp) { $0.set(2, Self.device.appID.bytes + [0]) }
        rejects(.receiptOfOtherEnvironment(.development)) { $0.set(7, [UInt8]("sandbox".utf8)) }
        rejects(.malformedReceiptCertificate(.malformed(.certificate, .unexpectedEnd))) { $0.set(3, []) }
        rejects(.receiptOfOtherKey) { $0.set(3, TestAuthority.intermediate.certificate) }
        rejects(.receiptOfOtherKey) { $0.set(3, Self.issuer.certificates[2]) }
        let expired = Self.time.adding(-86_400)
        rejects(.receiptExpired(expirationTime: expired, at: Self.time)) { $0.set(21, receiptTime(expired)) }
        let old = Self.time.adding(-301)
        rejects(.receiptTooOld(created: old, at: Self.time)) { $0.set(12, receiptTime(old)) }
        _ = try verify(draft { $0.set(12, receiptTime(old)) }, clockSkew: 1)
        let justExpired = Self.time.adding(-1)
        rejects(.receiptExpired(expirationTime: justExpired, at: Self.time)) {
            $0.set(21, receiptTime(justExpired))
        }
        _ = try verify(draft { $0.set(21, receiptTime(justExpired)) }, clockSkew: 1)
    }

    /// Accepts only `YYYY-MM-DDTHH:MM:SSZ`, with or without a fraction of a second.
    @Test func times() throws {
        func set(_ text: String) -> (inout ReceiptDraft) -> Void { { $0.set(19, [UInt8](text.utf8)) } }
        for text in ["2030-01-02T03:04:05Z", "2030-01-02T03:04:05.6Z", "2030-01-02T03:04:05.678901234Z"] {
            #expect(try verify(draft(.definiteLength, set(text))).payload.notBefore?.secondsSince1970 == 1_893_553_445)
        }
        for text in [
            "", "Z", "2030-01-02T03:04:05", "2030-01-02T03:04:05.Z", "2030-01-02T03:04:05,6Z", "2030-01-02 03:04:05Z",
            "2030-01-02T03:04:05.1234567890Z", "2030-01-02T03:04:05+00:00", "2030-02-30T03:04:05Z",
            "2030-01-02T24:00:00Z",
            "2030-01-02T03:04:60Z", "2030-13-02T03:04:05Z", "+030-01-02T03:04:05Z", "2030-1-002T03:04:05Z",
            "2030-01-02T03:04:05.6-Z", "2030-01-02t03:04:05z", "2030-01-02T03:04:0\u{663}Z",
        ] {
            rejects(.malformedReceiptField(19), set(text))
        }
    }
}
