import PureAttest
import Testing

/// Tests launch information and policies (attestation steps 10–11, assertion steps 7–8).
@Suite struct LaunchTests {
    static let category = CBOR.text("apple_validation_category_01")
    static let otherCategory = CBOR.text("validationCategory")
    static let version = CBOR.text("apple_bundle_version_01")
    static let otherVersion = CBOR.text("bundleVersion")

    private func information(_ entries: [([UInt8], [UInt8])]) throws -> LaunchInformation {
        let head = [UInt8](repeating: 0, count: 32) + [0xc0, 0, 0, 0, 0]
        return try AuthenticatorData(assertion: (head + CBOR.map(entries))[...]).launchInformation
    }

    @Test func bothSpellings() throws {
        for (category, version) in [
            (Self.category, Self.version), (Self.otherCategory, Self.otherVersion), (Self.category, Self.otherVersion),
        ] {
            let information = try information([(version, CBOR.text("12.3")), (category, CBOR.bytes([4, 0, 0, 0]))])
            #expect(information.validationCategory == .appStore)
            #expect(information.bundleVersion == "12.3")
        }
        #expect(throws: PureAttestError.extensionSpelledTwice) {
            try information([(Self.category, CBOR.unsigned(4)), (Self.otherCategory, CBOR.unsigned(4))])
        }
        #expect(throws: PureAttestError.extensionSpelledTwice) {
            try information([(Self.version, CBOR.text("1")), (Self.otherVersion, CBOR.text("1"))])
        }
        #expect(throws: PureAttestError.malformedCBOR(.duplicateMapKey)) {
            try information([(Self.category, CBOR.unsigned(4)), (Self.category, CBOR.unsigned(4))])
        }
    }

    /// A validation category is four little-endian bytes or an unsigned integer. Unnamed numbers are reported too.
    @Test func categoryEncodings() throws {
        func category(_ value: [UInt8]) throws -> UInt32? {
            try information([(Self.category, value)]).validationCategory?.rawValue
        }
        #expect(try category(CBOR.bytes([0x04, 0x03, 0x02, 0x01])) == 0x0102_0304)
        #expect(try category(CBOR.bytes([0xff, 0xff, 0xff, 0xff])) == .max)
        #expect(try category(CBOR.unsigned(8)) == 8)
        #expect(try category([0x1a, 0xff, 0xff, 0xff, 0xff]) == .max)
        for malformed in [
            CBOR.bytes([4]), CBOR.bytes([4, 0, 0, 0, 0]), CBOR.bytes([]), CBOR.text("\u{4}\0\0\0"), CBOR.negative(-4),
            [0xf6], [0x1b, 0, 0, 0, 1, 0, 0, 0, 0], CBOR.array([CBOR.unsigned(4)]),
        ] {
            #expect(throws: PureAttestError.malformedExtensions) { try category(malformed) }
        }
    }

    @Test func versionIsText() throws {
        #expect(try information([(Self.version, CBOR.text(""))]).bundleVersion == "")
        let longest = String(repeating: "1", count: 256)
        #expect(try information([(Self.version, CBOR.text(longest))]).bundleVersion?.utf8.count == 256)
        #expect(throws: PureAttestError.malformedExtensions) {
            try information([(Self.version, CBOR.text(longest + "1"))])
        }
        for malformed in [CBOR.bytes([0x31]), CBOR.unsigned(1), [0xf6]] {
            #expect(throws: PureAttestError.malformedExtensions) { try information([(Self.version, malformed)]) }
        }
        #expect(throws: PureAttestError.malformedCBOR(.invalidUTF8)) {
            try information([(Self.version, [0x61, 0x80])])
        }
    }

    @Test func otherExtensions() throws {
        #expect(try information([]) == information([(CBOR.text("other"), CBOR.array([]))]))
        #expect(throws: PureAttestError.malformedExtensions) { try information([(CBOR.unsigned(1), CBOR.unsigned(1))]) }
    }

    @Test func versionsAreNumbers() {
        let ascending: [BundleVersion] = [
            "0", "0.0.1", "0.9", "0.10", "1.0.0.1", "1.2", "1.2.3", "2", "10", "18446744073709551616",
        ]
        for (i, left) in ascending.enumerated() {
            for (j, right) in ascending.enumerated() { #expect(left.isAtLeast(right) == (i >= j)) }
        }
        let equal: [BundleVersion] = ["1", "1.0", "1.0.0", "01.00"]
        for left in equal { for right in equal { #expect(left.isAtLeast(right)) } }
        for malformed in ["", ".", "1.", ".1", "1..2", "1a", "1.0-beta", " 1", "１"] as [BundleVersion] {
            #expect(!malformed.isAtLeast("0") && !BundleVersion("5").isAtLeast(malformed))
        }
    }

    private func verify(_ policy: LaunchPolicy, _ entries: [([UInt8], [UInt8])]) throws {
        var device = TestDevice()
        device.extensions = entries.isEmpty ? [] : CBOR.map(entries)
        device.flags = entries.isEmpty ? 0x40 : 0xc0
        let verifier = try device.verifier(launchPolicy: policy)
        device.counter = 1
        // A policy gives the same verdict on assertions as on attestations.
        let assertion = Result { try device.verifyAssertion(verifier) }
        device.counter = 0
        let attestation = Result { try device.verify(verifier) }
        switch (assertion, attestation) {
        case (.success, .success): break
        case (.failure(let left as PureAttestError), .failure(let right as PureAttestError)) where left == right:
            throw left
        default: Issue.record("\(assertion) is not \(attestation)")
        }
    }

    /// Apple, attestation step 10, assertion step 7.
    @Test func categories() throws {
        let store = [(Self.category, CBOR.unsigned(4))]
        let unnamed = [(Self.category, CBOR.unsigned(11))]
        try verify(.reportOnly, [])
        try verify(.reportOnly, unnamed)
        try verify(.only([.appStore, .testFlight]), store)
        try verify(.only(nil), unnamed)
        try verify(.only([ValidationCategory(rawValue: 11)]), unnamed)
        try verify(.onlyOrMissing([.appStore]), store)
        try verify(.onlyOrMissing([.appStore]), [])
        #expect(throws: PureAttestError.validationCategoryNotAllowed(.appStore)) {
            try verify(.only([.testFlight]), store)
        }
        #expect(throws: PureAttestError.validationCategoryNotAllowed(.appStore)) {
            try verify(.onlyOrMissing([.testFlight]), store)
        }
        #expect(throws: PureAttestError.validationCategoryNotAllowed(nil)) { try verify(.only([.appStore]), []) }
        #expect(throws: PureAttestError.validationCategoryNotAllowed(nil)) { try verify(.only(nil), []) }
        #expect(throws: PureAttestError.validationCategoryNotAllowed(ValidationCategory(rawValue: 11))) {
            try verify(.only([.appStore]), unnamed)
        }
        #expect(throws: PureAttestError.validationCategoryNotAllowed(.appStore)) { try verify(.only([]), store) }
    }

    /// Rule A4: no app should have the categories 0 and 7 to 9, so a policy must list them in order to accept them.
    @Test(arguments: [0, 7, 8, 9] as [UInt32])
    func categoriesOfNoApp(_ number: UInt32) throws {
        let category = ValidationCategory(rawValue: number)
        let entries = [(Self.category, CBOR.bytes([UInt8(number), 0, 0, 0]))]
        for policy in [.only(nil), .onlyOrMissing(nil), .only([.appStore]), .onlyOrMissing([])] as [LaunchPolicy] {
            #expect(throws: PureAttestError.validationCategoryNotAllowed(category)) { try verify(policy, entries) }
        }
        try verify(.reportOnly, entries)
        try verify(.only([category]), entries)
        try verify(.onlyOrMissing([.appStore, category]), entries)
    }

    /// Tests the neighbors of the numbers in `categoriesOfNoApp`, and a number without a name.
    @Test(arguments: [1, 6, 10, 11] as [UInt8])
    func categoriesOfApps(_ number: UInt8) throws {
        try verify(.only(nil), [(Self.category, CBOR.bytes([number, 0, 0, 0]))])
    }

    /// Apple, attestation step 11, assertion step 8.
    @Test func versions() throws {
        func entries(_ version: String) -> [([UInt8], [UInt8])] {
            [(Self.category, CBOR.unsigned(4)), (Self.version, CBOR.text(version))]
        }
        try verify(.only([.appStore], versions: .atLeast("2.0")), entries("2"))
        try verify(.only([.appStore], versions: .oneOf(["1", "3"])), entries("3"))
        try verify(.only([.appStore], versions: .matching { $0.description.hasSuffix("!") }), entries("4!"))
        try verify(.onlyOrMissing(nil, versions: .atLeast("2.0")), [])
        try verify(.only(nil, versions: .any), entries("x"))
        for policy in [
            .atLeast("2.0"), .oneOf(["1.90"]), .matching { $0.description.hasSuffix("!") },
        ] as [LaunchPolicy.Versions] {
            #expect(throws: PureAttestError.bundleVersionNotAllowed("1.9")) {
                try verify(.onlyOrMissing(nil, versions: policy), entries("1.9"))
            }
            #expect(throws: PureAttestError.bundleVersionNotAllowed(nil)) {
                try verify(.only(nil, versions: policy), [(Self.category, CBOR.unsigned(4))])
            }
        }
    }

    @Test func malformedUnderEveryPolicy() {
        for policy in [.reportOnly, .only([.appStore]), .onlyOrMissing(nil)] as [LaunchPolicy] {
            #expect(throws: PureAttestError.malformedExtensions) {
                try verify(policy, [(Self.category, CBOR.text("4"))])
            }
            #expect(throws: PureAttestError.extensionSpelledTwice) {
                try verify(policy, [(Self.category, CBOR.unsigned(4)), (Self.otherCategory, CBOR.unsigned(4))])
            }
        }
    }

    /// A build is written as the hexadecimal form of all its 32 bytes, or of the first 20 bytes.
    @Test func buildsAsText() {
        let digits = (0..<32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(CodeDirectoryHash(hexEncoded: digits) == CodeDirectoryHash([UInt8](0..<32)))
        #expect(CodeDirectoryHash(hexEncoded: String(digits.prefix(40)))?.isTruncated == true)
        for text in ["", "0", "zz", String(digits.dropLast(2)), digits + "00", " " + digits] {
            #expect(CodeDirectoryHash(hexEncoded: text) == nil)
        }
    }
}
