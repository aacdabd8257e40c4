import Foundation
import PureBytes
import PureCBOR
import PureDER
import PureECDSA
import PureJSON
import PureJWS
import PureKeyAttestation
import PureRSA
@_spi(Bindings) import PureX509
import PureX509Paths
import Testing
import VectorSupport

@testable import PureAppStore
import PureAttest
import PureAttestPurchases
@testable import PureAttestServer
@testable import PureAttestServerCore
import PureAttestServerMessages
@testable import PureAttestTesting

/// Tests error descriptions. A test compares the lists here with the sources, so add each new error case or enum.
@Suite struct ErrorSentenceTests {
    private static let sources = VectorDirectory.committed.deletingLastPathComponent().appending(path: "Sources")

    private static let object = ASN1ObjectIdentifier.ecPublicKey
    private static let time = UnixTime(secondsSince1970: 1_789_473_600)
    private static let balance = BudgetBalance(remaining: BudgetAmount(requests: 1, units: 2), resetsAt: time)

    private static let der: [DERError] = [
        .unexpectedEnd, .trailingBytes, .unexpectedTag(expected: .sequence, found: .integer), .nonMinimalTag,
        .tagTooLarge, .reservedTag, .indefiniteLength, .nonMinimalLength, .lengthTooLarge, .tooDeep, .invalidBoolean,
        .emptyInteger, .nonMinimalInteger, .negativeInteger, .integerOutOfRange, .invalidNull, .emptyBitString,
        .invalidUnusedBitCount, .nonZeroUnusedBits, .emptyObjectIdentifier, .nonMinimalObjectIdentifier,
        .truncatedObjectIdentifier, .constructedString, .invalidTimeForm, .impossibleTime, .inputTooLarge,
        .invalidStringPart,
    ]

    private static let cbor: [CBORError] = [
        .unexpectedEnd, .trailingBytes, .reservedAdditionalInformation(28), .nonMinimalHead, .indefiniteLength,
        .unexpectedBreak, .invalidChunk, .invalidSimpleValue(31), .invalidUTF8, .duplicateMapKey, .depthLimitExceeded,
        .itemLimitExceeded, .sizeLimitExceeded,
    ]

    private static let pem: [PEMError] = [
        .noBlock, .severalBlocks, .unexpectedLabel, .invalidBoundary(line: 3), .labelMismatch(line: 3),
        .invalidLine(line: 3), .missingEnd(line: 3),
    ]

    private static let ecdsa: [ECDSAError] =
        [
            .invalidLength, .invalidPointFormat, .coordinateOutOfRange, .pointNotOnCurve, .scalarOutOfRange,
            .unsupportedKeyAlgorithm, .unsupportedCurve,
        ] + der.map { .malformedDER($0) } + pem.map { .malformedPEM($0) }

    private static let rsa: [RSAError] =
        [
            .invalidSignatureLength, .unsupportedModulusSize, .evenModulus, .unsupportedExponent,
            .unsupportedKeyAlgorithm, .parametersNotNull,
        ] + der.map { .malformedDER($0) } + pem.map { .malformedPEM($0) }

    private static let fields: [CertificateField] = [
        .certificate, .tbsCertificate, .signatureAlgorithm, .signatureValue, .version, .serialNumber, .issuer,
        .validity, .subject, .subjectPublicKeyInfo, .uniqueIdentifier, .extensions, .basicConstraints, .keyUsage,
        .extendedKeyUsage, .authorityKeyIdentifier, .subjectKeyIdentifier, .subjectAlternativeName,
        .authorityInformationAccess, .nameConstraints, .certificatePolicies, .policyMappings, .policyConstraints,
        .inhibitAnyPolicy, .cRLDistributionPoints, .revocationList, .ocspResponse, .signedData,
        .signerInfo,
    ]

