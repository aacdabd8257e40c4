import Foundation
import PureECDSA
import PureX509

/// Reads the key in the first certificate of an object. A verifier can trust this key directly, without a chain.
enum XcodeKey {
    static func key(of object: AppStoreObject) throws -> P256.Signing.PublicKey {
        let part = object.jws.split(separator: ".")[0].replacing("-", with: "+").replacing("_", with: "/")
        let padded = part + String(repeating: "=", count: (4 - part.count % 4) % 4)
        struct Header: Decodable { let x5c: [Data] }
        let header = try JSONDecoder().decode(Header.self, from: Data(base64Encoded: String(padded)) ?? Data())
        let certificate = try Certificate(derEncoded: [UInt8](header.x5c[0]))
        guard let key = P256.Signing.PublicKey(certificate.publicKey) else { throw CocoaError(.coderInvalidValue) }
        return key
    }
}
