import Foundation

/// The bytes of a request that an assertion signs, as `SignedContent.request` of PureAttest makes them of what the server received.
///
/// `target` is the path with its query, as it stands in the request line; `challenge` and `keyID` are the raw bytes and not their Base64.
public func signedBytes(method: String, target: String, bodyHash: Data, challenge: Data, keyID: Data) -> Data {
    var bytes = Data("PureAttest request 1\0".utf8)
    for field in [Data(method.utf8), Data(target.utf8), bodyHash, challenge, keyID] {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: field.count >> shift)) }
        bytes += field
    }
    return bytes
}
