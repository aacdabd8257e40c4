import ReferenceModel
import VectorSupport

/// A signature that makes verification take a certain branch, with the expected verdict.
struct EdgeSignature: Sendable {
    var name: String
    var curve: VectorCurve
    var publicKey: ModelPoint
    var digest: [UInt8]
    var r: BigUInt
    var s: BigUInt
    var isValid: Bool
}

/// Builds edge signatures on one curve. Unlike in real signing, the builder chooses and knows the keys and nonces.
struct EdgeSignatureBuilder {
    let curve: VectorCurve
    var generator = SplitMix64(seed: 0xedce)

    var model: ModelCurve { curve.model }
    var n: BigUInt { model.n }

    init(_ curve: VectorCurve) { self.curve = curve }

    mutating func scalar() -> BigUInt { .random(below: n - 1, using: &generator) + 1 }

    private func inverse(_ value: BigUInt) -> BigUInt {
        guard let inverse = value.inverse(modulo: n) else { preconditionFailure("no inverse") }
        return inverse
    }

    /// Builds the signature whose verification computes u₁·G + u₂·Q with Q = d·G, for u₂ ≠ 0. R = (u₁ + u₂d)·G yields
    /// r, then s = r/u₂ and e = u₁·s. If the sum is infinity, no r is valid, so verification must reject r = 1.
    func signature(u1: BigUInt, u2: BigUInt, d: BigUInt) -> EdgeSignature {
        let point = model.multiply((u1 + u2 * d) % n, model.generator)
        let r = point.x.map { $0 % n } ?? 1
        let s = r * inverse(u2) % n
        return EdgeSignature(
            name: "u1 = \(u1), u2 = \(u2), d = \(d)", curve: curve, publicKey: model.multiply(d, model.generator),
            digest: (u1 * s % n).bigEndianBytes(count: curve.byteCount), r: r, s: s, isValid: point != .infinity)
    }

    /// Returns values of u₁, u₂ and d for which the sum is infinity, an addition needs a doubling, or one of the two
    /// summands is missing.
    mutating func chosenSums() -> [(u1: BigUInt, u2: BigUInt, d: BigUInt)] {
        let half = (n + 1) / 2
        let random = (scalar(), scalar(), scalar())
        var specifications: [(u1: BigUInt, u2: BigUInt, d: BigUInt)] = []
        // Chooses Q = ±G, ±2G, ±G/2, small multiples whose odd multiples are also odd multiples of G, and a random one.
        for d in [1, n - 1, 2, n - 2, half, n - half, 3, 15, 17, random.0] {
            for u2 in [1, 2, 15, 16, 17, n - 1, .power(ofTwo: 64), .power(ofTwo: n.bitWidth - 1), random.1] {
                let product = u2 * d % n
                // u₁ = 0 gives R = u₂Q. u₁ = ±u₂d makes the two summands equal, or makes the sum infinity.
                for u1 in [0, product, n - product, random.2] { specifications.append((u1, u2, d)) }
            }
        }
        return specifications
    }

    /// Recovers the key for which verifying (r, s) computes R = `noncePoint`, and returns (r, s) with this key. The
    /// signature is valid if and only if r is R's x-coordinate mod n.
    func signature(
        _ name: String, noncePoint: ModelPoint, r: BigUInt, s: BigUInt, digest: [UInt8]
    ) -> EdgeSignature? {
        let e = ReferenceECDSA.integer(ofHash: digest, on: model)
        guard
            let key = ReferenceECDSA.recoverPublicKey(e: e, r: r, s: s, noncePoint: noncePoint, on: model),
            key != .infinity
        else { return nil }
        return EdgeSignature(
            name: name, curve: curve, publicKey: key, digest: digest, r: r, s: s,
            isValid: noncePoint.x.map { $0 % n == r } ?? false)
    }

    mutating func signature(_ name: String, digest: [UInt8]) -> EdgeSignature {
        let d = scalar()
        let e = ReferenceECDSA.integer(ofHash: digest, on: model)
        while true {
            guard let pair = ReferenceECDSA.sign(e: e, privateKey: d, nonce: scalar(), on: model) else { continue }
            return EdgeSignature(
                name: name, curve: curve, publicKey: model.multiply(d, model.generator), digest: digest, r: pair.r,
                s: pair.s, isValid: true)
        }
    }

    mutating func digest(count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }

    /// Returns points for the `count` smallest x-coordinates from `first` up, each with its even y.
    func points(from first: BigUInt, count: Int) -> [ModelPoint] {
        var points: [ModelPoint] = []
        var x = first
        while points.count < count, x < model.p {
            if let point = model.points(x: x).first { points.append(point) }
            x = x + 1
        }
        return points
    }
}
