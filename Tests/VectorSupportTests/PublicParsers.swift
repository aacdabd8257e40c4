import Foundation
import PureAttest
import PureAttestServer
import PureAttestTesting
import PureBytes
import PureCBOR
import PureDER
import PureECDSA
import PureRSA
import PureSHA2
import PureX509
import VectorSupport

/// A public function that parses bytes, with a sample input.
struct PublicParser {
    /// The file in the form "Module/File.swift", as ``declarations(in:)`` returns it.
    let file: String
    let name: String
    let sample: [UInt8]
    /// Runs the function, and returns its result or error as text.
    let run: (ArraySlice<UInt8>) -> String

    init<T>(
        _ file: String, _ name: String, _ sample: [UInt8], _ run: @escaping (ArraySlice<UInt8>) throws -> T
    ) {
        self.file = file
        self.name = name
        self.sample = sample
        self.run = { bytes in String(describing: Swift.Result { try run(bytes) }) }
    }

    /// Returns the public functions with a slice or collection of bytes as a parameter, as "File.swift name(labels:)".
    static func declarations(in module: String) throws -> [String] {
        let sources = VectorDirectory.committed.deletingLastPathComponent().appending(path: "Sources/\(module)")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        let paths = (files?.allObjects ?? []).compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".swift") }
        return try paths.sorted().flatMap { path in
            let text = try String(contentsOfFile: path, encoding: .utf8)
            return text.matches(
                of:
                    /public (?:static |mutating |convenience )*(?:func )?(init|\w+)\??(?:<[^>]*>)?\(([^{}]*?)\)\s*(?:throws|->|\{|where)/
            ).filter { $0.2.contains("Collection<UInt8>") || $0.2.contains("ArraySlice<UInt8>") }.map { match in
                let parameters = match.2.replacing(/: \([^)]*\)/, with: ":")
                let labels = parameters.matches(of: /(?:^|, ?)\s*(\w+)(?: \w+)?:/).map { "\($0.1):" }
                return "\(path.split(separator: "/").last ?? "") \(match.1)(\(labels.joined()))"
            }
        }
    }
}

extension PublicParser {
    static let modules = [
        "PureBytes", "PureCBOR", "PureDER", "PureECDSA", "PureRSA", "PureSHA2", "PureX509", "PureX509Paths",
        "PureSignedContent", "PureJSON", "PureJWS", "PureAppStore",
        "PureAttest", "PureAttestServer", "PureAttestServerCore", "PureKeyAttestation",
    ]

    static func all() throws -> [PublicParser] {
        basic() + curve(P256.self) + curve(P384.self) + (try rsa()) + (try certificates()) + (try pathInputs())
            + (try attestations())
            + (try keyAttestations()) + (try purchases())
    }

