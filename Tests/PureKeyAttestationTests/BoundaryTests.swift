@testable import PureAttestTesting
import PureDER
@testable import PureKeyAttestationTesting
import PureX509
import Testing

@testable import PureKeyAttestation

/// Tests limits, and data after a structure's last element. Other tests do not detect mutations of these rules.
struct BoundaryTests {
    /// X.690 §8.1.3: on every level, contents end after the number of octets that the length specifies.
    @Test func nothingFollowsTheLastElement() {
        func member(_ number: UInt32, _ value: [UInt8]) -> KeyAttestationError? {
            remote { $0.description.setHardware(number, value) }
        }
        let root = KeyDescriptionDraft.rootOfTrust()
        #expect(member(704, root + derNull) == .malformedAuthorization(704, .trailingBytes))
        #expect(
            member(704, der(.sequence, [UInt8](root.dropFirst(2)) + derNull))
                == .malformedAuthorization(704, .trailingBytes))
        #expect(member(710, der(.octetString) + derNull) == .malformedAuthorization(710, .trailingBytes))
        #expect(member(503, derNull + derNull) == .malformedAuthorization(503, .trailingBytes))
        let package = der(.sequence, der(.octetString, Array(KeyDescriptionDraft.package.utf8)), der(7))
        let longer = der(.sequence, der(.octetString, Array(KeyDescriptionDraft.package.utf8)), der(7), derNull)
        let digests = der(.set, der(.octetString, KeyDescriptionDraft.digest))
        func application(_ value: [UInt8]) -> KeyAttestationError? {
            remote { $0.description.setSoftware(709, value) }
        }
        #expect(application(der(.octetString, der(.sequence, der(.set, package), digests))) == nil)
        for value in [
            der(.octetString, der(.sequence, der(.set, longer), digests)),
            der(.octetString, der(.sequence, der(.set, package), digests, derNull)),
            der(.octetString, der(.sequence, der(.set, package), digests) + derNull),
            der(.octetString, der(.sequence, der(.set, package), digests)) + derNull,
        ] {
            #expect(application(value) == .malformedAuthorization(709, .trailingBytes))
        }
        // This extension of the leaf has contents that the verifier does not read.
        #expect(
            remote {
                $0.links[0].extensions[0].critical = derTrue + derTrue
            }
                == .malformedCertificate(
                    .malformed(.extensions, .unexpectedTag(expected: .octetString, found: .boolean)), certificate: 0))
    }

    @Test func chainsAreBounded() {
        func rejection(_ sizes: Int...) -> KeyAttestationError? {
            ChainDraft.verifier().rejection(sizes.map { [UInt8](repeating: 0, count: $0) }, challenge: [1])
        }
        #expect(KeyAttestationVerifier.maximumChainSize == 65_536)
        #expect(rejection(65_536) == .wrongCertificateCount(1))
        #expect(rejection(65_537) == .inputTooLarge)
        #expect(rejection(65_535, 1) == .wrongCertificateCount(2))
        #expect(rejection(65_535, 2) == .inputTooLarge)
        #expect(rejection(0, 0, 0, 0, 0, 0) == .wrongCertificateCount(6))
        #expect(rejection(1, 1, 1, 1, 65_533) == .inputTooLarge)
    }

    /// Patch levels have the form YYYYMM or YYYYMMDD, from 1900 on.
    @Test func monthsAreMonths() {
        let any = KeyAttestationPolicy(maximumPatchAge: .max)
        func rejection(_ level: UInt32) -> KeyAttestationError? {
            remote(under: any) { $0.description.setHardware(706, der(level)) }
        }
        for level: UInt32 in [190_001, 202_605, 20_260_505, 19_000_101, 99_991_231] { #expect(rejection(level) == nil) }
        for level: UInt32 in [0, 1, 100_001, 189_912, 190_000, 202_600, 202_613, 999_913, 1_000_000, 10_000_101] {
            #expect(rejection(level) == .patchLevelNotAllowed(UInt64(level)))
        }
    }

    /// A package name has 1 to 255 octets, the range that a key record can store.
    @Test func packageNamesAreBounded() {
        for (count, isAccepted) in [(0, false), (1, true), (255, true), (256, false)] {
            let name = String(repeating: "a", count: count)
            var draft = ChainDraft.remote
            draft.description.setSoftware(709, KeyDescriptionDraft.application(packages: [(name, 7)]))
            let app = AndroidApp(packageName: name, signingDigests: [KeyDescriptionDraft.digest])
            #expect(draft.rejection(apps: [app]) == (isAccepted ? nil : .packageNotAllowed), "\(count)")
        }
        #expect(
            remote { $0.description.setSoftware(709, KeyDescriptionDraft.application(packages: [])) }
                == .applicationMissing)
    }

    /// A list may contain all white space of RFC 8259 §2, printable ASCII names, and skipped values on seven levels.
    @Test func listsAreBounded() throws {
        func isList(_ text: String) -> Bool { (try? RevocationStatusList(json: Array(text.utf8))) != nil }
        for space in [" ", "\t", "\r", "\n"] {
            #expect(isList("\(space){\(space)\"entries\"\(space):{}\(space)}\(space)"))
        }
        for other in ["\u{08}", "\u{0B}", "\u{0C}", "\u{0E}", "\u{A0}", "\u{00}"] {
            #expect(!isList("{\(other)\"entries\":{}}"), "\(other.unicodeScalars)")
        }
        for (scalar, isPlain) in [
            (0x1F, false), (0x20, true), (0x21, true), (0x7D, true), (0x7E, true), (0x7F, false), (0x80, false),
        ] {
            let name = String(Unicode.Scalar(UInt8(scalar)))
            #expect(isList("{\"\(name)\":1,\"entries\":{}}") == isPlain, "\(scalar)")
            #expect(isList("{\"a\":\"\(name)\",\"entries\":{}}") == (scalar != 0x1F), "\(scalar)")
        }
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            let value = String(repeating: open, count: depth) + String(repeating: close, count: depth)
            return "{\"a\":\(value),\"entries\":{}}"
        }
        #expect(isList(nested(7, "[", "]")) && !isList(nested(8, "[", "]")))
        let objects = (7...9).map { depth in
            isList(
                "{\"a\":\(String(repeating: "{\"b\":", count: depth))1\(String(repeating: "}", count: depth)),\"entries\":{}}"
            )
        }
        #expect(objects == [true, false, false])
        for value in [
            "truX", "nulL", "falsE", "1..2", "--1", "1ee2", "[1 2]", "[,1]", "{1\"b\":2}", "{\"b\" 2}",
            "{\"b\":1 \"c\":2}", "{b\":1}",
        ] {
            #expect(!isList("{\"a\":\(value),\"entries\":{}}"), "\(value)")
        }
        for value in ["[1, 2 ,3]", "{\"b\" : 1 , \"c\" : 2}", "[ ]", "{ }", "-0", "1.5e-3", "[[1],[2]]"] {
            #expect(isList("{\"a\":\(value),\"entries\":{}}"), "\(value)")
        }
        // Offsets in errors count from the first byte of a slice, whatever its start index.
        let twice = Array(#"{"entries":{"1":{"status":"REVOKED"},"1":{"status":"REVOKED"}}}"#.utf8)
        let broken = Array("{\"entries\":{\"1\":7}}".utf8)
        for (bytes, error) in [
            (twice, KeyAttestationError.duplicateRevocationEntry(offset: 38)),
            (broken, .malformedRevocationList(offset: 16)),
        ] {
            for prefix in [0, 5] {
                #expect(throws: error) {
                    try RevocationStatusList(json: ([UInt8](repeating: 0, count: prefix) + bytes)[prefix...])
                }
            }
        }
    }

    /// A P-384 key signs the certificates, as Google's CA2 does.
    @Test func signaturesOfP384AreVerified() {
        #expect(remote { $0.links[2].alterSignature = { $0 = [0x30, 0x00] } } == .invalidSignature(certificate: 2))
        #expect(remote { $0.links[2].alterSignature = { $0 = [] } } == .invalidSignature(certificate: 2))
        // An RSA algorithm identifier with the hash function of the signature is rejected too.
        for last: UInt128 in [0x0B, 0x0C] {
            let rsa = der(ASN1ObjectIdentifier(encodedAs: 0x2A_86_48_86_F7_0D_01_01_00 | last)) + derNull
            #expect(remote { $0.links[2].claim(algorithm: rsa) } == .invalidSignature(certificate: 2))
        }
        let key = AndroidSigningKey.p384(6).chainKey
        for junk: [UInt8] in [[], [0x30, 0x00], [UInt8](repeating: 0, count: 96)] {
            #expect(!key.isValidSignature(junk, for: [1]))
        }
    }

    @Test func identifiersMatchTheirDocuments() {
        #expect(ASN1ObjectIdentifier.title.description == "2.5.4.12")
        #expect(KeyOrigin.generated.rawValue == 0 && KeyOrigin.imported.rawValue == 2)
        #expect(KeyOrigin.securelyImported.rawValue == 4)
    }

    @Test func recordsHaveNamesAndVersions() throws {
        var draft = ChainDraft.remote
        draft.description.challenge = [1]
        let key = try ChainDraft.verifier().verify(
            chain: draft.certificates, challenge: [1], at: ChainDraft.time, revocation: .notChecked
        ).key
        let record = key.serialized
        let nameless = Array(record[..<11]) + [0] + Array(record[(12 + key.packageNameUTF8.count)...])
        #expect(AttestedAndroidKey.rejection(of: nameless) == .malformedKeyRecord)
        for version: UInt8 in [0, 2, 255] {
            let other = [version] + record.dropFirst()
            #expect(AttestedAndroidKey.rejection(of: other) == .unsupportedKeyRecord(version: version))
        }
        for kind: UInt8 in [0, 2, 3, 4] {
            var other = record
            other[12 + key.packageNameUTF8.count] = kind
            #expect(AttestedAndroidKey.rejection(of: other) == .malformedKeyRecord)
        }
        #expect(AttestedAndroidKey.maximumRecordSize == 1_024 && AttestedAndroidKey.maximumPackageNameSize == 255)
    }

    /// Encodes keys of each kind without signing anything, so the test is fast.
    @Test func recordsHaveKeysOfEachKind() throws {
        for (signer, kind) in [
            (AndroidSigningKey.p256(5), 1), (.p384(6), 2), (.rsa(RSASigningKey.root), 3),
        ] as [(AndroidSigningKey, UInt8)] {
            let key = AttestedAndroidKey(
                publicKey: signer.chainKey, packageNameUTF8: [0x61], securityLevel: .strongBox,
                provisioning: .factory, attestedAt: UnixTime(secondsSince1970: -2))
            let record = key.serialized
            #expect(
                record.prefix(3) == [1, 2, 1]
                    && record[3..<11].elementsEqual([UInt8](repeating: 0xFF, count: 7) + [0xFE]))
            #expect(record[11..<14] == [1, 0x61, kind])
            #expect(try AttestedAndroidKey(serialized: record) == key)
            for cut in [1, 2, 8, 9, 10, 11, record.count - 14, record.count - 13] where cut < record.count {
                #expect(AttestedAndroidKey.rejection(of: record.dropLast(cut)) == .malformedKeyRecord)
            }
            #expect(AttestedAndroidKey.rejection(of: record + [0]) == .malformedKeyRecord)
            guard kind == 3 else { continue }
            // The record stores the exponent, the length of the modulus and the modulus, without leading zeros.
            #expect(record[14..<22].elementsEqual([0, 0, 0, 0, 0, 1, 0, 1]) && record[22..<24] == [1, 0])
            var other = record
            other[23] = 1
            #expect(AttestedAndroidKey.rejection(of: other) == .malformedKeyRecord)
            let padded = Array(record[..<22]) + [1, 1, 0] + Array(record[24...])
            #expect(AttestedAndroidKey.rejection(of: padded) == .malformedKeyRecord)
        }
    }
}
