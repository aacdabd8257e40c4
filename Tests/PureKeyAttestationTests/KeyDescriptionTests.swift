import Foundation
import PureDER
@testable import PureAttestTesting
@testable import PureKeyAttestationTesting
import Testing
import VectorSupport

@testable import PureKeyAttestation

struct KeyDescriptionTests {
    private func error(decoding value: ArraySlice<UInt8>) -> KeyAttestationError? {
        do throws(KeyAttestationError) {
            _ = try KeyDescription(decoding: value)
            return nil
        } catch { return error }
    }

    private func error(_ change: (inout KeyDescriptionDraft) -> Void) -> KeyAttestationError? {
        var draft = KeyDescriptionDraft()
        change(&draft)
        return error(decoding: draft.encoded[...])
    }

    /// Encodes Google's example of an authorization list, which contains every member.
    @Test func readsEveryMember() throws {
        let url = VectorDirectory.committed.appending(path: "android-key-attestation/complete_authlist.json")
        let expected = try GenuineChain.object(url)
        let numbers = { (values: UInt32...) in der(.set, values.flatMap { der($0) }) }
        let text = { (text: String) in der(.octetString, Array(text.utf8)) }
        var draft = KeyDescriptionDraft()
        draft.attestationVersion = der(400)
        draft.keyMintVersion = der(400)
        draft.uniqueID = text("uniqueId")
        let zeros = [UInt8](repeating: 0, count: 32)
        let root = der(
            .sequence, der(.octetString, zeros), derTrue, KeyDescriptionDraft.enumerated(0), der(.octetString, zeros))
        draft.software = [
            (1, numbers(1, 2)), (2, der(1)), (3, der(2048)), (4, numbers(1, 2)), (5, numbers(1, 2)), (6, numbers(1, 2)),
            (10, der(10)), (11, der(1)), (200, der(65537)), (203, numbers(1, 2)), (400, der(1000)), (401, der(2000)),
            (402, der(3000)), (405, der(10)), (503, derNull), (504, der(1)), (505, der(60)), (506, derNull),
            (507, derNull),
            (508, derNull), (509, derNull), (701, der(123_456_789)), (702, der(0)), (703, derNull), (704, root),
            (705, der(110_000)), (706, der(202_101)),
            (709, KeyDescriptionDraft.application(packages: [("package1", 1)], digests: [Array("signature1".utf8)])),
            (710, text("brand")), (711, text("device")), (712, text("product")), (713, text("serial")),
            (714, text("imei")),
            (715, text("meid")), (716, text("manufacturer")), (717, text("model")), (718, der(20_210_101)),
            (719, der(20_210_101)), (723, text("secondImei")), (724, text("moduleHash")),
        ]
        let description = try KeyDescription(decoding: draft.encoded[...])
        let found = description.object
        let list = try #require(expected["softwareEnforced"] as? NSDictionary)
        #expect(list.count == 40)
        #expect(description.softwareEnforced.object as NSDictionary == list)
        for (name, value) in expected where !name.hasSuffix("Enforced") {
            #expect(found[name] as? String == value as? String, "\(name)")
        }
    }

    @Test func acceptsAllVersions() {
        for version: UInt32 in [1, 2, 3, 4, 100, 200, 300, 400, 500, 600] {
            #expect(error { $0.attestationVersion = der(version) } == nil)
        }
    }

