import DebugSampling
import ReferenceModel
import Testing
import VectorSupport

/// Tests signatures that reach branches of verification that random signatures never reach. The model, the key and its
/// precomputed form must give the verdict that follows from the construction.
struct EdgeSignatureTests {
    private func check(_ signatures: [EdgeSignature], count: Int) throws {
        #expect(signatures.count == count)
        for edge in signatures {
            let key = try VectorKey(edge.publicKey, on: edge.curve)
            for isPrecomputed in [false, true] {
                let verdict = key.isValidSignature(
                    r: edge.r, s: edge.s, digest: edge.digest, on: edge.curve, isPrecomputed: isPrecomputed)
                #expect(verdict == edge.isValid, "\(edge.name)")
            }
        }
        // Samples the signatures, because in a debug build the model takes a second per signature.
        for edge in debugSample(signatures, every: 13, of: "edge signatures by the model") {
            let verdict = ReferenceECDSA.verify(
                hash: edge.digest, r: edge.r, s: edge.s, publicKey: edge.publicKey, on: edge.curve.model)
            #expect(verdict == edge.isValid, "\(edge.name)")
        }
    }

    /// x(R) is in [n, p), so r = x(R) − n, and only the second comparison (with r + n) accepts the signature. About 1
    /// in 2¹³⁰ (P-256) or 2¹⁹⁴ (P-384) random signatures has this property.
    @Test(arguments: VectorCurve.allCases)
    func acceptsRPlusN(_ curve: VectorCurve) throws {
        var builder = EdgeSignatureBuilder(curve)
        var signatures: [EdgeSignature] = []
        for point in builder.points(from: builder.n + 1, count: 4) {
            let r = try #require(point.x) - builder.n
            #expect(!r.isZero && r + builder.n < builder.model.p)
            for R in [point, builder.model.negate(point)] {
                let digest = builder.digest(count: curve.byteCount)
                let s = builder.scalar()
                let edge = try #require(
                    builder.signature("r + n = x(R)", noncePoint: R, r: r, s: s, digest: digest))
                #expect(edge.isValid)
                signatures.append(edge)
            }
        }
        try check(signatures, count: 8)
    }

    /// If r + n ≥ p, the second comparison does not apply. R has x = j, so r = p − n + j passes only if the verifier
    /// wrongly reduces r + n mod p.
    @Test(arguments: VectorCurve.allCases)
    func rejectsRPlusNBeyondP(_ curve: VectorCurve) throws {
        var builder = EdgeSignatureBuilder(curve)
        let (p, n) = (builder.model.p, builder.n)
        var signatures: [EdgeSignature] = []
        for point in builder.points(from: 0, count: 4) {
            let j = try #require(point.x)
            let (s, digest) = (builder.scalar(), builder.digest(count: curve.byteCount))
            let wrapped = try #require(
                builder.signature("r + n = p + \(j)", noncePoint: point, r: p - n + j, s: s, digest: digest))
            #expect(!wrapped.isValid)
            signatures.append(wrapped)
            // The sum r + n = 2^bits + j overflows, and equals x(R) if the verifier loses the carry.
            let carried = builder.signature(
                "r + n = 2^bits + \(j)", noncePoint: point, r: .power(ofTwo: 8 * curve.byteCount) - n + j, s: s,
                digest: digest)
            signatures.append(try #require(carried))
            // The valid counterpart has r = j with r + n < p, and the first comparison accepts it.
            if !j.isZero {
                let twin = builder.signature("r = \(j)", noncePoint: point, r: j, s: s, digest: digest)
                signatures.append(try #require(twin))
            }
        }
        // These signatures are valid: x(R) is just below n, so r = x(R).
        for point in builder.points(from: n - 12, count: 3) where try #require(point.x) < n {
            let x = try #require(point.x)
            let (s, digest) = (builder.scalar(), builder.digest(count: curve.byteCount))
            signatures.append(
                try #require(builder.signature("r = x(R) = n − …", noncePoint: point, r: x, s: s, digest: digest)))
        }
        try check(signatures, count: 14)
    }

    @Test(arguments: VectorCurve.allCases)
    func verifiesChosenSums(_ curve: VectorCurve) throws {
        var builder = EdgeSignatureBuilder(curve)
        var specifications = builder.chosenSums()
        let total = specifications.count
        specifications = debugSample(specifications, every: 23, of: "sums on \(curve)")
        #expect(total == 360)
        let signatures = specifications.map { builder.signature(u1: $0.u1, u2: $0.u2, d: $0.d) }
        #expect(signatures.contains { !$0.isValid } && signatures.contains { $0.isValid })
        try check(signatures, count: specifications.count)
    }

    /// Tests r and s at the ends of their range and with long runs of equal bits. These also affect s⁻¹, u₁ and u₂.
    @Test(arguments: VectorCurve.allCases)
    func verifiesEdgesOfRAndS(_ curve: VectorCurve) throws {
        var builder = EdgeSignatureBuilder(curve)
        let n = builder.n
        let bits = n.bitWidth
        var signatures: [EdgeSignature] = []
        var nonces = builder.points(from: 1, count: 1) + builder.points(from: n - 20, count: 1)
        nonces.append(builder.model.multiply(builder.scalar(), builder.model.generator))
        let edges: [BigUInt] = [
            1, 2, 3, n - 1, n - 2, (n + 1) / 2, n >> 1, .power(ofTwo: bits / 2), .power(ofTwo: bits - 1),
        ]
        let pairs = edges.flatMap { s in nonces.map { (s: s, point: $0) } }
        #expect(pairs.count == 27)
        let sample = debugSample(pairs, every: 4, of: "edges of r and s on \(curve)")
        for (s, R) in sample {
            let r = try #require(R.x) % n
            let digest = builder.digest(count: curve.byteCount)
            signatures.append(try #require(builder.signature("s = \(s)", noncePoint: R, r: r, s: s, digest: digest)))
        }
        try check(signatures, count: sample.count)
    }

    /// FIPS 186-5 §6.4.2 step 3: tests digests of every length, runs of zeros and ones, and e ≥ n, e = 0, e = n ≡ 0.
    @Test(arguments: VectorCurve.allCases)
    func verifiesEveryDigest(_ curve: VectorCurve) throws {
        var builder = EdgeSignatureBuilder(curve)
        let count = curve.byteCount
        var digests: [[UInt8]] = [builder.n, builder.n + 1, builder.n - 1].map { $0.bigEndianBytes(count: count) }
        for length in [32, 48, 64] {
            let random = builder.digest(count: length)
            digests += [
                random, Array(repeating: 0, count: length), Array(repeating: 0xff, count: length),
                // Digests with leading zeros, which must stay, and with zeros where a longer hash is truncated.
                Array(repeating: 0, count: 8) + random[8...], Array(repeating: 0, count: 28) + random[28...],
                random[..<(length - 8)] + Array(repeating: 0, count: 8),
                [0x80] + Array(repeating: 0, count: length - 1), Array(repeating: 0, count: length - 1) + [1],
            ]
        }
        #expect(digests.count == 27)
        digests = debugSample(digests, every: 4, of: "digests on \(curve)")
        try check(digests.map { builder.signature("digest \($0)", digest: $0) }, count: digests.count)
    }

    @Test(arguments: VectorCurve.allCases)
    func truncatesLongerDigestsExactly(_ curve: VectorCurve) throws {
        var builder = EdgeSignatureBuilder(curve)
        let edge = builder.signature("any", digest: builder.digest(count: 64))
        let key = try VectorKey(edge.publicKey, on: curve)
        for index in edge.digest.indices {
            var digest = edge.digest
            digest[index] ^= 0x01
            let verdict = key.isValidSignature(r: edge.r, s: edge.s, digest: digest, on: curve)
            #expect(verdict == (index >= curve.byteCount), "byte \(index)")
        }
    }

    /// FIPS 186-5 §6.4.2 step 1: tests numbers out of range in both encodings. DER can contain numbers of any size.
    @Test(arguments: VectorCurve.allCases)
    func rejectsNumbersOutOfRange(_ curve: VectorCurve) throws {
        var builder = EdgeSignatureBuilder(curve)
        let n = builder.n
        let bound = BigUInt.power(ofTwo: 8 * curve.byteCount)
        // Chooses a nonce point with small x and a small s, so that r + n and s + n also fit into the raw encoding.
        let point = try #require(builder.points(from: 1, count: 1).first)
        let r = try #require(point.x)
        let digest = builder.digest(count: curve.byteCount)
        let edge = try #require(builder.signature("small", noncePoint: point, r: r, s: 7, digest: digest))
        let key = try VectorKey(edge.publicKey, on: curve)
        func verdicts(_ r: BigUInt, _ s: BigUInt) -> [Bool] {
            var verdicts = [key.isValidSignature(derSignature(r, s), as: .der, for: VectorDigest(digest))]
            if r < bound, s < bound { verdicts.append(key.isValidSignature(r: r, s: s, digest: digest, on: curve)) }
            return verdicts
        }
        #expect(verdicts(edge.r, edge.s) == [true, true])
        #expect(verdicts(edge.r, n - edge.s) == [true, true])
        var rejected = 0
        let outside: [BigUInt] = [
            0, n, n + 1, bound - 1, bound, bound + 1, n + n, n * n, bound * bound, .power(ofTwo: 4096),
        ]
        for wrong in outside {
            for (r, s) in [(wrong, edge.s), (edge.r, wrong), (wrong, wrong), (wrong, n - edge.s)] {
                rejected += 1
                #expect(!verdicts(r, s).contains(true), "\(r), \(s)")
            }
        }
        // Numbers that are congruent to r and to ±s, mod n or mod 2^bits.
        for (r, s) in [
            (edge.r + n, edge.s), (edge.r, edge.s + n), (edge.r + n, edge.s + n), (edge.r + n + n, edge.s),
            (edge.r + bound, edge.s), (edge.r, edge.s + bound), (edge.r, n - edge.s + n),
        ] {
            rejected += 1
            #expect(!verdicts(r, s).contains(true), "\(r), \(s)")
        }
        #expect(rejected == 47)
    }

    /// Flips every bit of r and s, of the digest and of the key's point (in a debug build, a sample of these bits).
    @Test(arguments: VectorCurve.allCases)
    func rejectsEveryFlippedBit(_ curve: VectorCurve) throws {
        var builder = EdgeSignatureBuilder(curve)
        let edge = builder.signature("any", digest: builder.digest(count: curve.byteCount))
        let key = try VectorKey(edge.publicKey, on: curve)
        let digest = VectorDigest(edge.digest)
        let raw = edge.r.bigEndianBytes(count: curve.byteCount) + edge.s.bigEndianBytes(count: curve.byteCount)
        #expect(key.isValidSignature(raw, as: .raw, for: digest))
        enum Target { case raw, der, digest, key(VectorKeyForm) }
        var flips: [(target: Target, bytes: [UInt8])] = []
        func flip(_ target: Target, _ bytes: [UInt8]) {
            for bit in 0..<8 * bytes.count {
                var flipped = bytes
                flipped[bit / 8] ^= 1 << UInt8(bit % 8)
                flips.append((target, flipped))
            }
        }
        flip(.raw, raw)
        flip(.der, derSignature(edge.r, edge.s))
        flip(.digest, edge.digest)
        for form in VectorKeyForm.allCases { flip(.key(form), key.bytes(as: form)) }
        // 17 and 8 have no common factor, so the sample includes every bit position of a byte.
        for (target, bytes) in debugSample(flips, every: 37, of: "flipped bits") {
            switch target {
            case .raw: #expect(!key.isValidSignature(bytes, as: .raw, for: digest))
            case .der: #expect(!key.isValidSignature(bytes, as: .der, for: digest))
            case .digest: #expect(!key.isValidSignature(raw, as: .raw, for: VectorDigest(bytes)))
            case .key(let form):
                guard let other = try? VectorKey(bytes, as: form, on: curve) else { continue }
                // A flipped bit can yield a different point of the curve only if the key is compressed.
                #expect(form == .compressed)
                #expect(other != key)
                #expect(!other.isValidSignature(raw, as: .raw, for: digest))
            }
        }
    }
}
