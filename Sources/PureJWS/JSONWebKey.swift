import PureBytes
import PureECDSA
public import PureJSON

/// A public key for verification in JSON form (RFC 7517), on the elliptic curve P-256 or P-384.
public struct JSONWebKey: Hashable, Sendable {
    /// The key, with the algorithm of its curve.
    public let key: JWSVerificationKey
    /// `kid`, UTF-8.
    public let keyIDUTF8: ArraySlice<UInt8>?

    /// Decodes a JWK.
    public init(decoding json: some Collection<UInt8>) throws(JWSError) {
        let value: JSONValue
        do { value = try JSONValue(decoding: json) } catch { throw .malformedKeyJSON(error) }
        try self.init(value)
    }

    /// Reads a JWK. Ignores members that RFC 7517 and RFC 7518 §6.2 do not define.
    public init(_ value: JSONValue) throws(JWSError) {
        guard let members = value.object, let type = members["kty"]?.stringUTF8 else { throw .malformedKey }
        guard isEqual(type, "EC") else { throw .unsupportedKey }
        // RFC 7518 §6.2.2: `d` is the private key, which must not be published.
        guard members["d"] == nil else { throw .privateKey }
        guard let curve = members["crv"]?.stringUTF8 else { throw .malformedKey }
        if isEqual(curve, "P-256") {
            let point = try Self.point(members, coordinateSize: 32)
            do { key = .es256(try P256.Signing.PublicKey(x963Representation: point)) } catch {
                throw .invalidPublicKey(error)
            }
        } else if isEqual(curve, "P-384") {
            let point = try Self.point(members, coordinateSize: 48)
            do { key = .es384(try P384.Signing.PublicKey(x963Representation: point)) } catch {
                throw .invalidPublicKey(error)
            }
        } else {
            throw .unsupportedKey
        }
        keyIDUTF8 = try Self.text("kid", in: members)
        guard try Self.allowsVerification(members, by: key.algorithm) else { throw .keyNotForVerification }
    }

    /// Returns 04 ‖ x ‖ y. RFC 7518 §6.2.1.2: "The length of this octet string MUST be the full size of a coordinate".
    private static func point(_ members: JSONObject, coordinateSize: Int) throws(JWSError) -> [UInt8] {
        var point: [UInt8] = [4]
        for name in ["x", "y"] as [StaticString] {
            guard let text = members[name]?.stringUTF8 else { throw .malformedKey }
            let coordinate: [UInt8]
            do { coordinate = try Base64.decode(text, as: .urlSafeUnpadded) } catch {
                throw .malformedBase64(.coordinate, error)
            }
            guard coordinate.count == coordinateSize else { throw .malformedKey }
            point += coordinate
        }
        return point
    }

    private static func text(
        _ name: StaticString, in members: JSONObject
    ) throws(JWSError) -> ArraySlice<UInt8>? {
        guard let value = members[name] else { return nil }
        guard let text = value.stringUTF8 else { throw .malformedKey }
        return text
    }

    /// RFC 7517 §4.2, §4.3, §4.4: each of `use`, `key_ops` and `alg` must allow verification, if it is present.
    private static func allowsVerification(
        _ members: JSONObject, by algorithm: JWSAlgorithm
    ) throws(JWSError) -> Bool {
        if let use = try text("use", in: members), !isEqual(use, "sig") { return false }
        if let name = try text("alg", in: members), !isEqual(name, algorithm.name) { return false }
        guard let value = members["key_ops"] else { return true }
        guard let operations = value.array else { throw .malformedKey }
        return operations.contains { $0.stringUTF8.map { isEqual($0, "verify") } == true }
    }
}

/// A set of trusted keys in JSON form (RFC 7517 §5).
public struct JSONWebKeySet: Sendable {
    /// The usable keys, in the order of the text. Keys that this module does not support are ignored (RFC 7517 §5).
    public let keys: [JSONWebKey]

    /// Decodes a JWK Set.
    public init(decoding json: some Collection<UInt8>) throws(JWSError) {
        let value: JSONValue
        do { value = try JSONValue(decoding: json) } catch { throw .malformedKeyJSON(error) }
        guard let values = value.object?["keys"]?.array else { throw .malformedKeySet }
        keys = values.compactMap { try? JSONWebKey($0) }
    }

    /// Returns the only key with this `kid`. If `id` is `nil`, the method returns the only key of the set.
    public func key(id: ArraySlice<UInt8>?) throws(JWSError) -> JSONWebKey {
        let matches = id == nil ? keys : keys.filter { $0.keyIDUTF8 == id }
        guard matches.count == 1 else { throw .keyNotFound }
        return matches[0]
    }
}

extension JSONWebSignature {
    /// Verifies the signature with the key that the header's `kid` selects from a trusted set.
    public func verify(by keys: JSONWebKeySet) throws(JWSError) -> VerifiedJWS {
        try verify(by: keys.key(id: header.keyIDUTF8).key)
    }
}
