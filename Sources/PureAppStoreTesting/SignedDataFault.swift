public import PureAppStore
public import PureAttestTesting

/// One broken rule in data that a ``TestAppStore`` signs. Everything else is valid.
public enum SignedDataFault: String, Hashable, Sendable, CaseIterable {
    // Header
    case algorithmNone, algorithmMissing, algorithmHS256, algorithmES384, algorithmLowercase
    case criticalExtension, unencodedPayload, keySetURL, embeddedKey, certificateURL, headerDuplicateMember
    case headerTrailingComma
    // Form
    case twoParts, fourParts, payloadPadded, signatureSpareBits, signatureWhiteSpace
    // Certificates
    case certificatesMissing, leafOnly, rootOmitted, fourthCertificate, certificatesReversed, intermediatesSwapped
    case certificateBase64URL, otherRoot, rootOfOtherKey, leafTrailingByte
    case leafOfOtherKey, intermediateOfOtherKey, leafExpired, leafNotYetValid, intermediateExpired, leafIsAuthority
    case leafWithoutMark, intermediateWithoutMark, leafOfAppAttest, leafOfApplePay, leafOnP384, leafMayNotSign
    case intermediateMayNotIssue, intermediateNotAuthority, issuerNameDiffers
    // Signature
    case signatureOfOtherKey, signatureDER, signatureSwapped, signatureZero, signatureTruncated, signatureLong
    case signatureOfOtherPayload, signatureEmpty
    // Content
    case contentNotJSON, contentNull, contentDuplicateMember, contentTrailingBytes

    /// The consequence for a verifier that accepts the data.
    public var severity: FaultSeverity {
        switch self {
        case .headerDuplicateMember, .headerTrailingComma, .payloadPadded, .signatureSpareBits, .signatureWhiteSpace,
            .rootOmitted, .fourthCertificate, .certificateBase64URL, .otherRoot, .rootOfOtherKey,
            .leafIsAuthority, .leafMayNotSign, .leafTrailingByte, .signatureDER, .contentDuplicateMember,
            .contentTrailingBytes, .contentNotJSON, .contentNull, .algorithmMissing, .algorithmLowercase,
            .fourParts, .unencodedPayload, .certificateURL, .keySetURL, .embeddedKey:
            .leniency
        default: .hole
        }
    }

    /// The broken rule: a section of a standard, or a rule of Apple.
    public var rule: String { definition.rule }

    /// The error that a correct verifier reports.
    public var error: AppStoreError { definition.error }

    func apply(to draft: inout SignedDataDraft) { definition.apply(&draft) }
}
