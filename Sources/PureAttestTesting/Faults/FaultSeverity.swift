/// The consequence for a verifier that accepts an object with a fault.
public enum FaultSeverity: String, CaseIterable, Hashable, Sendable {
    /// A check is missing: the verifier believes something false about key, app, device or request.
    case hole
    /// A policy is missing: launch information, system or age. Only servers with the policy reject the object.
    case policy
    /// The verifier believes nothing false. The proof is complete, but no genuine object has this encoding. A strict
    /// parser with different rules may accept it.
    case leniency
}

extension Fault {
    /// The consequence for a verifier that accepts the object. The lists below define severities below a hole.
    public var severity: FaultSeverity {
        switch self {
        case .attestation(let fault): fault.severity
        case .certificate(let fault): Self.lenientCertificateFaults.contains(fault) ? .leniency : .hole
        case .receipt(let fault): Self.lenientReceiptFaults.contains(fault) ? .leniency : .hole
        case .assertion(let fault): fault.severity
        }
    }

    private static let lenientCertificateFaults: Set<CertificateFault> = [
        // The signature's numbers are genuine, or congruent to genuine numbers mod n.
        .leafSignatureNonMinimal, .leafSignatureTrailingByte, .leafSignatureOutOfRange, .signatureUnusedBits,
        .timeWithoutSeconds, .timeWithOffset, .timeImpossible,
        // A CA that issues one of these certificates errs, but it did sign the certificate for the holder.
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
        // These items replace the receipt, and the attestation does not depend on the receipt.
        case .objectDeepNesting, .objectItemFlood: .leniency
        // The certificate also contains the key. Only a verifier that uses the COSE key believes the second x.
        case .credentialKeyMissing, .credentialKeyNotMap, .credentialKeyType, .credentialKeyAlgorithm,
            .credentialKeyCurve, .credentialKeyCoordinateLength, .credentialKeyCompressed, .credentialKeyExtraEntry:
            .leniency
        // A verifier that accepts one of these believes only what the system wrote.
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
        // The signature's numbers are genuine, or congruent to genuine numbers mod n.
        case .signatureOutOfRangeS, .signatureNonMinimal, .signatureLongLength, .signatureIndefiniteLength,
            .signatureTrailingByte, .signatureThirdNumber:
            .leniency
        default: .hole
        }
    }
}
