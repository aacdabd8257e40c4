import Foundation
import PureCBOR
import PureDER
import PureJSON
import PureX509
import PureX509Paths
import Testing
import VectorSupport

@testable import PureAttest
import PureAttestPurchases
import PureAttestServer
@testable import PureAttestServerCore
@testable import PureJWS
@testable import PureKeyAttestation
@testable import PureRSA

/// The article "Limits" lists all limit constants with their values.
struct LimitTests {
    private static let values: [String: Int] = [
        "InputLimits.attestation": InputLimits.attestation,
        "InputLimits.assertion": InputLimits.assertion,
        "InputLimits.receipt": InputLimits.receipt,
        "InputLimits.receiptAnswer": InputLimits.receiptAnswer,
        "InputLimits.bundleVersion": InputLimits.bundleVersion,
        "AttestedKey.maximumRecordSize": AttestedKey.maximumRecordSize,
        "SystemInformation.maximumTextSize": SystemInformation.maximumTextSize,
        "InputLimits.attestationCBOR.maximumDepth": InputLimits.attestationCBOR.maximumDepth,
        "InputLimits.attestationCBOR.maximumItems": InputLimits.attestationCBOR.maximumItems,
        "InputLimits.assertionCBOR.maximumDepth": InputLimits.assertionCBOR.maximumDepth,
        "InputLimits.assertionCBOR.maximumItems": InputLimits.assertionCBOR.maximumItems,
        "ReceiptPayload.maximumFieldCount": ReceiptPayload.maximumFieldCount,
        "UnverifiedReceipt.registrationAge": Int(UnverifiedReceipt.registrationAge),
        "CBORLimits.deepestSupported": CBORLimits.deepestSupported,
        "CBORLimits.default.maximumDepth": CBORLimits.default.maximumDepth,
        "CBORLimits.default.maximumItems": CBORLimits.default.maximumItems,
        "CBORLimits.default.maximumSize": CBORLimits.default.maximumSize,
        "JSONLimits.deepestSupported": JSONLimits.deepestSupported,
        "JSONLimits.default.maximumDepth": JSONLimits.default.maximumDepth,
        "JSONLimits.default.maximumValues": JSONLimits.default.maximumValues,
        "JSONLimits.default.maximumSize": JSONLimits.default.maximumSize,
        "JSONWebSignature.maximumSize": JSONWebSignature.maximumSize,
        "JOSEHeader.maximumCertificateCount": JOSEHeader.maximumCertificateCount,
        "DERReader.maximumDepth": DERReader.maximumDepth,
        "DERHeader.maximumLength": Int(DERHeader.maximumLength),
        "DERTag.maximumNumber": Int(DERTag.maximumNumber),
        "BERNormalizer.maximumInputSize": BERNormalizer.maximumInputSize,
        "RSA.Signing.PublicKey.minimumModulusSize": RSA.Signing.PublicKey.minimumModulusSize,
        "RSA.Signing.PublicKey.maximumModulusSize": RSA.Signing.PublicKey.maximumModulusSize,
        "MontgomeryModulus.maximumLimbCount": MontgomeryModulus.maximumLimbCount,
        "Certificate.maximumEncodedSize": Certificate.maximumEncodedSize,
        "Certificate.maximumExtensionCount": Certificate.maximumExtensionCount,
        "Certificate.maximumSerialNumberSize": Certificate.maximumSerialNumberSize,
        "BasicConstraints.maximumPathLength": Int(BasicConstraints.maximumPathLength),
        "SignedData.maximumCertificateCount": SignedData.maximumCertificateCount,
        "CertificatePathVerifier.maximumSignatureChecks": CertificatePathVerifier.maximumSignatureChecks,
        "CertificatePathVerifier.maximumSteps": CertificatePathVerifier.maximumSteps,
        "CertificatePathVerifier.defaultMaximumPathLength": CertificatePathVerifier.defaultMaximumPathLength,
        "CertificatePathVerifier.maximumIntermediateCount": CertificatePathVerifier.maximumIntermediateCount,
        "CertificatePathVerifier.maximumNameComparisons": CertificatePathVerifier.maximumNameComparisons,
        "CertificatePathVerifier.maximumPolicyGraphSize": CertificatePathVerifier.maximumPolicyGraphSize,
        "CertificateRevocationList.maximumEncodedSize": CertificateRevocationList.maximumEncodedSize,
        "CertificateRevocationList.maximumPointNameCount": CertificateRevocationList.maximumPointNameCount,
        "OCSPResponse.maximumEncodedSize": OCSPResponse.maximumEncodedSize,
        "OCSPResponse.maximumStatusCount": OCSPResponse.maximumStatusCount,
        "OCSPResponse.maximumCertificateCount": OCSPResponse.maximumCertificateCount,
        "PathReport.maximumCandidateCount": PathReport.maximumCandidateCount,
        "KeyAttestationVerifier.maximumChainSize": KeyAttestationVerifier.maximumChainSize,
        "AuthorizationList.maximumMemberCount": AuthorizationList.maximumMemberCount,
        "AuthorizationList.maximumSetCount": AuthorizationList.maximumSetCount,
        "AttestationApplicationID.maximumEntryCount": AttestationApplicationID.maximumEntryCount,
        "RevocationStatusList.maximumEncodedSize": RevocationStatusList.maximumEncodedSize,
        "RevocationStatusList.maximumSerialNumberSize": RevocationStatusList.maximumSerialNumberSize,
        "RevocationStatusList.maximumSkippedDepth": RevocationStatusList.maximumSkippedDepth,
        "AttestedAndroidKey.maximumRecordSize": AttestedAndroidKey.maximumRecordSize,
        "AttestedAndroidKey.maximumPackageNameSize": AttestedAndroidKey.maximumPackageNameSize,
        "SessionToken.maximumByteCount": SessionToken.maximumByteCount,
        "AccountID.maximumByteCount": AccountID.maximumByteCount,
        "SessionKey.minimumSecretByteCount": SessionKey.minimumSecretByteCount,
        "SessionKey.maximumIDByteCount": SessionKey.maximumIDByteCount,
        "RelyingPartyConfiguration.maximumChallengeLifetime": Int(RelyingPartyConfiguration.maximumChallengeLifetime),
        "RelyingPartyConfiguration.maximumSessionLifetime": Int(RelyingPartyConfiguration.maximumSessionLifetime),
        "Budget.maximumDays": Int(Budget.maximumDays), "BudgetAmount.maximum": Int(BudgetAmount.maximum),
        "RelyingPartyConfiguration.clockMargin": Int(RelyingPartyConfiguration.clockMargin),
        "RegisteredKey.maximumRecordSize": RegisteredKey.maximumRecordSize,
        "CurrentRevocationList.defaultMaximumAge": Int(CurrentRevocationList.defaultMaximumAge),
        "InMemoryStore.maximumReceiptByteCount": InMemoryStore.maximumReceiptByteCount,
        "RelyingPartyConfiguration.maximumAttempts": RelyingPartyConfiguration().maximumAttempts,
        "Purchase.maximumIDByteCount": Purchase.maximumIDByteCount,
        "Purchase.maximumProductIDByteCount": Purchase.maximumProductIDByteCount,
        "PurchaseRules.defaultMaximumKeys": PurchaseRules.defaultMaximumKeys,
        "PurchaseRules.largestMaximumKeys": PurchaseRules.largestMaximumKeys,
    ]