    private static let ofCertificates: [X509Error] =
        [
            .certificateTooLarge, .tooManyExtensions, .unknownVersion, .serialNumberNotPositive, .serialNumberTooLong,
            .signatureAlgorithmMismatch, .unexpectedAlgorithmParameters, .curveNotNamed, .duplicateExtension(object),
            .noSubject,
        ] + der.map { .malformed(.subject, $0) } + ecdsa.map { .invalidPublicKey($0) } + pem.map { .malformedPEM($0) }
        + fields.flatMap { field -> [X509Error] in
            [
                .malformed(field, .trailingBytes), .fieldNotAllowedInVersion(field), .notWholeOctets(field),
                .emptyList(field), .encodedDefault(field), .unsortedSet(field), .duplicateAttributeType(field),
                .invalidCharacters(field), .invalidGeneralName(field), .invalidValue(field),
            ]
        }

    private static let inPaths: [X509Error] =
        [.unexpectedCertificationAuthority]
        + (0..<3).flatMap { index -> [X509Error] in
            [
                .digitalSignatureMissing(certificate: index),
                .notYetValid(certificate: index, notBefore: time, at: time),
                .expired(certificate: index, notAfter: time, at: time), .notVersion3(certificate: index),
                .unsupportedSignatureAlgorithm(certificate: index), .unsupportedPublicKey(certificate: index),
                .invalidSignature(certificate: index), .issuerNotFound(certificate: index),
                .notCertificationAuthority(certificate: index),
                .keyCertSignMissing(certificate: index), .pathLengthExceeded(certificate: index),
                .unhandledCriticalExtension(object, certificate: index), .wrongCriticality(object, certificate: index),
                .unsupportedConstraint(object, certificate: index), .extendedKeyUsageMissing(certificate: index),
            ]
        }

    private static let ofPaths: [PathError] =
        [
            .pathTooLong, .signatureCheckLimitReached, .stepLimitReached, .nameComparisonLimitReached,
            .policyGraphLimitReached, .serverIdentityMismatch, .revocationListTooLarge,
        ] + x509.map { .certificate($0) } + ocsp.map { .ocsp($0) }
        + (0..<3).flatMap { index -> [PathError] in
            [
                .repeatedCertificate(certificate: index), .nameNotPermitted(certificate: index),
                .nameExcluded(certificate: index), .nameNotComparable(certificate: index),
                .policyMissing(certificate: index), .keyUsageMissing(certificate: index),
                .revoked(certificate: index, .keyCompromise), .revocationStatusUnknown(certificate: index),
            ]
        }

    private static let ocsp: [OCSPError] =
        [
            .responseTooLarge, .tooManyStatuses, .tooManyCertificates, .unsupportedResponseType, .issuerMismatch,
            .unsupportedSignatureAlgorithm, .responderNotFound, .invalidSignature, .unhandledCriticalExtension(object),
            .statusMissing, .notYetValid(thisUpdate: time, at: time), .nextUpdateMissing,
            .expired(nextUpdate: time, at: time), .revoked(at: time, .keyCompromise), .unknownCertificate,
        ] + x509.map { .delegate($0) }
        + (0...6).compactMap { OCSPFailure(rawValue: $0) }.map { .unsuccessful($0) }

    private static let ofSignedData: [X509Error] = [
        .unsupportedContentType, .unsupportedSignedDataVersion, .contentMissing, .tooManyCertificates,
        .wrongSignerCount, .signedAttributesPresent, .digestAlgorithmMismatch, .signerCertificateMissing,
        .invalidContentSignature,
    ]

    private static let x509 = ofCertificates + inPaths + ofSignedData

