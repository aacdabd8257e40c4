/// ECDSA as FIPS 186-5 §6.4 specifies it, on ``ModelCurve``.
public enum ReferenceECDSA {
    /// Returns the integer e of a hash: the leftmost min(N, bits of the hash) bits, where N is the bit length of n
    /// (FIPS 186-5 §6.4.2 step 3).
    public static func integer(ofHash hash: some Collection<UInt8>, on curve: ModelCurve) -> BigUInt {
        let e = BigUInt(bigEndian: hash)
        let excess = hash.count * 8 - curve.n.bitWidth
        return excess > 0 ? e >> excess : e
    }

    /// Returns whether (r, s) is a signature of the hash under Q: FIPS 186-5 §6.4.2, step by step.
    public static func verify(
        hash: some Collection<UInt8>, r: BigUInt, s: BigUInt, publicKey q: ModelPoint, on curve: ModelCurve
    ) -> Bool {
        verify(e: integer(ofHash: hash, on: curve), r: r, s: s, publicKey: q, on: curve)
    }

    /// Returns whether (r, s) is a signature of the integer e (any size) under Q.
    public static func verify(
        e: BigUInt, r: BigUInt, s: BigUInt, publicKey q: ModelPoint, on curve: ModelCurve
    ) -> Bool {
        let n = curve.n
        // §6.4.2 presumes that the public key is valid (SP 800-186 §D.1.1).
        guard q != .infinity, curve.isOnCurve(q) else { return false }
        // Step 1: r and s in [1, n − 1].
        guard !r.isZero, r < n, !s.isZero, s < n else { return false }
        // Steps 2–3 gave e. Step 4: s⁻¹ mod n.
        guard let w = s.inverse(modulo: n) else { return false }
        // Step 5: u = e · s⁻¹, v = r · s⁻¹.
        let u = e * w % n
        let v = r * w % n
        // Step 6: R = uG + vQ; reject infinity.
        let point = curve.add(curve.multiply(u, curve.generator), curve.multiply(v, q))
        guard let x = point.x else { return false }
        // Steps 7–8: convert x to an integer; check that r = x mod n.
        return x % n == r
    }

    /// Signs the integer e with the private key d and the nonce k, both in [1, n − 1]. Returns `nil` if the standard
    /// requires a different k (FIPS 186-5 §6.4.1).
    ///
    /// Use this only in tests, because a nonce that is not secret and fresh reveals the private key.
    public static func sign(
        e: BigUInt, privateKey d: BigUInt, nonce k: BigUInt, on curve: ModelCurve
    ) -> (r: BigUInt, s: BigUInt)? {
        let n = curve.n
        guard let inverse = k.inverse(modulo: n), let x = curve.multiply(k, curve.generator).x else { return nil }
        let r = x % n
        let s = inverse * (e + r * d) % n
        return r.isZero || s.isZero ? nil : (r, s)
    }

    /// Returns the public key under which (r, s) signs the integer e with R = `noncePoint`: Q = r⁻¹(sR − eG) (SEC 1
    /// §4.1.6). Tests use this function to choose a coordinate of R. Nobody knows the private key of the result.
    public static func recoverPublicKey(
        e: BigUInt, r: BigUInt, s: BigUInt, noncePoint: ModelPoint, on curve: ModelCurve
    ) -> ModelPoint? {
        guard let inverse = r.inverse(modulo: curve.n) else { return nil }
        let sR = curve.multiply(s * inverse % curve.n, noncePoint)
        let eG = curve.multiply((e * inverse).negated(modulo: curve.n), curve.generator)
        return curve.add(sR, eG)
    }
}
