import PureBytes
import PureRSA

/// Fuzzes a key and a signature. Decoding any encoding of the key must give the same key. Only the genuine signature
/// may be valid, and only with the genuine key. A mutated key may have other valid signatures, but the fuzzer could
/// find one only by chance.
let rsaTarget = Target(name: "rsa", form: .parts([.der, .bytes])) { bytes in
    let parts = Parts(decoding: bytes, count: 2).parts
    let info = try? RSA.Signing.PublicKey(derRepresentation: parts[0])
    let plain = try? RSA.Signing.PublicKey(pkcs1DERRepresentation: parts[0])
    require(info.map { $0.derRepresentation == parts[0] } != false, "two encodings of one key")
    require(plain.map { $0.pkcs1DERRepresentation == parts[0] } != false, "two encodings of one key, PKCS #1")
    require(info == nil || plain == nil, "a key in two forms")
    let signature = try? RSA.Signing.RSASignature(rawRepresentation: parts[1])
    for key in [info, plain, genuine].compactMap(\.self) {
        require(try! RSA.Signing.PublicKey(n: key.modulus, e: [UInt8](bigEndian: key.publicExponent)) == key, "numbers")
        guard let signature else { continue }
        let isValid = key.isValidSignature(signature, for: World.clientData, padding: .insecurePKCS1v1_5)
        require(
            isValid == (key == genuine && parts[1] == genuineSignature), "a wrong verdict on a signature")
    }
} seeds: {
    [genuine.derRepresentation, genuine.pkcs1DERRepresentation].map { Parts([$0, genuineSignature]).encoded }
}

extension [UInt8] {
    fileprivate init(bigEndian number: UInt64) {
        self = (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }
}

private let genuine = try! RSA.Signing.PublicKey(
    n: [UInt8](
        hexEncoded: """
            e7d834e2e268eaaee1261a01cd93ffdf1949c4b60d74a817b2eceee9f8bee04829463ef468ceced70199e7a2bbd623efced12fa32793abf2\
            4c926ad34098932378bb93732bba43dce1a2311f1b30dea189dd222ec2495a3db4138d3427aefa24e34c63eedadaf846c071d436e3b9e2e1\
            725e3694fa2da136bbbfda2152f80265d30a73816df409ff36967df44e73f7e82baf4e0a8d5d7a3f257c5819f73b8d337f5eecebe4733fdd\
            e818273eab7f0f5d7ec58611af69e9353a1fcf20aa12ea036f6055ea8dc77c9090653d12e4ef3ba9cf3f69ba5f57736d241cbf4705abd6ad\
            cabb1b4dfbfa363c1e21a09ec9186de963fc11beba55c47fdb0c91f9f7570267
            """), e: [1, 0, 1])

/// The signature of `World.clientData`, with SHA-256.
private let genuineSignature = try! [UInt8](
    hexEncoded: """
        2dcd26da50dd6fbe1fb10f98190ac25a2aa0a2fbc366745cfbc3b5c7ec1006234e4637074245bdcc3dde7e4aafaab5c166ab072f186e20c4\
        0f1512d56d4af3da9c9a65b35bca2181c15489736a14d80850172ec357125188cabf6bb20f3d33e763922de1cd82ea0262322c814904f9cb\
        85484a139e27f1763d93c533b7ce0dbe05440f9584c7298049ae03c115e391e7f74d21a1a4dfcd86e1f3bd08e4953fbd15cd701ea3548277\
        4b121f2cf32ac073f161583a045e03a2fe4545b247fef6d22dc13f54159c3c325718e73af1d1de673c3796f36c76cc45d8e6e0ab42f69098\
        13d8600007c5ed62cb792bcfb3586b9650913021ee56390ac4ca16f79819221e
        """)