    private static let ofAttest: [PureAttestError] =
        [
            .inputTooLarge, .emptyChallenge, .emptyClientDataHash, .keyOfOtherEnvironment(.production),
            .keyOfUnknownApp, .malformedKeyRecord, .unsupportedKeyRecord(version: 9), .unknownKeyRecordField(9),
            .timeMissing, .malformedAttestationObject, .unsupportedFormat, .malformedAssertionObject,
            .truncatedAuthenticatorData, .malformedCredentialKey, .malformedExtensions, .extensionSpelledTwice,
            .wrongCertificateCount(3), .nonceExtensionMissing, .nonceMismatch, .unsupportedLeafKey, .keyIDMismatch,
            .appIDMismatch, .platformNotAllowed(.device), .platformNotAllowed(.macOS), .malformedSystemInformation,
            .systemVersionNotAllowed(SystemVersion(27, 1)), .systemVersionNotAllowed(nil),
            .systemBuildNotAllowed(SystemBuild(ascii: "24A335".utf8)), .systemBuildNotAllowed(nil),
            .prereleaseNotAllowed, .attestationTooOld(made: time, at: time), .counterNotZero(1), .unknownEnvironment,
            .environmentMismatch(.development), .credentialIDMismatch, .credentialKeyMismatch,
            .accessControlListMissing, .accessControlListMismatch, .invalidSignature,
            .counterNotIncreased(previous: 4, received: 4), .counterReplayed(4),
            .counterStepTooLarge(previous: 4, received: 4_000), .keyTooOld(attestedAt: time, at: time),
            .keyTooOld(attestedAt: nil, at: time), .challengeMismatch, .challengeNotFound, .boundKeyMissing,
            .receiptSignerNotAllowed, .tooManyReceiptFields, .duplicateReceiptField(6), .receiptFieldMissing(6),
            .malformedReceiptField(6), .receiptOfOtherApp, .receiptOfOtherKey, .receiptOfOtherAttestation,
            .receiptOfOtherEnvironment(.production), .receiptTooOld(created: time, at: time),
            .receiptExpired(expirationTime: time, at: time),
            .malformedIdentifier, .malformedTokenSignature, .validationCategoryNotAllowed(.appStore),
            .validationCategoryNotAllowed(nil), .bundleVersionNotAllowed(BundleVersion(utf8: "1.0".utf8)),
            .bundleVersionNotAllowed(nil), .codeDirectoryHashNotAllowed(CodeDirectoryHash([UInt8](0..<32))),
            .codeDirectoryHashNotAllowed(nil),
        ] + cbor.map { .malformedCBOR($0) }
        + ecdsa.flatMap { [.invalidPublicKey($0), .malformedSignature($0)] }
        + der.flatMap { [.malformedNonceExtension($0), .malformedReceipt($0)] }
        + oneOfEachCase(x509).flatMap { [.certificate($0), .receiptSignature($0), .malformedReceiptCertificate($0)] }

    private static let ofKeyAttestation: [KeyAttestationError] =
        [
            .inputTooLarge, .emptyChallenge, .malformedRevocationList(offset: 3), .duplicateRevocationEntry(offset: 3),
            .malformedKeyRecord, .unsupportedKeyRecord(version: 9), .wrongCertificateCount(3), .untrustedRoot,
            .softwareRoot, .unknownProvisioning, .malformedProvisioningInformation, .descriptionMissing,
            .duplicateAuthorization(1), .tooManyAuthorizations, .challengeMismatch, .securityLevelMismatch,
            .keyMismatch, .unsupportedLeafKey, .securityLevelNotAllowed(.software), .rootOfTrustMissing,
            .deviceUnlocked, .bootStateNotAllowed(.unverified), .bootKeyNotAllowed, .originNotAllowed(.imported),
            .originNotAllowed(nil), .purposeNotAllowed, .keyForAllApplications, .applicationMissing,
            .packageNotAllowed, .signingDigestMismatch, .osVersionNotAllowed(150_000), .osVersionNotAllowed(nil),
            .patchLevelNotAllowed(202_601), .patchLevelNotAllowed(nil), .remoteProvisioningRequired,
            .tooManyCertificatesIssued(100), .tooManyCertificatesIssued(nil), .invalidKeySignature,
            .signedChallengeMismatch, .challengeNotFound, .keyOfUnknownApp,
        ]
        + (0..<5).flatMap { index -> [KeyAttestationError] in
            [
                .wrongOrder(certificate: index), .invalidSignature(certificate: index),
                .unsupportedSignatureAlgorithm(certificate: index), .unsupportedIssuerKey(certificate: index),
                .notVersion3(certificate: index), .notCertificationAuthority(certificate: index),
                .pathLengthExceeded(certificate: index), .unhandledCriticalExtension(certificate: index),
                .descriptionInIssuer(certificate: index), .notYetValid(certificate: index, notBefore: time, at: time),
                .expired(certificate: index, notAfter: time, at: time), .revoked(certificate: index),
                .suspended(certificate: index),
            ]
        } + der.flatMap { [.malformedKeyDescription($0), .malformedAuthorization(704, $0)] }
        + oneOfEachCase(x509).map { .malformedCertificate($0, certificate: 1) }
        + oneOfEachCase(rsa).map { .malformedRSAKey($0, certificate: 1) }