    private static func basic() -> [PublicParser] {
        let text = Array("cGFkZGVk".utf8)
        let pem = PEM.encode(text, label: .certificate)
        let item: [UInt8] = [0xa2, 0x61, 0x61, 0x82, 0x01, 0x02, 0x41, 0x07, 0xd9, 0x01, 0x00, 0x63, 0xe2, 0x82, 0xac]
        return [
            PublicParser("Base64.swift", "encode(_:as:)", text) { Base64.encode($0) },
            PublicParser("Base64.swift", "decode(_:as:)", text) { try Base64.decode($0) },
            PublicParser("Base64.swift", "base64EncodedString(_:as:)", text) { base64EncodedString($0) },
            PublicParser("Hex.swift", "encode(_:)", text) { Hex.encode($0) },
            PublicParser("Hex.swift", "decode(_:)", Array("00ff7A".utf8)) { try Hex.decode($0) },
            PublicParser("Hex.swift", "hexEncodedString(_:)", text) { hexEncodedString($0) },
            PublicParser("PEM.swift", "init(_:)", Array("X509 CRL".utf8)) { PEM.Label($0)?.description },
            PublicParser("PEM.swift", "decode(_:label:)", pem) { try PEM.decode($0, label: .certificate) },
            PublicParser("PEM.swift", "decodeAll(_:label:)", text + [0x0A] + pem + pem) { try PEM.decodeAll($0) },
            PublicParser("PEM.swift", "encode(_:label:)", text) { PEM.encode($0, label: .cms) },
            PublicParser("PEM.swift", "pemEncodedString(_:label:)", text) { pemEncodedString($0, label: .cms) },
            PublicParser("ByteReader.swift", "init(_:)", text) {
                var reader = ByteReader($0)
                let parts: (UInt8, UInt32) = (try reader.readByte(), try reader.readBigEndian())
                return (parts, try reader.readBytes(3), reader.remaining, reader.isAtEnd, reader.peek())
            },
            PublicParser("ConstantTime.swift", "constantTimeEquals(_:_:)", text) {
                (constantTimeEquals($0, text), constantTimeEquals($0.dropFirst(), text.dropFirst()))
            },
            PublicParser("CBORReader.swift", "init(_:limits:options:)", item) {
                var reader = try CBORReader($0)
                return (try reader.readValue(), reader.remaining)
            },
            PublicParser("CBORValue.swift", "init(decoding:limits:options:)", item) {
                let value = try CBORValue(decoding: $0)
                return (value, value.diagnosticNotation, value.map?[text: "a"]?.array?.count)
            },
            PublicParser("HashFunction.swift", "hash(data:)", text) { Array(SHA256.hash(data: $0)) },
            PublicParser("HashFunction.swift", "update(data:)", text) {
                var hash = SHA512()
                hash.update(data: $0)
                hash.update(data: $0.dropFirst())
                return Array(hash.finalize())
            },
            PublicParser("SymmetricKey.swift", "init(data:)", text) {
                Array(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: $0)))
            },
            PublicParser("HMAC.swift", "init(key:)", text) {
                var code = HMAC<SHA256>(key: $0)
                code.update(data: text)
                return Array(code.finalize())
            },
            PublicParser("HMAC.swift", "update(data:)", text) {
                var code = HMAC<SHA384>(key: text)
                code.update(data: $0)
                return Array(code.finalize())
            },
            PublicParser("HMAC.swift", "authenticationCode(for:using:)", text) {
                Array(HMAC<SHA256>.authenticationCode(for: $0, using: $0))
            },
            PublicParser("HMAC.swift", "isValidAuthenticationCode(_:authenticating:using:)", text) {
                HMAC<SHA256>.isValidAuthenticationCode($0, authenticating: $0, using: $0)
            },
            PublicParser(
                "BERNormalizer.swift", "normalize(_:)", [0x30, 0x80, 0x24, 0x80, 4, 1, 7, 0, 0, 2, 1, 5, 0, 0]
            ) {
                try BERNormalizer.normalize($0)
            },
            PublicParser("DERBitString.swift", "init(contents:)", [3, 0xa8]) {
                (try DERBitString(contents: $0), try DERBitString(contents: $0).hasNoTrailingZeroBits)
            },
            PublicParser("DERHeader.swift", "init(decoding:)", [0xbf, 0x8a, 0x7b, 0x82, 0x01, 0x00]) {
                try DERHeader(decoding: $0)
            },
            PublicParser("DERReader.swift", "init(_:)", derSample) {
                var reader = DERReader($0)
                var inner = try reader.enter(.sequence)
                let number = try inner.readInt64()
                let text = try inner.readOctetString()
                let bits = try inner.readBitString()
                let time = try inner.readTime()
                let identifier = try inner.readObjectIdentifier().description
                return (number, text, bits, time, identifier, inner.remaining, try reader.peekTag())
            },
            PublicParser("ObjectIdentifier.swift", "init(contents:)", [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]) {
                (try ASN1ObjectIdentifier(contents: $0).contents, try ASN1ObjectIdentifier(contents: $0).description)
            },
        ]
    }

    private static func rsa() throws -> [PublicParser] {
        let n: [UInt8] = [0x80] + [UInt8](repeating: 0, count: 254) + [1]
        let key = try RSA.Signing.PublicKey(n: n, e: [1, 0, 1])
        let signature = try RSA.Signing.RSASignature(rawRepresentation: [UInt8](repeating: 2, count: 256))
        return [
            PublicParser("RSA.swift", "init(n:e:)", n) { try RSA.Signing.PublicKey(n: $0, e: [3]).modulus },
            PublicParser("RSA.swift", "init(n:e:)", [1, 0, 1]) {
                try RSA.Signing.PublicKey(n: n, e: $0).publicExponent
            },
            PublicParser("RSA.swift", "init(derRepresentation:)", key.derRepresentation) {
                try RSA.Signing.PublicKey(derRepresentation: $0).derRepresentation
            },
            PublicParser("RSA.swift", "init(pkcs1DERRepresentation:)", key.pkcs1DERRepresentation) {
                try RSA.Signing.PublicKey(pkcs1DERRepresentation: $0).pkcs1DERRepresentation
            },
            PublicParser("RSA.swift", "init(rawRepresentation:)", signature.rawRepresentation) {
                try RSA.Signing.RSASignature(rawRepresentation: $0).rawRepresentation
            },
            PublicParser("RSA.swift", "isValidSignature(_:for:padding:)", Array("message".utf8)) {
                key.isValidSignature(signature, for: $0, padding: .insecurePKCS1v1_5)
            },
        ]
    }

    /// A SEQUENCE of INTEGER −2, OCTET STRING, BIT STRING, UTCTime and OBJECT IDENTIFIER, followed by NULL.
    private static let derSample: [UInt8] =
        [0x30, 31, 2, 1, 0xfe, 4, 2, 8, 9, 3, 2, 4, 0xf0, 0x17, 13] + Array("260701000000Z".utf8)
        + [6, 3, 0x55, 4, 3, 5, 0]

    private static func curve<C: SampleCurve>(_ curve: C.Type) -> [PublicParser] {
        let (file, point, size) = (C.file, C.point, C.point.count / 2)
        let key = try? C.Key(x963Representation: point)
        let signature = [UInt8](repeating: 0, count: size - 1) + [7] + [UInt8](repeating: 0x11, count: size)
        let der: [UInt8] = [0x30, 8, 2, 1, 7, 2, 3, 0x11, 0x11, 0x11]
        return [
            PublicParser(file, "init(x963Representation:)", point) {
                try C.Key(x963Representation: $0).x963Representation
            },
            PublicParser(file, "init(rawRepresentation:)", Array(point.dropFirst())) {
                try C.Key(rawRepresentation: $0).rawRepresentation
            },
            PublicParser(file, "init(compressedRepresentation:)", key?.compressedRepresentation ?? []) {
                try C.Key(compressedRepresentation: $0).x963Representation
            },
            PublicParser(file, "init(compactRepresentation:)", Array(point.dropFirst().prefix(size))) {
                try C.Key(compactRepresentation: $0).x963Representation
            },
            PublicParser(file, "init(derRepresentation:)", key?.derRepresentation ?? []) {
                try C.Key(derRepresentation: $0).x963Representation
            },
            PublicParser(file, "init(rawRepresentation:)", signature) {
                try C.vectorCurve.rewriteSignature($0, from: .raw, to: .raw)
            },
            PublicParser(file, "init(derRepresentation:)", der) {
                try C.vectorCurve.rewriteSignature($0, from: .der, to: .raw)
            },
            PublicParser(file, "isValidSignature(_:for:)", Array("message".utf8)) { C.isValid(signature, $0) },
        ]
    }
}

