import DebugSampling
import Foundation
import PureBytes
import PureECDSALanes
import PureSHA2
import ReferenceModel
import Testing
import VectorSupport

@testable import PureECDSA

#if !(ProcessorExtensions && arch(x86_64))
    /// Replaces PureECDSA's type of the same name, which exists only with the trait.
    private struct IFMALanes: EightVerifications {
        func verify(u1: [UInt64], u2: [UInt64], r: [UInt64], points: [UInt64]) -> LaneVerdicts {
            verifyInLanes(
                u1: u1, u2: u2, r: r, points: points, generator: P256Curve.generatorWords,
                invert: P256Curve.inverseWords)
        }

        func verifyByMultiples(u1: [UInt64], u2: [UInt64], r: [UInt64], points: [UInt64]) -> LaneVerdicts {
            verifyInLanesByMultiples(
                u1: u1, u2: u2, r: r, points: points, generator: P256Curve.generatorWords,
                invert: P256Curve.inverseWords)
        }
    }
#endif

private typealias Item = P256.Signing.SignatureToVerify

/// Returns a batch item. The key has no tables if `form` is 0, has multiples if it is 1, and has a table otherwise.
private func item(_ edge: EdgeSignature, form: Int) throws -> Item {
    let key = try P256.Signing.PublicKey(x963Representation: edge.publicKey.x963(on: .p256))
    let signature = try P256.Signing.ECDSASignature(derRepresentation: derSignature(edge.r, edge.s))
    let digest = SHA256Digest(edge.digest)
    switch form {
    case 0: return Item(signature, for: digest, publicKey: key)
    case 1: return Item(signature, for: digest, publicKey: P256.Signing.PublicKeyMultiples(key))
    default: return Item(signature, for: digest, publicKey: P256.Signing.PrecomputedPublicKey(key))
    }
}

/// Counts the calls to the lanes, and the signatures that the lanes leave undecided.
private final class CountingLanes: EightVerifications {
    let lanes = IFMALanes()
    var calls = 0
    var undecided = 0

    private func count(_ verdicts: LaneVerdicts) -> LaneVerdicts {
        calls += 1
        undecided += verdicts.undecided.nonzeroBitCount
        #expect(verdicts.valid & verdicts.undecided == 0)
        return verdicts
    }

    func verify(u1: [UInt64], u2: [UInt64], r: [UInt64], points: [UInt64]) -> LaneVerdicts {
        count(lanes.verify(u1: u1, u2: u2, r: r, points: points))
    }

    func verifyByMultiples(
        u1: [UInt64], u2: [UInt64], r: [UInt64], points: [UInt64]
    ) -> LaneVerdicts {
        count(lanes.verifyByMultiples(u1: u1, u2: u2, r: r, points: points))
    }
}

/// Returns fixed verdicts, and records the number of words in each call.
private final class ConstantLanes: EightVerifications {
    let verdicts: LaneVerdicts
    var points: [Int] = []

    init(verdicts: LaneVerdicts) { self.verdicts = verdicts }

    func verify(u1: [UInt64], u2: [UInt64], r: [UInt64], points: [UInt64]) -> LaneVerdicts {
        self.points.append(points.count)
        return verdicts
    }

    func verifyByMultiples(
        u1: [UInt64], u2: [UInt64], r: [UInt64], points: [UInt64]
    ) -> LaneVerdicts {
        self.points.append(points.count)
        return verdicts
    }
}

@Suite(.enabled(if: processorRunsLanes, "The processor has no AVX-512 IFMA."))
struct SignatureBatchTests {
    private static let specialSums: [EdgeSignature] = {
        var builder = EdgeSignatureBuilder(.p256)
        let sums = debugSample(builder.chosenSums(), every: 37, of: "sums")
        return sums.map { builder.signature(u1: $0.u1, u2: $0.u2, d: $0.d) }
    }()

