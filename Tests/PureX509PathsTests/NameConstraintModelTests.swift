import CertificateDrafts
import DebugSampling
import PureDER
import Testing

@testable import PureX509
@testable import PureX509Paths

/// Compares the verifier's name constraints with an independent model. The combinations resemble the combinations in
/// BetterTLS:
///
/// - a leaf with hosts, addresses and a common name
/// - permitted and excluded hosts and addresses
/// - critical and non-critical constraints
@Suite struct NameConstraintModelTests {
    // MARK: The model

    private enum ModelName {
        case host(String)
        case address([UInt8])

        /// The labels of a host from right to left, or the bits of an address.
        var steps: [String] {
            switch self {
            case .host(let name): name.lowercased().split(separator: ".").reversed().map(String.init)
            case .address(let octets):
                octets.flatMap { octet in (0..<8).map { octet & (0x80 >> UInt8($0)) == 0 ? "0" : "1" } }
            }
        }

        var isHost: Bool { if case .host = self { true } else { false } }
    }

    /// A constraint: a name, and the number of bits of an address to compare. For a host, all labels are compared.
    private struct ModelBase {
        var name: ModelName
        var bits = 0

        /// Performs RFC 5280 §4.2.1.10. A wildcard label in a leaf's host matches any label of an excluded name.
        func contains(_ other: ModelName, isExcluded: Bool) -> Bool {
            let base = name.isHost ? name.steps : Array(name.steps.prefix(bits)), steps = other.steps
            guard name.isHost || name.steps.count == steps.count, base.count <= steps.count else { return false }
            return zip(base, steps).allSatisfy { $0 == $1 || $1 == "*" && isExcluded }
        }
    }

    private struct Constraints {
        var permitted: [ModelBase] = []
        var excluded: [ModelBase] = []

        func permits(_ names: [ModelName]) -> Bool {
            names.allSatisfy { name in
                let bases = permitted.filter { $0.name.isHost == name.isHost }
                let isExcluded = excluded.contains {
                    $0.name.isHost == name.isHost && $0.contains(name, isExcluded: true)
                }
                return !isExcluded && (bases.isEmpty || bases.contains { $0.contains(name, isExcluded: false) })
            }
        }

        var encoded: [UInt8] {
            func list(_ number: UInt8, _ bases: [ModelBase]) -> [UInt8] {
                bases.isEmpty
                    ? [] : DER.context(number, bases.flatMap { DER.sequence(NameConstraintModelTests.encoded($0)) })
            }
            return DER.sequence(list(0, permitted), list(1, excluded))
        }
    }

    private static func encoded(_ name: ModelName) -> [UInt8] {
        switch name {
        case .host(let text): DER.implicit(2, Array(text.utf8))
        case .address(let octets): DER.implicit(7, octets)
        }
    }

    private static func encoded(_ base: ModelBase) -> [UInt8] {
        guard case .address(let octets) = base.name else { return encoded(base.name) }
        let mask = octets.indices.map { UInt8(truncatingIfNeeded: 0xFF00 >> min(max(base.bits - 8 * $0, 0), 8)) }
        return DER.implicit(7, octets + mask)
    }

    // MARK: Names and bases

    private static let commonNames = [nil, "test.localhost", "bad.example.com", "127.0.0.1"]
    private static let hosts: [[ModelName]] = [
        [], [.host("test.localhost")], [.host("bad.example.com")], [.host("test.localhost"), .host("bad.example.com")],
        [.host("*.localhost")], [.host("LOCALHOST")],
    ]
    private static let addresses: [[ModelName]] = [
        [], [.address([127, 0, 0, 1])], [.address([127, 0, 0, 1]), .address([1, 1, 1, 1])],
        [.address([0x20, 1] + [UInt8](repeating: 0, count: 13) + [1])],
    ]
    private static let hostBases: [[ModelBase]] = [
        [], [ModelBase(name: .host("localhost"))], [ModelBase(name: .host("Test.Localhost"))],
        [ModelBase(name: .host("example.com")), ModelBase(name: .host("com"))],
    ]
    private static let addressBases: [[ModelBase]] = [
        [], [ModelBase(name: .address([127, 0, 0, 1]), bits: 24)], [ModelBase(name: .address([1, 0, 0, 0]), bits: 9)],
        [ModelBase(name: .address([0x20, 1] + [UInt8](repeating: 0, count: 14)), bits: 16)],
    ]

