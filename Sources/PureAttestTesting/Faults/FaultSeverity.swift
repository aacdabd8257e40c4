/// The consequence for a verifier that accepts an object with a fault.
public enum FaultSeverity: String, CaseIterable, Hashable, Sendable {
    /// The verifier lacks a check, so it believes something false about the key, the app, the device or the request.
    case hole
    /// The verifier lacks a policy on launch information, on operating systems, on the ages of attestations and keys,
    /// or on the increase of counters. Only servers with such a policy reject the object.
    case policy
    /// The verifier believes nothing false. The object proves everything that a valid object proves, but no genuine
    /// object has this encoding. A parser that is strict in other respects may accept this object.
    case leniency
}

extension Fault {
    /// The consequence for a verifier that accepts an object with this fault.
    public var severity: FaultSeverity {
        switch self {
        case .attestation(let fault): fault.severity
        case .certificate(let fault): Self.lenientCertificateFaults.contains(fault) ? .leniency : .hole
        case .receipt(let fault): Self.lenientReceiptFaults.contains(fault) ? .leniency : .hole
        case .assertion(let fault): fault.severity
        }
    }

    private static let lenientCertificateFaults: Set<CertificateFault> = [
        // The numbers r and s are genuine, or congruent mod n to the genuine numbers.
        .leafSignatureNonMinimal, .leafSignatureTrailingByte, .leafSignatureOutOfRange, .signatureUnusedBits,
        .timeWithoutSeconds, .timeWithOffset, .timeImpossible,
        // A CA that issues such a certificate makes a mistake, but it did certify the key.
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
        // These faults replace the receipt, on which the attestation does not depend.
        case .objectDeepNesting, .objectItemFlood: .leniency
        // The certificate also contains the key, so the COSE key is redundant. Two values of x are a hole, because a
        // verifier that uses the COSE key may believe the second x.
        case .credentialKeyMissing, .credentialKeyNotMap, .credentialKeyType, .credentialKeyAlgorithm,
            .credentialKeyCurve, .credentialKeyCoordinateLength, .credentialKeyCompressed, .credentialKeyExtraEntry:
            .leniency
        // A verifier that accepts such an object believes only information that the system wrote.
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
        // The numbers r and s are genuine, or congruent mod n to the genuine numbers.
        case .signatureOutOfRangeS, .signatureNonMinimal, .signatureLongLength, .signatureIndefiniteLength,
            .signatureTrailingByte, .signatureThirdNumber:
            .leniency
        default: .hole
        }
    }
}
