extension VerificationReport {
    /// The subject of a report.
    public enum Subject: UInt8, Hashable, Sendable, CaseIterable {
        /// An attestation.
        case attestation = 1
        /// An assertion.
        case assertion
        /// A receipt.
        case receipt
    }

    /// The authority whose roots the verifier trusts. The names and numbers of the cases do not change.
    public enum Authority: UInt8, Hashable, Sendable, CaseIterable {
        /// Apple.
        case apple = 1
        /// A test authority, **not** Apple. The object does not come from a device.
        case test
    }

    /// A check that a step performs. The cases' names and numbers do not change. ``Step/title`` is the text of a check.
    public enum Check: UInt8, Hashable, Sendable, CaseIterable {
        case attestationObject = 1
        case authenticatorData
        case certificateChain
        case clientDataHash
        case nonce
        case certifiedNonce
        case keyID
        case systemInformation
        case acceptedApp
        case counterIsZero
        case environment
        case credential
        case systemPolicy
        case attestationAge
        case accessControlList
        case validationCategory
        case bundleVersion
        case build
        case storedKey
        case assertionObject
        case hashedClientData
        case assertionSignature
        case appOfKey
        case keyAge
        case counter
        case challenge
        case receiptSignature
        case receiptFields
        case receiptApp
        case receiptKey
        case receiptAttestation
        case receiptEnvironment
        case receiptAge
        case receiptExpiration
    }

    /// A usual cause of a failed step. The cases' names and numbers do not change. ``Step/likelyCauses`` has the texts.
    public enum CauseCode: UInt8, Hashable, Sendable, CaseIterable {
        // Causes in any object.
        case noBytes = 1
        case objectIsBase64
        case objectIsAssertion
        case objectIsAttestation
        // Certificates.
        case leafExpired
        case leafNotYetValid
        case signedByOthers
        case otherRoot
        case mixedChains
        // Hashed data.
        case usedRaw
        case hashedTwice
        case hashAsHex
        case hashAsBase64
        case hashedAsBase64
        case hashedAsBase64URL
        case hashedAsHex
        case decodedFromBase64
        case decodedFromHex
        case hashedWithinJSON
        case hashedAsJSONString
        case hashedValueInJSON
        case hashIsChallenge
        case givenHashAsHex
        case givenHashAsBase64
        case otherChallengeAttested
        // Key identifiers.
        case leafKeyNotP256
        case keyIDAsBase64
        case keyIDAsHex
        case keyIDOfPublicKeyInfo
        case keyIDWithoutFormat
        case otherKeyNamed
        // Apps and environments.
        case otherAppID
        case otherPrefix
        case noPrefix
        case appExtension
        case otherAppOfTeam
        case otherTeam
        case storedKeyOfUnknownApp
        case keyOfMac
        case keyOfDevice
        case developmentBuild
        case distributionBuild
        case reducedSecurity
        case notMacApp
        // Policies.
        case attestationReplayed
        case keyTooOld
        case systemNotStated
        case systemNotUpdated
        case noLaunchInformation
        case launchInformationForged
        case launchInformationUnsigned
        case categoryDevelopment
        case categoryTestFlight
        case otherBuildVersion
        case otherVersionNumber
        case noBuildEntitlement
        case buildUnsigned
        case buildTruncated
        case otherBuild
        case changedApp
        // Assertions.
        case signatureWithoutDER
        case signatureOfSingleHash
        case multiplesDamaged
        case clientDataDiffer
        case otherKeySigned
        case assertionsLost
        case assertionRepeated
        case counterOfAttestation
        case requestsOvertook
        case replay
        case challengeEmpty
        case clientDataUnreadable
        case otherChallengeAnswered
        case clientDataAreBase64
        case clientDataAreHex
        case clientDataAreJSON
        case clientDataHoldMore
        // Receipts.
        case storedReceipt
        case receiptDamaged
        case receiptIsAnswer
        case receiptOfOtherAttestation
        case receiptStored
    }

    /// The kind of a value that was expected or received.
    public enum ValueCode: UInt8, Hashable, Sendable, CaseIterable {
        /// The parameter itself.
        case plain = 1
        case size
        case noNonce
        case noApp
        case none
        case unknownEnvironment
        case hashedAppID
        case keyOfDevice
        case keyOfMac
        case moreThan
        case validAt
        case leafValidity
        case issuedBy
        case attestedAt
        case madeAt
        case orLater
        case unsignedBuild
        case ageAt
        case laterThan
    }
}
