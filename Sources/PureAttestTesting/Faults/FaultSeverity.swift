/// What a verifier gets wrong that accepts an object with a fault.
public enum FaultSeverity: String, CaseIterable, Hashable, Sendable {
    /// It believes something false of the key, the app, the device or the request: a check is missing.
    case hole
    /// It accepts what only a server with that policy refuses: the launch policy, the system's, ages.
    case policy
    /// Nothing false: the proof is whole, and written in another way than any genuine object has it. Another strict parser may accept it.
    case leniency
}

extension Fault {
    /// What a verifier gets wrong that accepts the object. A fault is a hole unless it is known for less.
    public var severity: FaultSeverity {
        switch self {
        case .attestation(let fault): fault.severity
        case .certificate(let fault): Self.lenientCertificateFaults.contains(fault) ? .leniency : .hole
        case .receipt(let fault): Self.lenientReceiptFaults.contains(fault) ? .leniency : .hole
        case .assertion(let fault): fault.severity
        }
    }

    private static let lenientCertificateFaults: Set<CertificateFault> = [
        // The same signature, or one that is congruent to it.
        .leafSignatureNonMinimal, .leafSignatureTrailingByte, .leafSignatureOutOfRange, .signatureUnusedBits,
        .timeWithoutSeconds, .timeWithOffset, .timeImpossible,
        // A CA that issues such certificates errs; whoever holds one still has its signature.
        .leafIsAuthority, .leafMaySignCertificates, .intermediateBasicConstraintsNotCritical,
        .intermediateWithoutKeyUsage, .intermediateNameConstraints, .authorityKeyIdentifierCritical, .extensionTwice,
        .extensionsTooMany, .criticalFalse, .criticalOne, .keyUsagePadded, .keyUsageEmpty, .pathLengthNegative,
        .basicConstraintsTrailingByte, .versionUnknown, .versionDefault, .versionWithoutExtensions, .serialNumberZero,
        .serialNumberNegative, .serialNumberTooLong, .algorithmMismatch, .algorithmParameters, .subjectEmpty,
        .subjectInvalidUTF8, .subjectUnsorted,
        .leafTrailingByte, .leafIndefiniteLength, .leafNonMinimalLength,
    ]

    private static let lenientReceiptFaults: Set<ReceiptFault> = [
        .objectTrailingByte, .objectDeepNesting, .signerVersion, .digestMismatch, .signedAttributes, .signerTwice,
        .payloadNotSet, .fieldTwice, .riskMetricMalformed,
    ]
}

extension AttestationFault {
    fileprivate var severity: FaultSeverity {
        switch self {
        case .systemTooOld, .systemBeta, .attestationTooOld, .validationCategoryNotAllowed, .validationCategoryMissing,
            .bundleVersionNotAllowed, .bundleVersionMissing, .buildNotAllowed, .buildOtherType, .buildMissing:
            .policy
        case .objectTrailingByte, .objectTooLarge, .objectNonMinimalHead, .objectIndefiniteLength, .objectDuplicateKey,
            .objectInvalidUTF8, .objectNotMap, .objectExtraMember, .formatMissing, .formatOther, .statementExtraMember,
            .receiptMissing, .receiptNotBytes:
            .leniency
        // In place of the receipt, which an attestation is verified without.
        case .objectDeepNesting, .objectItemFlood: .leniency
        // The certificate has the key too; only who takes it from here believes the second x.
        case .credentialKeyMissing, .credentialKeyNotMap, .credentialKeyType, .credentialKeyAlgorithm,
            .credentialKeyCurve, .credentialKeyCoordinateLength, .credentialKeyCompressed, .credentialKeyExtraEntry:
            .leniency
        // Nothing is believed that the system has not written.
        case .extensionsNotMap, .extensionsTrailingByte, .extensionsTruncated, .extensionsDuplicateKey,
            .extensionsMissing, .validationCategorySpelledTwice, .bundleVersionSpelledTwice, .validationCategoryLength,
            .validationCategoryNotNumber, .bundleVersionNotText, .buildHashLength, .buildHashTwice, .buildTypeMissing,
            .unsignedBuildLength:
            .leniency
        case .rootIncluded, .certificatesReversed, .nonceExtensionBare, .nonceExtensionTag, .nonceExtensionSecondString,
            .nonceExtensionTrailingByte, .nonceExtensionTwice:
            .leniency
        default: .hole
        }
    }
}

extension AssertionFault {
    fileprivate var severity: FaultSeverity {
        switch self {
        case .validationCategoryNotAllowed, .validationCategoryMissing, .bundleVersionNotAllowed, .bundleVersionMissing,
            .buildNotAllowed, .buildMissing, .counterJump, .keyTooOld:
            .policy
        case .objectTrailingByte, .objectTooLarge, .objectNonMinimalHead, .objectIndefiniteLength, .objectDuplicateKey,
            .objectNotMap, .objectExtraMember:
            .leniency
        case .credentialDataPresent, .authenticatorDataTrailingByte, .extensionsNotMap, .extensionsDuplicateKey,
            .extensionsMissing, .validationCategorySpelledTwice, .bundleVersionNotText, .buildHashLength,
            .buildHashTwice, .unsignedBuildLength:
            .leniency
        // The same numbers, or congruent ones.
        case .signatureOutOfRangeS, .signatureNonMinimal, .signatureLongLength, .signatureIndefiniteLength,
            .signatureTrailingByte, .signatureThirdNumber:
            .leniency
        default: .hole
        }
    }
}
