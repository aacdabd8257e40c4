import Foundation

/// Returns the bytes that the assertion of a signed request covers. PureAttest's `SignedContent.request` defines them.
///
/// `target` is the path and query as in the request line; `challenge` and `keyID` are raw bytes, not Base64.
public func signedBytes(method: String, target: String, bodyHash: Data, challenge: Data, keyID: Data) -> Data {
    var bytes = Data("PureAttest request 1\0".utf8)
    for field in [Data(method.utf8), Data(target.utf8), bodyHash, challenge, keyID] {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: field.count >> shift)) }
        bytes += field
    }
    return bytes
}
