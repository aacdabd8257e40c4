#if !hasFeature(Embedded)
    // The text of each code. A parameter replaces each %. In titles, the authority's name replaces each %.
    // generate-bindings writes the texts for JavaScript (report-texts.mjs).

    extension VerificationReport.Authority {
        package var name: String {
            switch self {
            case .apple: "Apple"
            case .test: "the test authority"
            }
        }
    }

    extension VerificationReport.Check {
        package var title: String {
            switch self {
            case .attestationObject: "the attestation object is well-formed CBOR"
            case .authenticatorData: "the authenticator data are well-formed"
            case .certificateChain: "the certificates chain to %'s App Attest root and are valid at the time"
            case .clientDataHash: "there is a client data hash"
            case .nonce: "the nonce is computed"
            case .certifiedNonce: "the leaf certifies the nonce"
            case .keyID: "the key identifier is the SHA-256 of the leaf's key"
            case .systemInformation: "the leaf's system information is readable"
            case .acceptedApp: "the RP ID hash matches an accepted App ID and its platform"
            case .counterIsZero: "the counter is 0"
            case .environment: "the AAGUID matches the verifier's environment"
            case .credential: "the credential is the certified key"
            case .systemPolicy: "the system policy accepts the system"
            case .attestationAge: "the attestation is recent enough"
            case .accessControlList: "the access control list matches Full Security with SIP on"
            case .validationCategory: "the launch policy accepts the validation category"
            case .bundleVersion: "the launch policy accepts the bundle version"
            case .build: "the launch policy accepts the build"
            case .storedKey: "the stored key belongs to the verifier's environment"
            case .assertionObject: "the assertion is well-formed CBOR"
            case .hashedClientData: "the client data are hashed"
            case .assertionSignature: "the signature is the key's signature of the nonce"
            case .appOfKey: "the RP ID hash matches the key's app"
            case .keyAge: "the key's attestation is recent enough"
            case .counter: "the counter has not been used"
            case .challenge: "the signed client data contain the challenge"
            case .receiptSignature: "%'s receipt signer signed the receipt, and its chain ends at %'s receipt root"
            case .receiptFields: "the receipt's fields are well-formed"
            case .receiptApp: "the receipt is for this app"
            case .receiptKey: "the receipt is for this key"
            case .receiptAttestation: "the receipt was made with this attestation"
            case .receiptEnvironment: "the receipt belongs to the key's environment"
            case .receiptAge: "the receipt is recent enough"
            case .receiptExpiration: "the receipt has not expired"
            }
        }
    }

    extension VerificationReport.CauseCode {
        package var text: String {
            switch self {
            case .noBytes: "the input is empty"
            case .objectIsBase64: "the object is base64 text: decode it first"
            case .objectIsAssertion: "the object is an assertion"
            case .objectIsAttestation: "the object is an attestation"
            case .leafExpired:
                "the leaf expired % before the given time: verify a stored attestation at the time of its "
                    + "registration"
            case .leafNotYetValid:
                "the leaf becomes valid % after the given time: the server's clock is wrong, or the time is not in "
                    + "seconds"
            case .signedByOthers:
                "the certificates carry Apple's names, but other keys signed them: a forgery, or damage on the "
                    + "way"
            case .otherRoot: "the certificates chain to an untrusted root: a test device, or a forgery"
            case .mixedChains: "the second certificate did not issue the first: two chains were mixed"
            case .usedRaw: "the % was used raw: the client passed it as the client data hash without hashing it"
            case .hashedTwice: "the % was hashed twice"
            case .hashAsHex: "the client passed the hash of the % as hexadecimal text"
            case .hashAsBase64: "the client passed the hash of the % as base64 text"
            case .hashedAsBase64: "the client hashed the % as base64 text"
            case .hashedAsBase64URL: "the client hashed the % as base64url text"
            case .hashedAsHex: "the client hashed the % as hexadecimal text"
            case .decodedFromBase64: "the client decoded the % from base64 before hashing it"
            case .decodedFromHex: "the client decoded the % from hexadecimal before hashing it"
            case .hashedWithinJSON:
                #"the client hashed JSON with the % in it, {"challenge":"…"}: pass those bytes, or let it hash "#
                    + "only the %"
            case .hashedAsJSONString: "the client hashed the % as a JSON string, with its quotation marks"
            case .hashedValueInJSON: "the given % is JSON, but the client hashed only a value in it"
            case .hashIsChallenge: "the given client data hash is a challenge: the client hashed it, so pass it as such"
            case .givenHashAsHex: "the client passed the hash as hexadecimal text"
            case .givenHashAsBase64: "the client passed the hash as base64 text"
            case .otherChallengeAttested:
                "the attestation answers another challenge, or its authenticator data were changed"
            case .leafKeyNotP256: "the leaf's key is not a P-256 key"
            case .keyIDAsBase64: "the key identifier was passed as base64 text: decode it first"
            case .keyIDAsHex: "the key identifier was passed as hexadecimal text: decode it first"
            case .keyIDOfPublicKeyInfo:
                "the key identifier is the hash of the SubjectPublicKeyInfo, not of the 65-byte point"
            case .keyIDWithoutFormat: "the key identifier is the hash of x and y without the leading byte 04"
            case .otherKeyNamed: "the client named a different key from the one it attested"
            case .otherAppID: "the object was made for another App ID"
            case .otherPrefix: "the App ID prefix differs from the one given: it is not always the team ID"
            case .noPrefix: "the App ID has no prefix"
            case .appExtension: "the object was made by an extension of the app, which has its own bundle ID"
            case .otherAppOfTeam: "the object was made by another app of the same team"
            case .otherTeam: "the object was made by an app of another team"
            case .storedKeyOfUnknownApp: "the stored key belongs to an app that this verifier does not have"
            case .keyOfMac: "the key is from a Mac, but the app is declared only for devices: declare it for macOS too"
            case .keyOfDevice:
                "the key is from a device, but the app is declared only for macOS: declare it for devices too"
            case .developmentBuild: "a development build: signed with a development profile and run from Xcode"
            case .distributionBuild: "a distribution build, or a build that requests the production environment"
            case .reducedSecurity: "the Mac runs with reduced security or without System Integrity Protection"
            case .notMacApp: "the app runs on another platform: declare it by its bundle ID"
            case .attestationReplayed: "the attestation is replayed or late"
            case .keyTooOld: "the key is too old: the device must attest a new one"
            case .systemNotStated:
                "the certificate or the key record has no system information: an old system, or an old record"
            case .systemNotUpdated: "the device was not updated when the key was attested"
            case .noLaunchInformation:
                "the device sends no launch information: it runs a system before 27, or the app was built with an "
                    + "older SDK"
            case .launchInformationForged:
                "the app forges launch information: its system, %, sends none (27 and later do)"
            case .launchInformationUnsigned:
                "nothing shows that the system wrote the launch information (the ED flag is clear): a beta of 27, or "
                    + "an app that forges it"
            case .categoryDevelopment: "the app is a development build"
            case .categoryTestFlight: "the app comes from TestFlight"
            case .otherBuildVersion:
                "the policy does not accept this bundle version: list it in the policy, or let the user install the update"
            case .otherVersionNumber: "the policy lists a different version number: devices send CFBundleVersion"
            case .noBuildEntitlement: "the app has no entitlement app-attest-opt-in = [CDhash]"
            case .buildUnsigned: "the build in the object is unsigned: the app may have written it"
            case .buildTruncated:
                "the device sent a hash of 20 bytes: the policy must explicitly accept truncated hashes"
            case .otherBuild:
                "the policy does not list this build: an update, another architecture, or a build that Apple signed again "
                    + "(TestFlight, App Store)"
            case .changedApp: "a modified app"
            case .signatureWithoutDER: "the signature is raw r and s (64 bytes): encode it as DER"
            case .signatureOfSingleHash:
                "the signature covers the nonce without the second hash: a client bug, no device signs like this"
            case .multiplesDamaged:
                "the precomputed multiples in the stored record do not match its public key: the record is damaged"
            case .clientDataDiffer:
                "the client data differ from the bytes that the client hashed: encoded again, or another request"
            case .otherKeySigned: "the assertion was made with a different key from the stored one"
            case .assertionsLost: "the device made many assertions that never arrived, or the key signs elsewhere too"
            case .assertionRepeated: "the same assertion came before: a replay, or a client that repeats a request"
            case .counterOfAttestation: "counter 0 belongs to an attestation, not to an assertion"
            case .requestsOvertook:
                "requests were sent in parallel and overtook each other: a sliding window accepts them"
            case .replay: "a replay"
            case .challengeEmpty: "the server passed an empty challenge: has it expired?"
            case .clientDataUnreadable: "the server's closure cannot parse the client data"
            case .otherChallengeAnswered: "the request answers another challenge: an old one, or another session's"
            case .clientDataAreBase64: "the client data are the challenge as base64 text"
            case .clientDataAreHex: "the client data are the challenge as hexadecimal text"
            case .clientDataAreJSON:
                "the client data are JSON with the challenge in it: use .clientData(_:challengeBy:)"
            case .clientDataHoldMore: "the client data contain more than the challenge: use .clientData(_:challengeBy:)"
            case .storedReceipt: "verify a stored receipt at the time it was received"
            case .receiptDamaged: "the receipt was changed or cut short on the way"
            case .receiptIsAnswer: "the receipt answers a risk query and is not the attestation's own"
            case .receiptOfOtherAttestation: "the receipt belongs to another attestation of the same key"
            case .receiptStored: "the receipt was stored before it was verified: pass no maximum age"
            }
        }
    }

    extension VerificationReport.ValueCode {
        package var text: String {
            switch self {
            case .plain: "%"
            case .size: "% bytes"
            case .noNonce: "no nonce"
            case .noApp: "no app is accepted"
            case .none: "none"
            case .unknownEnvironment: "neither production nor development"
            case .hashedAppID: "hash %"
            case .keyOfDevice: "a key of a device"
            case .keyOfMac: "a key of a Mac"
            case .moreThan: "more than %"
            case .validAt: "valid at %"
            case .leafValidity: "leaf valid from % to %"
            case .issuedBy: "issued by %"
            case .attestedAt: "attested at %"
            case .madeAt: "made at %"
            case .orLater: "% or later"
            case .unsignedBuild: "% (unsigned)"
            case .ageAt: "at most % before %"
            case .laterThan: "later than %"
            }
        }
    }

    extension VerificationReport.Check {
        package func number(in subject: VerificationReport.Subject) -> String {
            switch self {
            case .attestationObject: "object"
            case .authenticatorData: "data"
            case .certificateChain: "1"
            case .clientDataHash: "2"
            case .nonce: subject == .attestation ? "3" : "2"
            case .certifiedNonce: "4"
            case .keyID: "5"
            case .systemInformation: "leaf"
            case .acceptedApp: "6"
            case .counterIsZero: "7"
            case .environment: "8"
            case .credential: "9"
            case .systemPolicy: "system"
            case .attestationAge: "age"
            case .accessControlList: "macOS"
            case .validationCategory: subject == .attestation ? "10" : "7"
            case .bundleVersion: subject == .attestation ? "11" : "8"
            case .build: "build"
            case .storedKey: "key"
            case .assertionObject: "object"
            case .hashedClientData: "1"
            case .assertionSignature: "3"
            case .appOfKey: "4"
            case .keyAge: "age"
            case .counter: "5"
            case .challenge: "6"
            case .receiptSignature: "signature"
            case .receiptFields: "fields"
            case .receiptApp: "2"
            case .receiptKey: "3"
            case .receiptAttestation: "4"
            case .receiptEnvironment: "7"
            case .receiptAge: "12"
            case .receiptExpiration: "21"
            }
        }
    }
#endif
