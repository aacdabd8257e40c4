#if arch(wasm32)
    import PureRSA
    import Runtime

    // Tests that PureRSA works in Embedded Swift with a 32-bit `Int`. `wasm.sh` links this code without imports, and
    // runs NIST's test cases in Node. No shipped module contains it.

    /// Allocates `count` bytes for an argument of the host, or returns null.
    @c(pure_android_allocate)
    public func allocate(_ count: Int32) -> UnsafeMutableRawPointer? {
        guard count >= 0 else { return nil }
        var block: UnsafeMutableRawPointer?
        guard unsafe posixMemalign(&block, 16, UInt(bitPattern: Int(count))) == 0 else { return nil }
        return unsafe block
    }

    /// Verifies an RSA signature with SHA-256. Returns 1 if the signature is valid, 0 if it is not, and −1 if the two
    /// numbers are not a valid key. The host allocates the memory of all arguments.
    @c(pure_rsa_verify)
    public func verify(
        _ modulus: UnsafeRawPointer, _ modulusCount: Int32, _ exponent: UnsafeRawPointer, _ exponentCount: Int32,
        _ signature: UnsafeRawPointer, _ signatureCount: Int32, _ message: UnsafeRawPointer, _ messageCount: Int32
    ) -> Int32 {
        let modulus = unsafe Array(UnsafeRawBufferPointer(start: modulus, count: Int(modulusCount)))
        let exponent = unsafe Array(UnsafeRawBufferPointer(start: exponent, count: Int(exponentCount)))
        let signature = unsafe Array(UnsafeRawBufferPointer(start: signature, count: Int(signatureCount)))
        let message = unsafe Array(UnsafeRawBufferPointer(start: message, count: Int(messageCount)))
        guard let key = try? RSA.Signing.PublicKey(n: modulus, e: exponent) else { return -1 }
        guard let signature = try? RSA.Signing.RSASignature(rawRepresentation: signature) else { return 0 }
        return key.isValidSignature(signature, for: message, padding: .insecurePKCS1v1_5) ? 1 : 0
    }
#endif