    private static let json: [JSONError] = [
        .malformed(offset: 7), .invalidUTF8, .unpairedSurrogate(offset: 7), .duplicateName(offset: 7),
        .depthLimitExceeded, .valueLimitExceeded, .sizeLimitExceeded,
    ]

    private static let jws: [JWSError] = plainJWS + nestedJWS

    private static let plainJWS: [JWSError] = [
        .tooLarge, .notCompactSerialization, .headerNotObject, .algorithmMismatch(expected: .es256),
        .invalidSignature, .certificatesMissing, .certificateCount(4), .untrustedRoot,
        .keyOfOtherAlgorithm(expected: .es384), .malformedKey, .unsupportedKey, .privateKey,
        .keyNotForVerification, .malformedKeySet, .keyNotFound,
    ]

    private static let nestedJWS: [JWSError] = {
        var errors: [JWSError] = []
        let fields: [JWSField] = [.header, .payload, .signature, .certificate(1), .coordinate]
        errors += fields.map { .malformedBase64($0, .invalidLength) }
        errors += json.flatMap { [.malformedHeader($0), .malformedKeyJSON($0)] }
        errors += JWSParameter.allCases.flatMap { [.invalidParameter($0), .unsupportedParameter($0)] }
        errors += ecdsa.flatMap { [.malformedSignature($0), .invalidPublicKey($0)] }
        errors += oneOfEachCase(x509).flatMap { [.malformedCertificate(1, $0), .certificateChain($0)] }
        return errors
    }()

    private static let ofAppStore: [AppStoreError] = {
        var errors: [AppStoreError] = [
            .appAppleIDMissing, .localEnvironment(.xcode), .appleEnvironment(.sandbox), .rootMissing, .contentNotObject,
            .leafOfOtherService, .intermediateOfOtherService, .certificateStatusMissing(certificate: 1),
            .otherEnvironment(.sandbox), .unknownEnvironment, .otherAppAppleID(7), .otherAppAppleID(nil),
            .signedInFuture(signed: time, at: time), .signedTooLongAgo(signed: time, at: time), .notificationVersion1,
            .unsupportedNotificationVersion, .invalidNotificationContent, .transaction(.rootMissing),
            .renewalInfo(.rootMissing), .appTransaction(.rootMissing),
        ]
        errors += json.map { .malformedContent($0) }
        errors += oneOfEachCase(jws).map { .signature($0) }
        errors += oneOfEachCase(ofPaths).map { .certificateStatus(certificate: 0, $0) }
        return errors + namedMembers
    }()

