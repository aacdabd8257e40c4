import PureCBOR

/// The maximum sizes of inputs. Larger inputs are rejected before parsing.
public enum InputLimits {
    /// The largest attestation object: 64 KiB. Genuine objects are 5.3 to 5.9 KB long (iOS 14 to 27). Most of an object
    /// is its receipt, which has grown by 5 % in six years.
    public static let attestation = 65_536
    /// The largest assertion: 4 KiB. Genuine assertions are 135 to 210 bytes long.
    public static let assertion = 4_096

    /// The longest bundle version, in bytes. Apple allows 18 characters in `CFBundleVersion`. This limit also bounds
    /// the length of error texts.
    static let bundleVersion = 256

    /// The largest receipt: 64 KiB. Genuine receipts are 3.7 to 4.0 KB long.
    public static let receipt = 65_536
    /// The largest answer to a risk query: the largest receipt in Base64, plus 1 KiB of surrounding white space.
    static let receiptAnswer = receipt / 3 * 4 + 1_024

    /// Returns the bytes as a slice. Copies them unless they are an array. Rejects input longer than `limit` before it
    /// is copied.
    @inlinable
    static func slice(_ bytes: some Collection<UInt8>, upTo limit: Int) throws(PureAttestError) -> ArraySlice<UInt8> {
        guard bytes.count <= limit else { throw .inputTooLarge }
        return ArraySlice(bytes)
    }

    /// CTAP 2.1 §8 allows four levels. An attestation object nests maps and arrays three levels deep and has 13 CBOR
    /// items, or 19 with `cdHash`.
    static let attestationCBOR = CBORLimits(maximumDepth: 4, maximumItems: 64, maximumSize: attestation)
    /// An assertion has 5 CBOR items.
    static let assertionCBOR = CBORLimits(maximumDepth: 4, maximumItems: 64, maximumSize: assertion)
}

extension CBORMap {
    /// Decodes a map. Returns `nil` for an item of another type.
    init?(decoding bytes: ArraySlice<UInt8>, limits: CBORLimits) throws(PureAttestError) {
        let value: CBORValue
        do { value = try CBORValue(decoding: bytes, limits: limits) } catch { throw .malformedCBOR(error) }
        guard let map = value.map else { return nil }
        self = map
    }
}
