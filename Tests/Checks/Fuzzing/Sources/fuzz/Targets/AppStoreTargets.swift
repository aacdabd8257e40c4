import PureBytes
import PureDER
import PureECDSA
import PureJSON
import PureJWS

@testable import PureAppStore
@testable import PureAppStoreTesting
@testable import PureAttestTesting
@testable import PureX509

/// JSON, a JWS or a JWK. Reading every number must return. A JWS has one encoding.
let jwsTarget = Target(name: "jws", form: .members) { bytes in
    if let value = try? JSONValue(decoding: bytes) {
        let count = readNumbers(of: value)
        require(count <= bytes.count, "more values than the bytes can hold")
    }
    _ = try? JSONWebKeySet(decoding: bytes)
    if let key = try? JSONWebKey(decoding: bytes) {
        require((try? JSONWebKeySet(decoding: Array(#"{"keys":["#.utf8) + bytes + Array("]}".utf8))) != nil, "no set")
        _ = key.keyIDUTF8
    }
    guard let jws = try? JSONWebSignature(compactSerialization: bytes) else { return }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    require(parts.count == 3, "another number of parts")
    require(Base64.encode(jws.unverifiedPayload, as: .urlSafeUnpadded).elementsEqual(parts[1]), "two encodings")
    require(Base64.encode(jws.signature, as: .urlSafeUnpadded).elementsEqual(parts[2]), "two encodings")
    require((try? jws.verify(by: .es256(try! signerKey()))) == nil, "a forged signature")
} seeds: {
    let members = [
        #"{"a":[1,-2.5e3,"\u00e9",null,true,{}],"b":1e268435455,"c":1E-2147483648,"d":-0.0}"#,
        #"{"kty":"EC","crv":"P-256","x":"\#(coordinate(0))","y":"\#(coordinate(1))","use":"sig","kid":"1"}"#,
    ].map { Array($0.utf8) }
    return members + [TestAppStore(seed: 1).sign(content[0])]
}

/// The header, the content and the leaf's signed part. The target signs them under the tests' intermediate and root.
/// Accepted data is of the verifier's app and environment. The report must have the same verdict, and data of one kind
/// is of no other.
let appStoreTarget = Target(name: "app-store", form: .parts([.members, .members, .der])) { bytes in
    let parts = Parts(decoding: bytes, count: 3).parts
    let chain = [certificate(parts[2], signedBy: intermediateKey), intermediateCertificate, rootCertificate]
    let x5c = chain.map { #"""# + World.base64String($0) + #"""# }.joined(separator: ",")
    let header = parts[0].dropLast() + Array(",\"x5c\":[\(x5c)]}".utf8)
    let input = [header, parts[1]].map { Base64.encode($0, as: .urlSafeUnpadded) }.joined(separator: [0x2E])
    let text = input + [0x2E] + Base64.encode(leafKey.rawSignature(of: Array(input)), as: .urlSafeUnpadded)
    var accepted: [SignedDataReport.Kind] = []
    for kind in SignedDataReport.Kind.allCases {
        let failure = appStoreVerifier.explain(kind, text, at: World.time).firstFailure
        do throws(AppStoreError) {
            try verify(kind, Array(text))
            require(failure == nil, "the report rejects")
            accepted.append(kind)
        } catch {
            require(failure == error, "the report has another error")
            require(!error.description.isEmpty, "an error without a description")
        }
    }
    require(accepted.count <= 1, "data of two kinds")
} seeds: {
    let leaf = leafDraft.signedPart()
    return content.map { Parts([Array(#"{"alg":"ES256"}"#.utf8), $0, leaf]).encoded }
}

private func verify(_ kind: SignedDataReport.Kind, _ text: [UInt8]) throws(AppStoreError) {
    switch kind {
    case .transaction:
        let verified = try appStoreVerifier.verifyAndDecodeTransaction(signedTransaction: text, at: World.time)
        require(verified.bundleID.isEqual(to: "com.example.fuzz"), "another app")
        require(verified.environment == .sandbox, "another environment")
        require(verified.signedDate.unixTime <= World.time.adding(300), "signed in the future")
        if let end = verified.expiresDate { require(!verified.isActive(at: end), "active at its end") }
    case .renewalInfo:
        let verified = try appStoreVerifier.verifyAndDecodeRenewalInfo(signedRenewalInfo: text, at: World.time)
        require(verified.environment == .sandbox, "another environment")
    case .appTransaction:
        let verified = try appStoreVerifier.verifyAndDecodeAppTransaction(signedAppTransaction: text, at: World.time)
        require(verified.bundleID.isEqual(to: "com.example.fuzz"), "another app")
        require(verified.environment == .sandbox, "another environment")
    case .notification:
        let verified = try appStoreVerifier.verifyAndDecodeNotification(signedPayload: text, at: World.time)
        // The inner JWS would need Apple's signature, or the seeds'.
        if case .data(let data) = verified.content {
            require(data.bundleID.isEqual(to: "com.example.fuzz"), "another app")
            require(data.transaction == nil, "a forged transaction")
        }
    }
}

/// Reads every number, and returns the number of values.
private func readNumbers(of value: JSONValue) -> Int {
    switch value {
    case .number(let number):
        if let exact = number.int64 { require(number.truncated == exact, "two values of one number") }
        return 1
    case .array(let values): return values.reduce(1) { $0 + readNumbers(of: $1) }
    case .object(let object):
        require(Set(object.members.map(\.name)).count == object.members.count, "a name twice")
        return object.members.reduce(1) { $0 + readNumbers(of: $1.value) }
    default: return 1
    }
}

private let milliseconds = (World.time.secondsSince1970 - 60) * 1_000
private let content: [[UInt8]] = [
    AppStoreContent.transaction(
        bundleID: "com.example.fuzz", signedDate: milliseconds, expiresDate: milliseconds + 1,
        more: #","revocationDate":null,"isUpgraded":false"#),
    AppStoreContent.renewalInfo(signedDate: milliseconds),
    AppStoreContent.appTransaction(bundleID: "com.example.fuzz", appAppleID: 42, signedDate: milliseconds),
    AppStoreContent.notification(
        type: "TEST", bundleID: "com.example.fuzz", appAppleID: 42, signedDate: milliseconds),
]

private let rootKey = World.issuerKey(50)
private let intermediateKey = World.issuerKey(51)
private let leafKey = World.issuerKey(52)
private let rootName: [(ASN1ObjectIdentifier, String)] = [(.commonName, "App Store root")]
private let intermediateName: [(ASN1ObjectIdentifier, String)] = [(.commonName, "App Store intermediate")]
private let leafDraft = appStoreDraft(
    [(.commonName, "App Store leaf")], by: intermediateName, of: leafKey,
    [.leafBasicConstraints, .signerKeyUsage, ExtensionDraft(TestAppStore.leafMark, derNull)])
private let intermediateCertificate = certificate(
    appStoreDraft(
        intermediateName, by: rootName, of: intermediateKey,
        [
            .issuerBasicConstraints(), .issuerKeyUsage, ExtensionDraft(TestAppStore.intermediateMark, derNull),
        ]
    ).signedPart(), signedBy: rootKey)
private let rootCertificate = certificate(
    appStoreDraft(rootName, by: rootName, of: rootKey, [.issuerBasicConstraints(), .issuerKeyUsage]).signedPart(),
    signedBy: rootKey)
private let appStoreVerifier = try! SignedDataVerifier(
    bundleIDUTF8: "com.example.fuzz".utf8, appAppleID: 42, environment: .sandbox,
    testRoots: [Certificate(derEncoded: rootCertificate[...])])

private func appStoreDraft(
    _ subject: [(ASN1ObjectIdentifier, String)], by issuer: [(ASN1ObjectIdentifier, String)], of key: SigningKey<P256>,
    _ extensions: [ExtensionDraft]
) -> CertificateDraft {
    CertificateDraft(
        serialNumber: [1], issuer: der(name: issuer), subject: der(name: subject),
        subjectPublicKeyInfo: IssuerSigningKey.p256(key).subjectPublicKeyInfo, from: TestCertificateAuthority.start,
        to: TestCertificateAuthority.end, hash: .sha256, extensions: extensions)
}

private func signerKey() throws -> P256.Signing.PublicKey {
    try P256.Signing.PublicKey(x963Representation: leafKey.x963)
}

/// x or y of the signer's key, in Base64url.
private func coordinate(_ index: Int) -> String {
    let bytes = leafKey.x963.dropFirst(1 + 32 * index).prefix(32)
    return String(decoding: Base64.encode(bytes, as: .urlSafeUnpadded), as: UTF8.self)
}