    /// Errors that contain text from the verified data, so that only a verification can create them.
    private static let namedMembers: [AppStoreError] = [
        #"{"bundleId":"com.other","transactionId":"1","originalTransactionId":"1","productId":"p","purchaseDate":1,"#
            + #""signedDate":1,"environment":"Sandbox"}"#, "{}", #"{"transactionId":1}"#,
    ].flatMap { content in
        let header = Base64.encode(Array(#"{"alg":"ES256"}"#.utf8), as: .urlSafeUnpadded)
        let text = header + [0x2E] + Base64.encode(Array(content.utf8), as: .urlSafeUnpadded) + Array(".AA".utf8)
        let verifier = try? SignedDataVerifier(bundleID: "com.example", appAppleID: 1, environment: .sandbox)
        return (verifier?.explain(.transaction, text, at: time).steps ?? []).compactMap {
            if case .failed(let error) = $0.outcome { error } else { nil }
        }
    }

    private static func oneOfEachCase<Failure>(_ errors: [Failure]) -> [Failure] {
        var found: Set<String> = []
        return errors.filter { found.insert(caseName(of: $0) ?? "").inserted }
    }

    private static let refusals: [Refusal] =
        [
            .malformedRequest, .rateLimited(retryAfter: .max), .enrolmentDeferred(retryAfter: 7),
            .enrolmentDeferred(retryAfter: nil), .budgetSpent(balance, retryAfter: 7), .challengeNotIssued,
            .challengeConsumed, .challengeExpired, .challengeOfOtherPurpose, .challengeOfOtherKey,
            .challengeOfOtherAccount, .unknownKey, .revokedKey, .keyOfOtherAccount, .keyOfOtherEnvironment(.production),
            .contended, .invalidToken, .expiredToken, .tokenOfOtherEnvironment(.development), .tokenOfOtherAudience,
            .deniedToken, .tokenConsumed, .androidNotAccepted, .revocationListMissing,
        ] + oneOfEachCase(ofAttest).map { .verification($0) }
        + oneOfEachCase(ofKeyAttestation).map { .keyAttestation($0) }

    private static let ofPurchases: [PurchaseRefusal] =
        [
            .malformedIdentifier, .otherKind, .otherProduct, .revoked, .expired, .tooManyKeys(maximum: .max),
            .contended,
            .unreadableRecord,
        ] + oneOfEachCase(ofAppStore).map { .signedData($0) }

    private static let enums: [(name: String, file: String, errors: [any Error])] = [
        ("ByteReaderError", "PureBytes/ByteReader.swift", [ByteReaderError.unexpectedEnd]),
        ("HexError", "PureBytes/Hex.swift", [HexError.oddLength, HexError.invalidCharacter(offset: 3)]),
        (
            "Base64Error", "PureBytes/Base64.swift",
            [Base64Error.invalidLength, Base64Error.invalidCharacter(offset: 3), Base64Error.nonZeroPaddingBits]
        ),
        ("PEMError", "PureBytes/PEM.swift", pem),
        ("DERError", "PureDER/DERError.swift", der),
        ("CBORError", "PureCBOR/CBORError.swift", cbor),
        ("JSONError", "PureJSON/JSONError.swift", json),
        ("JWSError", "PureJWS/JWSError.swift", jws),
        ("AppStoreError", "PureAppStore/AppStoreError.swift", ofAppStore),
        ("ECDSAError", "PureECDSA/ECDSAError.swift", ecdsa),
        ("RSAError", "PureRSA/RSAError.swift", rsa),
        ("X509Error", "PureX509/X509Error.swift", x509),
        ("PathError", "PureX509Paths/PathError.swift", ofPaths),
        ("OCSPError", "PureX509Paths/Revocation/OCSP/OCSPError.swift", ocsp),
        ("PureAttestError", "PureAttest/PureAttestError.swift", ofAttest),
        ("KeyAttestationError", "PureKeyAttestation/KeyAttestationError.swift", ofKeyAttestation),
        ("Refusal", "PureAttestServerCore/Refusals/Refusal.swift", refusals),
        (
            "AttestServerError", "PureAttestServer/AttestServerError.swift",
            refusals.map { AttestServerError<ByteReaderError>.refused($0) }
                + [AttestServerError<ByteReaderError>.store(.unexpectedEnd)]
        ),
        ("PurchaseRefusal", "PureAttestPurchasesCore/PurchaseRefusal.swift", ofPurchases),
        (
            "PurchasesError", "PureAttestPurchases/PurchasesError.swift",
            ofPurchases.map { PurchasesError<ByteReaderError>.refused($0) }
                + [PurchasesError<ByteReaderError>.store(.unexpectedEnd)]
        ),
        (
            "RegisteredKeyError", "PureAttestServerCore/Keys/RegisteredKey.swift",
            oneOfEachCase(ofAttest).map { RegisteredKeyError.appAttest($0) }
                + oneOfEachCase(ofKeyAttestation).map { RegisteredKeyError.android($0) }
        ),
        ("MessageError", "PureAttestServerMessages/Messages.swift", [MessageError.malformed]),
        (
            "AttestTestingError", "PureAttestTesting/AttestTestingError.swift",
            [
                AttestTestingError.invalidKey, AttestTestingError.invalidInput, AttestTestingError.faultDoesNotApply,
            ]
        ),
    ]

    private static func text(_ file: String) throws -> String {
        try String(contentsOf: sources.appending(path: file), encoding: .utf8)
    }

    private static func cases(of name: String, in file: String) throws -> Set<String> {
        let text = try text(file)
        let start = try #require(text.firstRange(of: try Regex("enum \(name)\\b")))
        let end = try #require(text[start.upperBound...].firstRange(of: "\n}"))
        return Set(text[start.upperBound..<end.lowerBound].matches(of: /(?m)^    case (\w+)/).map { String($0.1) })
    }

    private static func modules() throws -> [String] {
        // Does not read the other folders, which may contain large build folders.
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: sources.path).filter { $0.hasPrefix("Pure") }.flatMap { module in
            try files.subpathsOfDirectory(atPath: sources.appending(path: module).path)
                .filter { $0.hasSuffix(".swift") }.map { "\(module)/\($0)" }
        }
    }

    @Test func noEnumIsLeftOut() throws {
        let declared = try Self.modules().flatMap { file in
            try Self.text(file).matches(of: /enum (\w+)(?:<[^>]*>)?: [^{\n]*\bError\b/).map { String($0.1) }
        }
        #expect(Set(declared) == Set(Self.enums.map(\.name)))
    }

    @Test(arguments: enums.indices) func everyCaseHasASentenceOfItsOwn(index: Int) throws {
        let (name, file, errors) = Self.enums[index]
        #expect(Set(errors.compactMap { caseName(of: $0) }) == (try Self.cases(of: name, in: file)), "\(name)")
        var sentences: [String: String] = [:]
        for error in errors {
            let found = try #require(caseName(of: error))
            #expect(error as Any is any CustomStringConvertible, "\(name).\(found)")
            let sentence = "\(error)"
            #expect(Self.faults(of: sentence) == [], "\(name).\(found): \(sentence)")
            #expect(sentence != found)
            #expect((sentences.updateValue(found, forKey: sentence) ?? found) == found, "\(sentence)")
        }
    }

    @Test func everyReasonIsItsCase() throws {
        for error in Self.x509 {
            let name = try #require(caseName(of: error))
            #expect(caseName(of: X509Error.Reason(error)) == name)
        }
    }

    @Test func aFullStore() { #expect(Self.faults(of: "\(InMemoryStoreFull())") == []) }

    /// Tests the names of fields in error descriptions, and the terms for checks and values in reports.
    @Test func everyFieldAndWordOfAReport() throws {
        #expect(
            Set(Self.fields.compactMap { caseName(of: $0) })
                == (try Self.cases(of: "CertificateField", in: "PureX509/X509Error.swift")))
        for sentences in [
            VerificationReport.Check.allCases.map(\.title), VerificationReport.CauseCode.allCases.map(\.text),
        ] {
            #expect(Set(sentences).count == sentences.count)
            for sentence in sentences { #expect(Self.faults(of: sentence) == [], "\(sentence)") }
        }
        let values = VerificationReport.ValueCode.allCases.map(\.text)
        #expect(Set(values).count == values.count && !values.contains(""))
    }

    /// Returns the faults of a sentence, which must be one line without a full stop. It must begin in lower case,
    /// except for terms such as DER or INTEGER, and must not contain Swift type names.
    private static func faults(of sentence: String) -> [String] {
        var faults: [String] = []
        if !sentence.contains(" ") || sentence.contains(/\R/) || sentence.utf8.count >= 300 { faults.append("length") }
        let goesOn = sentence.last.map { $0.isLetter || $0.isNumber || "\")]%?".contains($0) } ?? false
        if !goesOn { faults.append("its end") }
        if sentence.contains(/^(?!Apple's)[A-Z][a-z]/) { faults.append("its beginning") }
        if sentence.contains(/\b(?:Optional|nil|Pure[A-Z]\w+|\w+Error)\b/) { faults.append("a name of Swift's") }
        faults += Set(sentence.matches(of: /\w+/).map { String($0.0) }).intersection(types).sorted()
        return faults
    }

    /// The type names of several words, from the sources. Names of one word, such as Base64, may occur in sentences. So
    /// may SubjectPublicKeyInfo, which is a term of RFC 5280.
    private static let types: Set<String> = {
        let texts = (try? modules().map { try text($0) }) ?? []
        let pattern = /\b(?:struct|enum|class|protocol|actor|typealias) ([A-Z]\w*[a-z]+[A-Z]\w*)/
        return Set(texts.flatMap { $0.matches(of: pattern).map { String($0.1) } }).subtracting(["SubjectPublicKeyInfo"])
    }()

    @Test func theTypesAreRead() { #expect(Self.types.count > 100 && Self.types.contains("CertificateField")) }
}
