import Foundation
import PureSHA2
import Testing

// Ordinary CryptoKit (swift-crypto) code, one snippet a test, in which only `import Crypto` is replaced. The tables in
// the articles of PureSHA2 and PureECDSA list the code that does not compile.

@Suite("CryptoKit's habits: hashes and codes")
struct HashSnippets {
    let message = Data("abc".utf8)
    static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test func oneShot() {
        let digest = SHA256.hash(data: message)
        #expect(digest.map { String(format: "%02x", $0) }.joined() == Self.abc)
    }

    @Test func oneShotOfText() {
        let digest = SHA512.hash(data: Data("abc".utf8))
        #expect(
            digest.compactMap { String(format: "%02hhx", $0) }.joined().hasPrefix("ddaf35a193617abacc417349ae204131"))
    }

    @Test func typedResult() {
        let digest: SHA256Digest = SHA256.hash(data: message)
        let longer: SHA384.Digest = SHA384.hash(data: message)
        #expect(SHA256Digest.byteCount == 32 && SHA256.byteCount == 32 && SHA256.blockByteCount == 64)
        #expect(Array(digest).count == 32 && Array(longer).count == 48)
    }

    @Test func incremental() {
        var hasher = SHA256()
        hasher.update(data: Data("a".utf8))
        hasher.update(data: Array("bc".utf8))
        #expect(hasher.finalize() == SHA256.hash(data: message))
    }

    @Test func incrementalFromBuffer() {
        var hasher = SHA384()
        message.withUnsafeBytes { hasher.update(bufferPointer: $0) }
        #expect(hasher.finalize() == SHA384.hash(data: message))
    }

    @Test func incrementalFromSpan() {
        var hasher = SHA512()
        let bytes = Array(message)
        hasher.update(bytes: bytes.span.bytes)
        #expect(hasher.finalize() == SHA512.hash(data: message))
    }

    @Test func incrementalFromFile() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("CryptoKitHabits-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(repeating: 7, count: 100_000).write(to: file)
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var hasher = SHA256()
        while let chunk = try handle.read(upToCount: 16 * 1024), !chunk.isEmpty { hasher.update(data: chunk) }
        #expect(hasher.finalize() == SHA256.hash(data: Data(repeating: 7, count: 100_000)))
    }

    @Test func dataOfDigest() {
        let data = Data(SHA256.hash(data: message))
        #expect(
            data.count == SHA256.byteCount
                && data.base64EncodedString() == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    }

    @Test func unsafeBytesOfDigest() {
        let data = SHA256.hash(data: message).withUnsafeBytes { Data($0) }
        #expect(data == Data(SHA256.hash(data: message)))
    }

    @Test func comparison() {
        let digest = SHA256.hash(data: message)
        let expected = Data(digest)
        #expect(digest == expected)
        #expect(digest == Array(expected))
        #expect(!(digest == expected.dropLast()))
        #expect(digest != SHA256.hash(data: Data()))
        #expect(digest != Data(count: 32))
    }

    @Test func description() {
        #expect("\(SHA256.hash(data: message))" == "SHA256 digest: \(Self.abc)")
        #expect(SHA384.hash(data: message).description.hasPrefix("SHA384 digest: cb00753f45a35e8bb5a03d699ac65007"))
        #expect(String(describing: SHA512.hash(data: message)).hasPrefix("SHA512 digest: ddaf35a1"))
        #expect(SHA256.hash(data: message).hexString == Self.abc)
    }

    @Test func lastWordOfDescription() {
        let hex = SHA256.hash(data: message).description.replacingOccurrences(of: "SHA256 digest: ", with: "")
        #expect(hex == Self.abc)
    }

    @Test func bytesOfTheIterator() {
        // Code samples on the web often define `array` in an extension of `Digest`.
        #expect(SHA256.hash(data: message).array == Array(SHA256.hash(data: message)))
    }

    @Test func setsAndDictionaries() {
        var seen = Set<SHA256Digest>()
        #expect(seen.insert(SHA256.hash(data: message)).inserted)
        #expect(!seen.insert(SHA256.hash(data: message)).inserted)
        #expect([SHA256.hash(data: message): "abc"][SHA256.hash(data: message)] == "abc")
    }

    @Test func generic() {
        func hex<H: HashFunction>(of data: Data, with: H.Type) -> String {
            var hasher = H()
            hasher.update(data: data)
            return hasher.finalize().map { String(format: "%02x", $0) }.joined()
        }
        func sameLength<D: Digest>(_ digest: D, _ data: Data) -> Bool { D.byteCount == data.count && digest == data }
        #expect(hex(of: message, with: SHA256.self) == Self.abc)
        #expect(sameLength(SHA384.hash(data: message), Data(SHA384.hash(data: message))))
    }

    @Test func genericOverSpans() {
        func hash<H: HashFunction>(_ bytes: Span<UInt8>, with: H.Type) -> H.Digest { H.hash(bytes: bytes) }
        #expect(hash(Array(message).span, with: SHA256.self) == SHA256.hash(data: message))
    }

    @Test func genericOverData() {
        func checksum<D: DataProtocol>(_ data: D) -> Data { Data(SHA256.hash(data: data)) }
        #expect(
            checksum(message) == checksum([UInt8]("abc".utf8))
                && checksum("abc".utf8.map { $0 }[...]) == checksum(message))
    }

    // MARK: Authentication codes, RFC 4231 case 2

    static let mac = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    let key = SymmetricKey(data: Data("Jefe".utf8))
    let text = Data("what do ya want for nothing?".utf8)

    @Test func authenticationCode() {
        let code = HMAC<SHA256>.authenticationCode(for: text, using: key)
        #expect(Data(code).map { String(format: "%02hhx", $0) }.joined() == Self.mac)
        #expect(code.byteCount == 32 && "\(code)" == "HMAC with SHA256: \(Self.mac)")
        #expect(code.withUnsafeBytes { Data($0) } == Data(code))
    }

    @Test func validation() {
        let code = HMAC<SHA512>.authenticationCode(for: text, using: key)
        #expect(HMAC<SHA512>.isValidAuthenticationCode(code, authenticating: text, using: key))
        #expect(HMAC<SHA512>.isValidAuthenticationCode(Data(code), authenticating: text, using: key))
        #expect(!HMAC<SHA512>.isValidAuthenticationCode(Data(code).dropLast(), authenticating: text, using: key))
        #expect(
            !HMAC<SHA512>.isValidAuthenticationCode(
                code, authenticating: text, using: SymmetricKey(data: Data("jefe".utf8))))
    }

    @Test func incrementalCode() {
        var hmac = HMAC<SHA384>(key: key)
        for part in ["what do ya want ", "for nothing?"] { hmac.update(data: Data(part.utf8)) }
        let code: HMAC<SHA384>.MAC = hmac.finalize()
        #expect(code == HMAC<SHA384>.authenticationCode(for: text, using: key))
        #expect(code == Data(code) && !(code != Data(code)) && code != Data(code).dropLast())
    }

    @Test func incrementalCodeFromSpan() {
        var hmac = HMAC<SHA256>(key: key)
        hmac.update(bytes: Array(text).span.bytes)
        #expect(hmac.finalize() == HMAC<SHA256>.authenticationCode(for: text, using: key))
    }

    @Test func codeAsText() {
        let signature = HMAC<SHA256>.authenticationCode(for: text, using: key)
        let header = "sha256=" + signature.map { String(format: "%02x", $0) }.joined()
        #expect(header == "sha256=\(Self.mac)")
    }

    @Test func newKeys() {
        let key = SymmetricKey(size: .bits256)
        #expect(key.bitCount == 256 && SymmetricKey(size: SymmetricKeySize(bitCount: 512)).bitCount == 512)
        #expect([SymmetricKeySize.bits128, .bits192].map { SymmetricKey(size: $0).bitCount } == [128, 192])
        #expect(key != SymmetricKey(size: .bits256))
        #expect(key == SymmetricKey(data: key.withUnsafeBytes { Data($0) }))
    }

    @Test func keysDoNotShowThemselves() {
        let key = SymmetricKey(data: [0xDE, 0xAD, 222, 173])
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains("222") && !text.lowercased().contains("dead"))
        }
    }
}

extension Digest {
    fileprivate var array: [UInt8] { Array(makeIterator()) }
}
