import CertificateDrafts
import DebugSampling
import PureDER
import Testing

@testable import PureX509
@testable import PureX509Paths

/// Tests ReasonFlags (RFC 5280 §4.2.1.13, §5.2.5). Bit 0 and all bits above bit 8 have no meaning.
@Suite struct ReasonFlagsTests {
    private static let place = DER.context(0, DER.context(0, DER.implicit(6, Array("http://a.test/".utf8))))
    private static let meanings: UInt16 = 0b1_1111_1110

    /// Returns the contents of the shortest BIT STRING in which each bit `n` equals bit `n` of `flags`.
    private static func contents(_ flags: UInt16) -> [UInt8] {
        let count = 16 - flags.leadingZeroBitCount
        var octets = [UInt8](repeating: 0, count: (count + 7) / 8)
        for bit in 0..<count where flags >> bit & 1 == 1 { octets[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        return [UInt8(octets.count * 8 - count)] + octets
    }

    private static func list(_ flags: UInt16, _ entries: [UInt8] = []) throws(PathError) -> CertificateRevocationList {
        let scope = DER.sequence(place, DER.implicit(3, contents(flags)))
        return try TestRevocationList("CA", TestChain.authorityKey).changing {
            $0.extensions.append(TestExtension.standard(0x1C, critical: true, scope))
            $0.entries = entries
        }.list()
    }

    private static func leaf(_ flags: UInt16) throws -> Certificate {
        let point = DER.sequence(DER.sequence(place, DER.implicit(1, contents(flags))))
        return try TestChain.leaf.changing { $0.extensions! += [TestExtension.standard(0x1F, point)] }.certificate()
    }

    private static func rejection(_ leaf: Certificate, _ lists: [CertificateRevocationList]) throws -> PathError? {
        var requirements = PathRequirements()
        let ofRoot = try TestRevocationList("Root", TestChain.rootKey).list()
        requirements.revocation = RevocationPolicy(lists: [ofRoot] + lists)
        do throws(PathError) {
            _ = try CertificatePathVerifier(trustAnchors: [TestChain.root.anchor()]).validate(
                leaf: leaf, intermediates: [TestChain.authority.read()], at: TestChain.now,
                meeting: requirements)
            return nil
        } catch { return error }
    }

    /// All reasons, all except one, and no reason: each set with and without bit 0.
    private static let sets: [UInt16] = {
        let single: [UInt16] = (1...8).map { 1 << $0 }
        let missing: [UInt16] = [0] + single + [meanings]
        return missing.flatMap { [(meanings & ~$0) | 1, meanings & ~$0] }.filter { $0 != 0 }
    }()

    @Test func everySetOnBothSides() throws {
        #expect(Self.sets.count == 19)
        let leaves = try Self.sets.map { try Self.leaf($0) }, lists = try Self.sets.map { try Self.list($0) }
        let pairs = leaves.indices.flatMap { leaf in lists.indices.map { (leaf, $0) } }
        // Only the first two sets contain all reasons.
        let complete = pairs.filter { $0 < 2 && $1 < 2 }
        #expect(complete.count == 4)
        for (leaf, list) in complete + debugSample(pairs, every: 25, of: "pairs of reasons") {
            let covered = Self.sets[leaf] & Self.sets[list] & Self.meanings
            let found = try Self.rejection(leaves[leaf], [lists[list]])
            let isUnknown = found == .revocationStatusUnknown(certificate: 0)
            #expect(
                covered == Self.meanings ? found == nil : isUnknown,
                "point \(String(Self.sets[leaf], radix: 2)), list \(String(Self.sets[list], radix: 2))")
        }
    }

    /// Two lists that together cover all reasons suffice. If a reason is missing from both, the status is unknown.
    @Test func twoLists() throws {
        let leaf = try Self.leaf(Self.meanings | 1)
        let (some, rest): (UInt16, UInt16) = (0b0_0000_0110, 0b1_1111_1000)
        for bits: (UInt16, UInt16) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let lists = [try Self.list(some | bits.0), try Self.list(rest | bits.1)]
            #expect(try Self.rejection(leaf, lists) == nil)
            let less = [lists[0], try Self.list(rest & ~(1 << 8) | bits.1)]
            #expect(try Self.rejection(leaf, less) == .revocationStatusUnknown(certificate: 0))
        }
    }

    @Test func bitZeroHidesNoEntry() throws {
        let leaf = try Self.leaf(Self.meanings | 1)
        let serial = try #require(leaf.serialNumber.last)
        for flags in [Self.meanings, Self.meanings | 1, 0b10, 0b11] {
            let list = try Self.list(flags, DER.sequence(TestRevocationList.entry(serial)))
            #expect(try Self.rejection(leaf, [list]) == .revoked(certificate: 0, .unspecified))
        }
    }

    @Test func bitsPastTheLastReason() throws {
        for bit in 9...15 {
            for flags in [1 << UInt16(bit), Self.meanings | 1 << UInt16(bit)] {
                #expect(throws: PathError.invalidValue(.revocationList)) { try Self.list(flags) }
                let leaf = try Self.leaf(flags), list = try Self.list(Self.meanings)
                #expect(try Self.rejection(leaf, [list]) == .invalidValue(.cRLDistributionPoints))
            }
        }
    }
}