protocol SampleCurve {
    associatedtype Key: SampleKey
    static var vectorCurve: VectorCurve { get }
    static var file: String { get }
    static var point: [UInt8] { get }
    static func isValid(_ signature: [UInt8], _ message: ArraySlice<UInt8>) -> [Bool]
}

protocol SampleKey {
    init(x963Representation bytes: some Collection<UInt8>) throws(ECDSAError)
    init(rawRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    init(compressedRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    init(compactRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    init(derRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    var x963Representation: [UInt8] { get }
    var rawRepresentation: [UInt8] { get }
    var compressedRepresentation: [UInt8] { get }
    var derRepresentation: [UInt8] { get }
}

extension P256.Signing.PublicKey: SampleKey {}
extension P384.Signing.PublicKey: SampleKey {}

extension P256: SampleCurve {
    typealias Key = Signing.PublicKey
    static var vectorCurve: VectorCurve { .p256 }
    static var file: String { "P256.swift" }
    static var point: [UInt8] { generatorMultiple([UInt8](repeating: 7, count: 32)) }
    static func isValid(_ signature: [UInt8], _ message: ArraySlice<UInt8>) -> [Bool] {
        guard let key = try? Key(x963Representation: point),
            let signature = try? Signing.ECDSASignature(rawRepresentation: signature)
        else { return [] }
        return [
            key.isValidSignature(signature, for: message),
            Signing.PrecomputedPublicKey(key).isValidSignature(signature, for: message),
        ]
    }
}

extension P384: SampleCurve {
    typealias Key = Signing.PublicKey
    static var vectorCurve: VectorCurve { .p384 }
    static var file: String { "P384.swift" }
    static var point: [UInt8] { generatorMultiple([UInt8](repeating: 7, count: 48)) }
    static func isValid(_ signature: [UInt8], _ message: ArraySlice<UInt8>) -> [Bool] {
        guard let key = try? Key(x963Representation: point),
            let signature = try? Signing.ECDSASignature(rawRepresentation: signature)
        else { return [] }
        return [
            key.isValidSignature(signature, for: message),
            Signing.PrecomputedPublicKey(key).isValidSignature(signature, for: message),
        ]
    }
}
