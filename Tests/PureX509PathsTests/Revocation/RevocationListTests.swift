import CertificateDrafts
import PureDER
import Testing

@testable import PureX509
@testable import PureX509Paths

/// Tests RFC 5280 §5 and §4.2.1.13, one rule per test. The tests call the parser directly, because path validation only
/// reports such lists as unusable.
@Suite struct RevocationListTests {
    static let list = TestRevocationList("CA", TestChain.authorityKey)

    private func rejection(_ change: (inout TestRevocationList) -> Void) -> PathError? {
        do throws(PathError) {
            _ = try Self.list.changing(change).list()
            return nil
        } catch { return error }
    }

    private func isMalformed(_ error: PathError?) -> Bool {
        if case .certificate(.malformed(.revocationList, _)) = error { true } else { false }
    }

    @Test func plainList() throws {
        let list = try Self.list.list()
        #expect(list.isUsable && list.number.elementsEqual([1]) && list.issuer.elementsEqual(DER.name("CA")))
        #expect(list.isCurrent(at: TestChain.now))
    }

    @Test func size() {
        let size = CertificateRevocationList.maximumEncodedSize
        #expect(size == 64 << 20)
        for (count, isTooLarge) in [(size, false), (size + 1, true)] {
            do throws(PathError) {
                _ = try CertificateRevocationList(derEncoded: [UInt8](repeating: 0, count: count)[...])
                Issue.record("read")
            } catch { #expect((error == .revocationListTooLarge) == isTooLarge) }
        }
    }

    @Test func trailingFields() {
        #expect(isMalformed(rejection { $0.outerTail = DER.null }))
        #expect(isMalformed(rejection { $0.tail = DER.null }))
        #expect(isMalformed(rejection { $0.extensionsTail = DER.null }))
        #expect(
            isMalformed(
                rejection { $0.extensions = [TestExtension.standard(0x14, DER.integer(1) + DER.null)] }))
    }