    private static let sources = VectorDirectory.committed.deletingLastPathComponent().appending(path: "Sources")

    @Test func theArticleSaysWhatTheConstantsSay() throws {
        let article = try String(
            contentsOf: Self.sources.appending(path: "PureAttest/PureAttest.docc/Limits.md"), encoding: .utf8)
        var stated: [String: Int] = [:]
        for row in article.matches(of: /(?m)^\| `([A-Za-z.]+)` \| (\d+)[^|]*\| ([^|]+) \|$/) {
            stated[String(row.1)] = Int(row.2)
            #expect(row.3.count > 5, "the article must give the origin of \(row.1)")
        }
        #expect(stated == Self.values)
    }

    /// Outside the testing modules, each static property whose name begins with `maximum`, `minimum`, `deepest` or
    /// `defaultMaximum` is in `values`.
    @Test func noLimitIsMissing() throws {
        let files = FileManager.default.enumerator(atPath: Self.sources.path)
        var names: Set<String> = []
        for path in (files?.allObjects ?? []).compactMap({ $0 as? String })
        where path.hasPrefix("Pure") && path.hasSuffix(".swift") && !path.contains("Testing") {
            let text = try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
            for match in text.matches(of: /static (?:let|var) ((?:maximum|minimum|deepest|defaultMaximum)\w*)/) {
                names.insert(String(match.1))
            }
        }
        let listed = Set(Self.values.keys.compactMap { $0.split(separator: ".").last.map(String.init) })
        #expect(names.subtracting(listed).sorted() == [])
        #expect(names.count >= 18)
    }
}
