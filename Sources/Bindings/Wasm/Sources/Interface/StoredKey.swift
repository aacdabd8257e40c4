// For WebAssembly, JavaScript creates the record instead (pure-attest.mjs), which saves 4 KB in the module.
#if !arch(wasm32)
    import PureAttest
    import PureECDSA

    /// Creates the key record of a public key that a different library verified; see
    /// `AttestedKey.init(trustingStoredKey:appID:environment:counter:)`. The key is x ‖ y (64 bytes), 04 ‖ x ‖ y (65
    /// bytes), or a SubjectPublicKeyInfo in DER. On success, returns 0 and writes a four-byte count and the record's
    /// bytes to `record`. On failure, returns the reason (``Refusal``).
    @c(pure_attest_import_key)
    public func importKey(
        _ publicKey: UnsafeRawPointer?, _ publicKeyCount: Int32, _ appID: UnsafeRawPointer?, _ appIDCount: Int32,
        _ environment: Int32, _ counter: UInt32, _ record: UnsafeMutableRawPointer?
    ) -> Int32 {
        code { () throws(Refusal) in
            let publicKey = unsafe try bytes(publicKey, publicKeyCount, limit: maximumKeySize)
            let appID = AppID(bytes: unsafe try bytes(appID, appIDCount))
            guard let environment = UInt8(exactly: environment).flatMap(Environment.init(rawValue:)) else {
                throw .malformedArgument
            }
            let record = unsafe try room(record, 4 + AttestedKey.maximumRecordSize)
            let key: AttestedKey
            do throws(PureAttestError) {
                key = try AttestedKey(
                    trustingStoredKey: x963(publicKey), appID: appID, environment: environment, counter: counter)
            } catch { throw Refusal(error) }
            let serialized = key.serialized
            unsafe record.storeBytes(of: Int32(serialized.count), as: Int32.self)
            unsafe copy(serialized, to: record, at: 4)
        }
    }

    /// The longest form, a SubjectPublicKeyInfo, is 91 bytes long.
    private var maximumKeySize: Int { 256 }

    private func x963(_ key: [UInt8]) throws(PureAttestError) -> [UInt8] {
        switch key.count {
        case 64: return [4] + key
        case 65: return key
        default:
            do { return try P256.Signing.PublicKey(derRepresentation: key).x963Representation } catch {
                throw .invalidPublicKey(error)
            }
        }
    }
#endif