    @Test func rejectsOtherStructures() throws {
        #expect(error { $0.attestationVersion = [0x02, 0x01, 0xFF] } == .malformedKeyDescription(.integerOutOfRange))
        #expect(
            error { $0.attestationVersion = derInteger([1, 0, 0, 0, 0]) }
                == .malformedKeyDescription(.integerOutOfRange))
        #expect(
            error { $0.attestationSecurityLevel = KeyDescriptionDraft.enumerated(3) }
                == .malformedKeyDescription(.integerOutOfRange))
        #expect(
            error { $0.attestationSecurityLevel = [0x0A, 2, 1, 1] } == .malformedKeyDescription(.integerOutOfRange))
        #expect(
            error { $0.keyMintSecurityLevel = der(1) }
                == .malformedKeyDescription(.unexpectedTag(expected: .enumerated, found: .integer)))
        let whole = KeyDescriptionDraft().encoded
        #expect(error(decoding: whole[...] + [0]) == .malformedKeyDescription(.trailingBytes))
        #expect(error { $0.uniqueID += der(.octetString) } != nil)
        let longer = der(.sequence, Array(try #require(DERReader.contents(of: whole))) + derNull)
        #expect(error(decoding: longer[...]) == .malformedKeyDescription(.trailingBytes))
        #expect(error(decoding: ([1, 2, 3] + whole)[3...]) == nil)
        #expect(error(decoding: []) == .malformedKeyDescription(.unexpectedEnd))
    }

    /// Accepts 01 for true, because devices write it, although X.690 §11.1 requires FF.
    @Test func rejectsMalformedMembers() {
        func member(_ number: UInt32, _ value: [UInt8]) -> KeyAttestationError? {
            error { $0.setHardware(number, value) }
        }
        let locked = KeyDescriptionDraft.rootOfTrust(locked: [0x01, 0x01, 0x01])
        #expect(member(704, locked) == .malformedAuthorization(704, .invalidBoolean))
        #expect(
            member(704, KeyDescriptionDraft.rootOfTrust(state: 4)) == .malformedAuthorization(704, .integerOutOfRange))
        #expect(member(704, der(.sequence)) == .malformedAuthorization(704, .unexpectedEnd))
        #expect(member(705, derNull) == .malformedAuthorization(705, .unexpectedTag(expected: .integer, found: .null)))
        #expect(member(705, [0x02, 0x01, 0x80]) == .malformedAuthorization(705, .negativeInteger))
        #expect(member(705, [0x02, 0x02, 0x00, 0x01]) == .malformedAuthorization(705, .nonMinimalInteger))
        #expect(member(705, der(1) + der(1)) == .malformedAuthorization(705, .trailingBytes))
        #expect(member(705, []) == .malformedAuthorization(705, .unexpectedEnd))
        #expect(member(502, derInteger([UInt8](repeating: 0xFF, count: 8))) == nil)
        #expect(
            member(502, derInteger([1] + [UInt8](repeating: 0, count: 8)))
                == .malformedAuthorization(502, .integerOutOfRange))
        #expect(member(503, [0x05, 0x01, 0x00]) == .malformedAuthorization(503, .invalidNull))
        #expect(member(1, der(2)) == .malformedAuthorization(1, .unexpectedTag(expected: .set, found: .integer)))
        let many = der(.set, (0..<17).flatMap { der($0) })
        #expect(member(1, many) == .malformedAuthorization(1, .lengthTooLarge))
        #expect(member(1, der(.set, (0..<16).flatMap { der($0) })) == nil)
        #expect(member(1, der(.set, der(2)) + derNull) == .malformedAuthorization(1, .trailingBytes))
        let most = KeyDescriptionDraft.application(
            packages: [(String, UInt32)](repeating: ("a", 1), count: 64),
            digests: [[UInt8]](repeating: [1], count: 64))
        #expect(member(709, most) == nil)
        // The decoder parses these members as numbers but does not store them.
        for number: UInt32 in [8, 400, 401, 402, 405, 504, 505] {
            #expect(
                member(number, derNull)
                    == .malformedAuthorization(number, .unexpectedTag(expected: .integer, found: .null)))
        }
        for number: UInt32 in [7, 303, 305, 506, 507, 508, 509, 600, 703, 720] {
            #expect(
                member(number, der(1))
                    == .malformedAuthorization(number, .unexpectedTag(expected: .null, found: .integer)))
        }
        #expect(member(709, der(.octetString)) == .malformedAuthorization(709, .unexpectedEnd))
        let packages = [(String, UInt32)](repeating: ("a", 1), count: 65)
        #expect(
            member(709, KeyDescriptionDraft.application(packages: packages))
                == .malformedAuthorization(709, .lengthTooLarge))
        let digests = [[UInt8]](repeating: [1], count: 65)
        #expect(
            member(709, KeyDescriptionDraft.application(digests: digests))
                == .malformedAuthorization(709, .lengthTooLarge))
        // The element declares a length of almost 2³¹ octets and has no contents.
        #expect(member(710, [0x04, 0x84, 0x7F, 0xFF, 0xFF, 0xFF]) == .malformedAuthorization(710, .unexpectedEnd))
    }

    /// Rule K7.
    @Test func rejectsDuplicateMembers() {
        #expect(error { $0.hardware.append((719, der(20_260_505))) } == .duplicateAuthorization(719))
        #expect(error { $0.hardware.insert((719, der(20_260_505)), at: 0) } == .duplicateAuthorization(719))
        #expect(
            error {
                $0.software.append((999, derNull)); $0.software.append((999, derNull))
            } == .duplicateAuthorization(999))
        #expect(error { $0.software = (0..<64).map { ($0 + 2_000, derNull) } } == nil)
        #expect(error { $0.software = (0..<65).map { ($0 + 2_000, derNull) } } == .tooManyAuthorizations)
    }

    /// Unknown members are listed but not used, and members may be in any order.
    @Test func reportsUnknownMembersAndTheirOrder() throws {
        var draft = KeyDescriptionDraft()
        draft.hardware.append((2_000, [0xFF, 0xFF]))
        var list = try KeyDescription(decoding: draft.encoded[...]).hardwareEnforced
        #expect(list.unknownTags == [2_000])
        #expect(list.areTagsOrdered)
        draft.hardware.reverse()
        list = try KeyDescription(decoding: draft.encoded[...]).hardwareEnforced
        #expect(!list.areTagsOrdered)
        #expect(list.osVersion == 160_000)
        draft.hardware = []
        #expect(error(decoding: draft.encoded[...]) == nil)
    }

    @Test func readsFlags() throws {
        var draft = KeyDescriptionDraft()
        for number: UInt32 in [303, 305] { draft.setHardware(number, derNull) }
        let whole = draft.encoded
        let list = try KeyDescription(decoding: whole[...]).hardwareEnforced
        #expect(list.hasRollbackResistance && list.isEarlyBootOnly && !list.isRollbackResistant)
    }

    /// Versions 1 and 2 contain no digest of the booted system.
    @Test func readsRootsOfTrustOfOldVersions() throws {
        let old = der(.sequence, der(.octetString, [1]), derTrue, KeyDescriptionDraft.enumerated(0))
        let root = try RootOfTrust(old[...])
        #expect(root.verifiedBootHash == nil && root.isDeviceLocked && root.verifiedBootState == .verified)
    }

    @Test func rejectsTruncatedMembers() {
        let list: [UInt8] = [0xA2, 0x05, 0x02]
        #expect(throws: KeyAttestationError.malformedKeyDescription(.unexpectedEnd)) {
            try AuthorizationList(DERReader(list[...]))
        }
    }

    @Test func rejectsPrimitiveMembers() {
        let list = der(.sequence, [0x82, 0x01, 0x03])
        let draft = KeyDescriptionDraft()
        let whole = der(
            .sequence, draft.attestationVersion, draft.attestationSecurityLevel, draft.keyMintVersion,
            draft.keyMintSecurityLevel,
            der(.octetString, draft.challenge), draft.uniqueID, list, der(.sequence))
        #expect(
            error(decoding: whole[...])
                == .malformedKeyDescription(.unexpectedTag(expected: .context(2), found: .contextPrimitive(2))))
    }
}

extension DERReader {
    fileprivate static func contents(of encoded: [UInt8]) -> ArraySlice<UInt8>? {
        var reader = DERReader(encoded[...])
        return try? reader.enter(.sequence).remaining
    }
}