    /// §5.1.2.3: the issuer must be a non-empty name.
    @Test func issuers() {
        #expect(rejection { $0.issuer = DER.sequence() } == .emptyList(.revocationList))
        #expect(rejection { $0.issuer = DER.sequence(DER.set()) } == .emptyList(.revocationList))
        #expect(
            rejection { $0.issuer = DER.sequence(DER.relativeName(DER.printable("@"))) }
                == .certificate(.invalidCharacters(.revocationList)))
    }

    /// §5.1.2.6: a list of entries is never empty. §5.3: an unknown critical entry extension makes the list unusable.
    @Test func entries() throws {
        #expect(rejection { $0.entries = DER.sequence() } == .emptyList(.revocationList))
        let unknown = DER.sequence(TestExtension.custom(DER.oid(0x2A, 3), critical: true, DER.null))
        let known = TestRevocationList.entry(7), strange = TestRevocationList.entry(8, unknown)
        for (entries, isUsable) in [(known, true), (strange + known, false), (known + strange, false)] {
            let list = try Self.list.changing { $0.entries = DER.sequence(entries) }.list()
            #expect(list.isUsable == isUsable)
        }
        let reason = TestExtension.standard(0x15, DER.element(0x0A, [1]))
        #expect(
            isMalformed(
                rejection {
                    $0.entries = DER.sequence(TestRevocationList.entry(7, DER.sequence(reason), DER.null))
                }))
        let longReason = TestExtension.standard(0x15, DER.element(0x0A, [1]) + DER.null)
        #expect(
            isMalformed(rejection { $0.entries = DER.sequence(TestRevocationList.entry(7, DER.sequence(longReason))) }))
        let list = try Self.list.changing {
            $0.entries = DER.sequence(TestRevocationList.entry(7, DER.sequence(reason)))
        }.list()
        #expect(try list.entry(of: [7])?.reason == .keyCompromise)
        #expect(try list.entry(of: [8]) == nil)
    }

    private static func scope(_ fields: [UInt8]...) -> [UInt8] {
        TestExtension.standard(0x1C, critical: true, DER.sequence(fields.flatMap { $0 }))
    }

    /// §5.2.5: indirect lists and lists of attribute certificates are parsed but not used.
    @Test func scopes() throws {
        for (fields, isUsable) in [
            (DER.implicit(1, [0xFF]), true), (DER.implicit(2, [0xFF]), true), (DER.implicit(4, [0xFF]), false),
            (DER.implicit(5, [0xFF]), false), (DER.implicit(4, [0xFF]) + DER.implicit(5, [0xFF]), false),
        ] {
            #expect(try Self.list.changing { $0.extensions.append(Self.scope(fields)) }.list().isUsable == isUsable)
        }
        // X.690 §11.1, §11.5: TRUE is one octet of ones, and FALSE is omitted.
        for octets in [[], [0x00], [0x01], [0xFF, 0xFF]] as [[UInt8]] {
            #expect(
                rejection { $0.extensions.append(Self.scope(DER.implicit(1, octets))) }
                    == .invalidValue(.revocationList))
        }
        #expect(isMalformed(rejection { $0.extensions.append(Self.scope(DER.implicit(1, [0xFF]), DER.null)) }))
        #expect(isMalformed(rejection { $0.extensions.append(Self.scope(DER.implicit(3, [0xFF]), DER.null)) }))
    }

    /// §5.2.4: a delta list is not used, whether or not the extension is critical.
    @Test func changes() throws {
        for isCritical in [true, false] {
            let delta = TestExtension.standard(0x1B, critical: isCritical, DER.integer(1))
            #expect(try !Self.list.changing { $0.extensions.append(delta) }.list().isUsable)
        }
    }

    // MARK: Distribution points

    private func points(_ contents: [UInt8]) throws -> [DistributionPoint] {
        let leaf = TestChain.leaf.changing { $0.extensions! += [TestExtension.standard(0x1F, contents)] }
        return try DistributionPoint.all(of: try leaf.certificate())
    }

    private static let uri = DER.implicit(6, Array("http://a.test/".utf8))
    private static let indirect = DER.context(2, DER.context(4, DER.name("CB")))

    @Test func distributionPoints() throws {
        let named = DER.context(0, DER.context(0, Self.uri))
        #expect(try points(DER.sequence(DER.sequence(named, Self.indirect))).map(\.hasIssuer) == [true])
        #expect(try points(DER.sequence(DER.sequence(named))).map(\.names?.count) == [1])
        // Errors: an empty distribution point, data after the last field, and an issuer field that is not a non-empty
        // list of names.
        #expect(throws: X509Error.emptyList(.cRLDistributionPoints)) { try points(DER.sequence(DER.sequence())) }
        for contents in [
            named + DER.null, named + DER.context(2), named + DER.context(2, DER.null),
            DER.context(0, DER.context(0, Self.uri), DER.null), DER.context(0, DER.context(0)),
            DER.context(0, DER.context(0, DER.null)),
            DER.context(0, DER.context(1, DER.sequence(DER.oid(0x55, 4, 3), DER.utf8("x"))), DER.null),
        ] {
            #expect(throws: X509Error.self, "\(contents)") { try points(DER.sequence(DER.sequence(contents))) }
        }
    }

    /// A distribution point without a name counts as one name.
    @Test func numberOfPoints() throws {
        let limit = CertificateRevocationList.maximumPointNameCount
        let many = { (count: Int) in
            DER.element(0x30, Array(repeatElement(DER.sequence(Self.indirect), count: count).joined()))
        }
        #expect(try points(many(limit)).count == limit)
        #expect(throws: X509Error.invalidValue(.cRLDistributionPoints)) { try points(many(limit + 1)) }
    }

    /// §6.3.3 (b)(2): compares directory names as names, and all other names by their encoding.
    @Test func namesOfPoints() throws {
        func names(_ list: [UInt8]...) throws -> DistributionPointNames {
            try DistributionPointNames(
                DER.context(0, list.flatMap { $0 })[...], issuer: DER.name("CA")[...], .cRLDistributionPoints)
        }
        let directory = DER.context(4, DER.name("CA")), shouted = DER.context(4, DER.name("ca "))
        let other = DER.implicit(6, Array("http://b.test/".utf8))
        #expect(try names(directory, Self.uri).count == 2)
        #expect(try names(directory).intersects(names(Self.uri, shouted)))
        #expect(try names(Self.uri).intersects(names(other, Self.uri)))
        #expect(try !names(Self.uri).intersects(names(other)))
        #expect(try !names(Self.uri, directory).intersects(names(other)))
        // An empty directory name does not match any name.
        #expect(try !names(DER.context(4, DER.sequence())).intersects(names(other, directory)))
    }
}
