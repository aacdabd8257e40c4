import PureCBOR
import PureECDSA
import PureSHA2

// MARK: In the function
let example = try Example()
let keyBytes = example.verified.key.publicKeyX963
let object = try CBORValue(decoding: example.assertion(Example.challenge)).map
let signatureBytes = object?[text: "signature"]?.byteString ?? []
let message = [UInt8](
    SHA256.hash(
        data: (object?[text: "authenticatorData"]?.byteString ?? []) + [UInt8](SHA256.hash(data: Example.challenge))))
let received = [
    (
        signature: try P256.Signing.ECDSASignature(derRepresentation: signatureBytes),
        digest: SHA256.hash(data: message), key: try P256.Signing.PublicKey(x963Representation: keyBytes)
    )
]
