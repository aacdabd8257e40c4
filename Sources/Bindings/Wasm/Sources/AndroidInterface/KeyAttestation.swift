#if arch(wasm32)
    import PureKeyAttestation

    /// Verifies a key attestation chain for an app, under Google's roots. `chain` is a sequence of certificates, each
    /// with a length prefix of two octets. `app` is a package name, followed by the 32-octet digest of the app's
    /// signing certificate. Returns 1 or 0.
    @c(pure_key_attestation_verify)
    public func verifyKeyAttestation(
        _ chain: UnsafeRawPointer, _ chainCount: Int32, _ app: UnsafeRawPointer, _ appCount: Int32,
        _ challenge: UnsafeRawPointer, _ challengeCount: Int32, _ time: Int64
    ) -> Int32 {
        var rest = unsafe Array(UnsafeRawBufferPointer(start: chain, count: Int(chainCount)))[...]
        let app = unsafe Array(UnsafeRawBufferPointer(start: app, count: Int(appCount)))
        let challenge = unsafe Array(UnsafeRawBufferPointer(start: challenge, count: Int(challengeCount)))
        var certificates: [ArraySlice<UInt8>] = []
        while rest.count >= 2 {
            let count = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            rest = rest.dropFirst(2)
            certificates.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        let verifier = KeyAttestationVerifier(
            apps: [AndroidApp(packageNameUTF8: Array(app.dropLast(32)), signingDigests: [Array(app.suffix(32))])],
            policy: KeyAttestationPolicy(requiresLockedDevice: false, acceptsAnyBootState: true, maximumPatchAge: nil))
        guard
            let verified = try? verifier.verify(
                chain: certificates, challenge: challenge, at: UnixTime(secondsSince1970: time), revocation: .notChecked
            ),
            let key = try? AttestedAndroidKey(serialized: verified.key.serialized)
        else { return 0 }
        return key == verified.key ? 1 : 0
    }
#endif
