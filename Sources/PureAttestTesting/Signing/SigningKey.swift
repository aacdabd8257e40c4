import PureDER
package import PureECDSA
package import PureSHA2

/// A private ECDSA signing key (FIPS 186-5 §6.4.1) with the nonces of RFC 6979. **For tests only.** The running time
/// depends on the key, so timing reveals the key.
package struct SigningKey<Curve: ScalarOperations>: Sendable {
    /// x: ``PureECDSA/ScalarOperations/scalarByteCount`` octets.
    private let secret: [UInt8]
    /// 04 ‖ x ‖ y.
    package let x963: [UInt8]

    /// Creates a key from a number in [1, n − 1].
    init(secret: [UInt8]) {
        precondition(Curve.isPrivateScalar(secret))
        self.secret = secret
        x963 = Curve.generatorMultiple(secret)
    }

    /// Generates a key by rejection sampling (FIPS 186-5 §A.2.2).
    package init(from random: inout TestRandom) {
        var secret: [UInt8]
        repeat { secret = random.next(Curve.scalarByteCount) } while !Curve.isPrivateScalar(secret)
        self.init(secret: secret)
    }

    package func sign<H: HashFunction>(_ message: some Collection<UInt8>, hash: H.Type) -> SignatureNumbers {
        let digest = [UInt8](H.hash(data: message))
        let e = Curve.scalar(reducingBits: digest)
        // RFC 6979 §3.2 d: int2octets(x) ‖ bits2octets(h1).
        var nonces = HMACGenerator<H>(seed: secret + e)
        while true {
            // Step h.3: a candidate needs no truncation, because the bit length of n is a multiple of 8.
            let k = nonces.next(Curve.scalarByteCount)
            guard Curve.isPrivateScalar(k) else { continue }
            let point = Curve.generatorMultiple(k)
            let r = Curve.scalar(reducingBits: [UInt8](point[1...].prefix(Curve.scalarByteCount)))
            guard Curve.isPrivateScalar(r) else { continue }
            // FIPS 186-5 §6.4.1 step 9: s = k⁻¹·(e + r·d).
            let s = Curve.product(Curve.inverse(k), Curve.sum(e, Curve.product(r, secret)))
            guard Curve.isPrivateScalar(s) else { continue }
            return SignatureNumbers(r: r, s: s)
        }
    }
}

/// The numbers r and s of a signature, big-endian. Some faults replace them.
package struct SignatureNumbers: Equatable {
    package var r: [UInt8]
    package var s: [UInt8]

    /// Ecdsa-Sig-Value (RFC 3279 §2.2.3) in DER.
    package var derRepresentation: [UInt8] { der(.sequence, derInteger(r), derInteger(s)) }
}