    /// Tests signatures with special values, each in every one of the eight lanes, for three forms of keys.
    @Test(arguments: [0, 1, 2])
    func specialSums(form: Int) throws {
        let edges = Self.specialSums
        let items = try edges.map { try item($0, form: form) }
        let lanes = CountingLanes()
        for shift in debugSample(Array(0..<8), every: 8, of: "rotations") {
            let order = items.indices.map { ($0 + shift) % items.count }
            let verdicts = P256.Signing.areValidSignatures(order.map { items[$0] }, by: lanes)
            for (i, verdict) in zip(order, verdicts) { #expect(verdict == edges[i].isValid, "\(edges[i].name)") }
        }
        #expect(lanes.calls > 0)
        // The lanes leave a signature undecided if they have to add equal or opposite points.
        #expect(lanes.undecided > 0)
    }

    /// Signatures for which x(R) is r + n, r, or p less than r + n. The tests of the three key forms share them.
    private static let rPlusN: Result<[EdgeSignature], any Error> = Result {
        var builder = EdgeSignatureBuilder(.p256)
        let (p, n) = (builder.model.p, builder.n)
        var edges: [EdgeSignature] = []
        for point in builder.points(from: n + 1, count: 4) {
            let r = try #require(point.x) - n, s = builder.scalar(), digest = builder.digest(count: 32)
            edges.append(try #require(builder.signature("r + n", noncePoint: point, r: r, s: s, digest: digest)))
        }
        for point in builder.points(from: 1, count: 4) {
            let x = try #require(point.x), s = builder.scalar(), digest = builder.digest(count: 32)
            edges.append(try #require(builder.signature("r = x", noncePoint: point, r: x, s: s, digest: digest)))
            // r + n = p + x.
            edges.append(
                try #require(builder.signature("p + x", noncePoint: point, r: p - n + x, s: s, digest: digest)))
        }
        return edges
    }

    /// If x(R) = r + n < p, the lanes must leave the signature undecided, because they compare only r.
    @Test(arguments: [0, 1, 2])
    func rPlusN(form: Int) throws {
        let edges = try Self.rPlusN.get()
        #expect(edges.count { $0.isValid } == 8)
        let items = try edges.map { try item($0, form: form) }
        let lanes = CountingLanes()
        let verdicts = P256.Signing.areValidSignatures(items, by: lanes)
        for (edge, verdict) in zip(edges, verdicts) { #expect(verdict == edge.isValid, "\(edge.name)") }
        #expect(lanes.undecided >= 8)
    }

    /// Tests batches of 0 to 26 signatures in random order, with all three key forms. About one signature in four is
    /// invalid, because its digest was changed after signing.
    @Test func mixedBatches() throws {
        var builder = EdgeSignatureBuilder(.p256)
        var generator = SplitMix64(seed: 40)
        var pool: [(item: Item, isValid: Bool)] = []
        // The stride of the sample has no factor in common with the numbers of digests and of forms.
        for i in debugSample(Array(0..<24), every: 5, of: "signatures in mixed batches") {
            var edge = builder.signature("\(i)", digest: builder.digest(count: 32))
            if i % 4 == 1 { edge.digest[i] ^= 1 }
            let item = try item(edge, form: i % 3)
            pool.append((item, i % 4 != 1))
            #expect(item.isValid == (i % 4 != 1))
        }
        for count in debugSample(Array(0...26), every: 14, from: 5, of: "lengths of batches") {
            let batch = (0..<count).compactMap { _ in pool.randomElement(using: &generator) }
            let lanes = IFMALanes()
            #expect(P256.Signing.areValidSignatures(batch.map(\.item), by: lanes) == batch.map(\.isValid))
        }
    }

    /// The lanes verify groups of four to eight signatures. The scalar code verifies all other signatures, including
    /// the signatures that the lanes leave undecided.
    @Test func groups() throws {
        var builder = EdgeSignatureBuilder(.p256)
        let valid = builder.signature("valid", digest: builder.digest(count: 32))
        let single = try item(valid, form: 0), multiple = try item(valid, form: 1)
        for (singles, multiples, expected) in [
            (0, 0, []), (3, 3, []), (4, 0, [64]), (8, 4, [64, 256]), (9, 3, [64]), (12, 17, [64, 64, 256, 256]),
        ] {
            let batch = Array(repeating: single, count: singles) + Array(repeating: multiple, count: multiples)
            let lanes = ConstantLanes(verdicts: (valid: 0b0000_0101, undecided: 0b1000_0010))
            let verdicts = P256.Signing.areValidSignatures(batch, by: lanes)
            #expect(lanes.points == expected)
            // In the expected pattern, the lanes accept signatures 0 and 2. The scalar code accepts signatures 1 and 7.
            let pattern = [true, true, true, false, false, false, false, true]
            let want = [singles, multiples].flatMap { count in
                (0..<count).map { count - $0 / 8 * 8 < 4 || pattern[$0 % 8] }
            }
            #expect(verdicts == want)
        }
    }

    @Test func committedSuites() throws {
        let file = try ResponseFile(committed: "nist-cavp/ecdsa/CAVP_186-3_SigVer.rsp")
        var items: [Item] = [], expected: [Bool] = []
        for section in file.sections where section.headers.contains(where: { $0.hasPrefix("P-256,") }) {
            for record in section.records {
                let point = try record.integer("Qx") + record.integer("Qy")
                let message = try record.bytes("Msg")
                let signature = try P256.Signing.ECDSASignature(
                    rawRepresentation: record.integer("R") + record.integer("S"))
                let key = try P256.Signing.PublicKey(rawRepresentation: point)
                switch section.headers.joined() {
                case "P-256,SHA-256": items.append(Item(signature, for: SHA256.hash(data: message), publicKey: key))
                case "P-256,SHA-384": items.append(Item(signature, for: SHA384.hash(data: message), publicKey: key))
                case "P-256,SHA-512": items.append(Item(signature, for: SHA512.hash(data: message), publicKey: key))
                default: continue
                }
                expected.append(try #require(record["Result"]).hasPrefix("P"))
            }
        }
        #expect(items.count == 45 && expected.contains(true) && expected.contains(false))
        // A debug build takes every fourth signature. Each hash has 15, so the sample's positions differ from hash to
        // hash. Other tests verify all these signatures without lanes.
        let sample = debugSample(Array(zip(items, expected)), every: 4, of: "signatures of NIST in lanes")
        #expect(Set(sample.map(\.1)) == [true, false])
        let lanes = IFMALanes()
        #expect(P256.Signing.areValidSignatures(sample.map(\.0), by: lanes) == sample.map(\.1))
    }

    @Test(.enabled(if: VectorDirectory.extra != nil, "PUREATTEST_EXTRA_VECTORS is not set: this suite did not run"))
    func wycheproof() throws {
        struct File: Decodable {
            struct Group: Decodable {
                struct Key: Decodable { let uncompressed: String }
                struct Case: Decodable { let msg, sig, result: String }
                let publicKey: Key
                let tests: [Case]
            }
            let testGroups: [Group]
        }
        let path = try #require(VectorDirectory.extra).appending(path: "ecdsa/ecdsa_secp256r1_sha256_test.json")
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: path))
        var items: [Item] = [], expected: [Bool] = []
        var withMultiples: [() -> Item] = []
        for group in file.testGroups {
            let key = try P256.Signing.PublicKey(
                x963Representation: [UInt8](hexEncoded: group.publicKey.uncompressed))
            for test in group.tests {
                guard
                    let signature = try? P256.Signing.ECDSASignature(
                        derRepresentation: [UInt8](hexEncoded: test.sig))
                else {
                    #expect(test.result == "invalid")
                    continue
                }
                let digest = SHA256.hash(data: try [UInt8](hexEncoded: test.msg))
                items.append(Item(signature, for: digest, publicKey: key))
                withMultiples.append {
                    Item(signature, for: digest, publicKey: P256.Signing.PublicKeyMultiples(key))
                }
                expected.append(test.result == "valid")
            }
        }
        #expect(items.count == 197)
        let lanes = CountingLanes()
        #expect(P256.Signing.areValidSignatures(items, by: lanes) == expected)
        #expect(lanes.undecided > 0)
        let sample = debugSample(
            Array(zip(withMultiples, expected)), every: 8, of: "signatures of Wycheproof by keys with multiples")
        #expect(Set(sample.map(\.1)) == [true, false])
        #expect(P256.Signing.areValidSignatures(sample.map { $0.0() }, by: lanes) == sample.map(\.1))
    }

    /// Tests generated signatures, half of them with one flipped bit. `PUREATTEST_LANE_SIGNATURES` sets their number.
    @Test func madeUpSignatures() throws {
        let count = ProcessInfo.processInfo.environment["PUREATTEST_LANE_SIGNATURES"].flatMap(Int.init) ?? 2_000
        var generator = SplitMix64(seed: UInt64(count))
        func octets() -> [UInt8] { (0..<32).map { _ in UInt8(truncatingIfNeeded: generator.next()) } }
        let lanes = IFMALanes()
        var made = 0
        let size = debugSample(Array(0..<64), every: 4, of: "signatures in a batch").count
        for _ in debugSample(Array(0..<(count + 63) / 64), every: 64, of: "batches of 64 made-up signatures") {
            var items: [Item] = [], expected: [Bool] = []
            let d = P256.scalar(reducingBits: octets())
            let key = try P256.Signing.PublicKey(x963Representation: P256.generatorMultiple(d))
            let multiples = P256.Signing.PublicKeyMultiples(key)
            while items.count < size {
                let k = P256.scalar(reducingBits: octets()), e = octets()
                let r = P256.scalar(reducingBits: Array(P256.generatorMultiple(k)[1..<33]))
                let s = P256.product(
                    P256.inverse(k), P256.sum(P256.scalar(reducingBits: e), P256.product(r, d)))
                var signature = r + s, digest = e
                let bit = Int.random(in: 0..<1536, using: &generator)
                if bit < 512 { signature[bit / 8] ^= 1 << UInt8(bit % 8) }
                if (512..<768).contains(bit) { digest[(bit - 512) / 8] ^= 1 << UInt8(bit % 8) }
                guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { continue }
                items.append(
                    items.count % 2 == 0
                        ? Item(signature, for: SHA256Digest(digest), publicKey: key)
                        : Item(signature, for: SHA256Digest(digest), publicKey: multiples))
                expected.append(bit >= 768)
            }
            let verdicts = P256.Signing.areValidSignatures(items, by: lanes)
            #expect(verdicts == expected)
            #expect(verdicts == items.map(\.isValid))
            made += items.count
        }
        print("\(made) made-up signatures in lanes")
    }
}

/// Tests the public batch function, which works on any processor. Without the instructions or the trait, the function
/// verifies signatures one by one.
struct SignatureBatchCallTests {
    @Test func verdictsAreInOrder() throws {
        var builder = EdgeSignatureBuilder(.p256)
        var pool: [(item: Item, isValid: Bool)] = []
        for i in 0..<6 {
            var edge = builder.signature("\(i)", digest: builder.digest(count: 32))
            if i == 1 { edge.digest[i] ^= 1 }
            pool.append((try item(edge, form: i % 3), i != 1))
        }
        for count in [0, 1, 2, 3, 9, 40] {
            let batch = (0..<count).map { pool[$0 % pool.count] }
            #expect(P256.Signing.areValidSignatures(batch.map(\.item)) == batch.map(\.isValid))
        }
    }

    /// Verification uses the leftmost 256 bits of a longer digest, as for single signatures.
    @Test func longerDigests() throws {
        var builder = EdgeSignatureBuilder(.p256)
        let edge = builder.signature("any", digest: builder.digest(count: 64))
        let key = try P256.Signing.PublicKey(x963Representation: edge.publicKey.x963(on: .p256))
        let signature = try P256.Signing.ECDSASignature(derRepresentation: derSignature(edge.r, edge.s))
        let long = SHA512Digest(edge.digest), middle = SHA384Digest(Array(edge.digest.prefix(48)))
        let short = SHA256Digest(Array(edge.digest.prefix(32))), other = SHA384Digest(Array(edge.digest.suffix(48)))
        let items = [
            Item(signature, for: long, publicKey: key), Item(signature, for: middle, publicKey: key),
            Item(signature, for: short, publicKey: key), Item(signature, for: other, publicKey: key),
        ]
        #expect(P256.Signing.areValidSignatures(items) == [true, true, true, false])
    }

    #if ProcessorExtensions && arch(x86_64)
        /// `Tests/Checks/ProcessorExtensions/run.sh` states in the environment whether the processor has the instructions.
        @Test func detectsTheProcessor() throws {
            let expected: Bool
            if let said = ProcessInfo.processInfo.environment["PUREATTEST_IFMA"] {
                expected = said == "yes"
            } else {
                let flags = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8).split(separator: "\n")
                    .first { $0.hasPrefix("flags") }?.split(separator: " ")
                expected = try #require(flags).contains("avx512ifma")
            }
            #expect(processorRunsLanes == expected)
        }
    #endif
}