    private static func leaf(_ names: [ModelName], _ commonName: String?) -> TestCertificate {
        TestChain.leaf.changing {
            $0.subject = commonName.map { DER.name($0) } ?? DER.sequence()
            guard !names.isEmpty else { return }
            $0.extensions! += [
                TestExtension.standard(
                    0x11, critical: commonName == nil, DER.element(0x30, names.flatMap { encoded($0) }))
            ]
        }
    }

    /// Name constraints never apply to a common name, even if it looks like a host or an address.
    @Test func combinations() throws {
        let constraints = try Self.hostBases.flatMap { permittedHosts in
            try Self.addressBases.flatMap { permittedAddresses in
                try Self.hostBases.flatMap { excludedHosts in
                    try Self.addressBases.compactMap { excludedAddresses in
                        let model = Constraints(
                            permitted: permittedHosts + permittedAddresses, excluded: excludedHosts + excludedAddresses)
                        guard !(model.permitted + model.excluded).isEmpty else {
                            return nil as (Constraints, NameConstraints)?
                        }
                        return (model, try NameConstraints(derEncoded: model.encoded[...]))
                    }
                }
            }
        }
        #expect(constraints.count == 255)
        let sample = debugSample(constraints, every: 3, of: "name constraints")
        var count = 0, permitted = 0
        for names in Self.hosts.flatMap({ hosts in Self.addresses.map { hosts + $0 } }) {
            for commonName in Self.commonNames where commonName != nil || !names.isEmpty {
                let leaf = try Self.leaf(names, commonName).certificate()
                for (model, constraints) in sample {
                    var state = NameConstraintState()
                    state.add(constraints)
                    var comparisons = 0
                    let isPermitted = (try? state.check(leaf, position: 0, comparisons: &comparisons)) != nil
                    if isPermitted != model.permits(names) { Issue.record("\(names) \(model)") }
                    count += 1
                    permitted += isPermitted ? 1 : 0
                }
            }
        }
        #expect(count == (6 * 4 * 4 - 1) * sample.count)
        #expect(permitted * 255 > 2_000 * sample.count && permitted < count / 2)
    }

    /// Validates paths for a server name. A common name never matches the server name.
    @Test(arguments: [true, false]) func paths(isCritical: Bool) throws {
        var requirements = PathRequirements()
        requirements.acceptsNonCriticalNameConstraints = true
        requirements.serverIdentity = ServerIdentity(dNSName: "test.localhost".utf8)
        let verifier = CertificatePathVerifier(trustAnchors: [try TrustAnchor(try TestChain.root.certificate())])
        for bases in Self.hostBases.dropFirst() {
            for model in [Constraints(permitted: bases), Constraints(excluded: bases)] {
                let authority = try TestChain.authority.changing {
                    $0.extensions! += [TestExtension.standard(0x1E, critical: isCritical, model.encoded)]
                }.certificate()
                for names in Self.hosts {
                    let leaf = try Self.leaf(names, "test.localhost").certificate()
                    let isServer = names.contains {
                        if case .host(let name) = $0 {
                            name == "test.localhost" || name == "*.localhost"
                        } else {
                            false
                        }
                    }
                    let path = try? verifier.validate(
                        leaf: leaf, intermediates: [authority], at: TestChain.now, meeting: requirements)
                    #expect((path != nil) == (isServer && model.permits(names)), "\(names) \(model)")
                }
            }
        }
    }
}
