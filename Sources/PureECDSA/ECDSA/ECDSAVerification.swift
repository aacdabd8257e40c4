extension PrimeCurve {
    /// Verifies an ECDSA signature (FIPS 186-5 §6.4.2) for a public key without a stored table. Time: variable.
    static func isValid(
        _ signature: SignatureScalars<Self>, digest: Span<UInt8>, publicKey Q: AffinePoint<Self>
    ) -> Bool {
        verify(signature, Scalar(digest: digest)) { u1, u2 in doubleMultiplyVarTime(u1, u2, Q) }
    }

    static func isValid(
        _ signature: SignatureScalars<Self>, digest: Span<UInt8>, publicKey: WindowTable<Self>
    ) -> Bool {
        verify(signature, Scalar(digest: digest)) { u1, u2 in publicKey.doubleMultiplyVarTime(u1, u2) }
    }

    #if !hasFeature(Embedded)
        /// `publicKey` has the multiples 2^(k·j)·Q of the key Q, for scalars in parts of k bits.
        static func isValid<let parts: Int>(
            _ signature: SignatureScalars<Self>, digest: Span<UInt8>, publicKey: InlineArray<parts, AffinePoint<Self>>
        ) -> Bool {
            verify(signature, Scalar(digest: digest)) { u1, u2 in doubleMultiplyVarTime(u1, u2, publicKey) }
        }
    #endif

    /// Verifies a signature for `e`, the number that steps 2 and 3 derive from the leftmost bits of the digest.
    #if hasFeature(Embedded)
        @inline(never)
    #else
        @inline(__always)
    #endif
    private static func verify(
        _ signature: SignatureScalars<Self>, _ e: Scalar,
        multiply: (Scalar, Scalar) -> JacobianPoint<Self>
    ) -> Bool {
        // Step 1: `SignatureScalars` guarantees that r and s are in [1, n − 1].
        let (r, s) = (signature.r, signature.s)
        // Steps 4 and 5.
        let w = s.invertedVarTime()  // w = s⁻¹ mod n
        let u1 = e * w, u2 = r * w  // u₁ = e·w mod n, u₂ = r·w mod n
        // Step 6: R = u₁·G + u₂·Q; reject the point at infinity.
        let R = multiply(u1, u2)
        if R.isInfinity { return false }
        // Steps 7 and 8: test x_R mod n = r in projective coordinates. x_R is in [0, p), and by Hasse's theorem p < 2n
        // for n > 16. So x_R ≡ r mod n means that x_R = r or x_R = r + n. Each of these numbers is an x-coordinate only
        // if it is below p. Because x_R = X/Z² and Z ≠ 0, x_R = x ⇔ x·Z² = X.
        let zz = R.Z.squared()  // Z²
        if let x = xCoordinate(r), x * zz == R.X { return true }  // x_R = r
        if let x = xCoordinatePlusOrder(r), x * zz == R.X { return true }  // x_R = r + n
        return false
    }
}
