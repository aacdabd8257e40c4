import DebugSampling
import PureRSA
import RSATestKeys
import PureSHA2
import ReferenceModel
import Testing
import VectorSupport

/// RFC 8017 §8.2.2: verification accepts signatures that the model creates, and rejects all other numbers.
struct SignatureTests {
    private let message = Array("sample".utf8)

    @Test(arguments: debugSample(TestKey.all, every: 3, from: 1, of: "keys"), VectorHash.allCases)
    func verifiesEachHashWithEachKey(_ key: TestKey, _ hash: VectorHash) throws {
        let signature = key.sign(message, hash)
        let publicKey = try key.publicKey()
        #expect(publicKey.keySizeInBits == key.n.bitWidth)
        #expect(publicKey.signatureByteCount == key.byteCount)
        #expect(publicKey.accepts(signature, of: message, hash))
        #expect(!publicKey.accepts(signature, of: message + [0], hash))
        for other in VectorHash.allCases where other != hash {
            #expect(!publicKey.accepts(signature, of: message, other))
        }
    }

    @Test func digestsAndDataHaveTheSameVerdict() throws {
        let key = TestKey.bits2048
        let publicKey = try key.publicKey()
        func isValid(_ signature: [UInt8], _ digest: some Digest) throws -> Bool {
            try publicKey.isValidSignature(
                RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: .insecurePKCS1v1_5)
        }
        let signature = key.sign(message, .sha256)
        #expect(try isValid(signature, SHA256.hash(data: message)))
        #expect(try !isValid(signature, SHA512.hash(data: message)))
        #expect(try isValid(key.sign(message, .sha384), SHA384.hash(data: message)))
        #expect(try isValid(key.sign(message, .sha512), SHA512.hash(data: message)))
        let parsed = try RSA.Signing.RSASignature(rawRepresentation: ([9] + signature)[1...])
        #expect(parsed.rawRepresentation == signature)
        #expect(publicKey.isValidSignature(parsed, for: message, padding: .insecurePKCS1v1_5))
        #expect(!publicKey.isValidSignature(parsed, for: message.dropLast(), padding: .insecurePKCS1v1_5))
    }

    @Test(arguments: [TestKey.bits2048, .bits2049, .bits4096])
    func rejectsEveryFlippedBit(_ key: TestKey) throws {
        let signature = key.sign(message, .sha256)
        let publicKey = try key.publicKey()
        let bits = debugSample(Array(0..<8 * signature.count), every: 149, of: "bits of a signature")
        for bit in bits {
            var flipped = signature
            flipped[bit / 8] ^= 1 << (bit % 8)
            #expect(!publicKey.accepts(flipped, of: message), "bit \(bit)")
        }
    }

    @Test(arguments: [TestKey.bits2048, .bits2055])
    func rejectsEveryKeyWithAFlippedBit(_ key: TestKey) throws {
        let signature = key.sign(message, .sha256)
        let der = try key.publicKey().derRepresentation
        var accepted = 0
        let bits = debugSample(Array(0..<8 * der.count), every: 149, of: "bits of a key")
        for bit in bits {
            var flipped = der
            flipped[bit / 8] ^= 1 << (bit % 8)
            guard let other = try? RSA.Signing.PublicKey(derRepresentation: flipped) else { continue }
            accepted += 1
            #expect(try other != key.publicKey())
            #expect(other.derRepresentation == flipped)
            #expect(!other.accepts(signature, of: message), "bit \(bit)")
        }
        #expect(accepted > bits.count / 2)
    }

    /// RFC 8017 §8.2.2 step 1, and §5.2.2 step 1: each number has only one valid octet string.
    @Test(arguments: TestKey.all)
    func rejectsOtherOctetsOfTheNumber(_ key: TestKey) throws {
        let signature = key.sign(message, .sha256)
        let publicKey = try key.publicKey()
        #expect(!publicKey.accepts([0] + signature, of: message))
        #expect(!publicKey.accepts(signature + [0], of: message))
        #expect(!publicKey.accepts(Array(signature.dropFirst()), of: message))
        #expect(!publicKey.accepts(Array(signature.dropLast()), of: message))
        #expect(!publicKey.accepts([], of: message))
        let sum = BigUInt(bigEndian: signature) + key.n
        if sum.bitWidth <= 8 * key.byteCount {
            #expect(!publicKey.accepts(sum.bigEndianBytes(count: key.byteCount), of: message))
        }
        for number in [0, 1, key.n - 1, key.n, .power(ofTwo: 8 * key.byteCount) - 1] {
            #expect(!publicKey.accepts(number.bigEndianBytes(count: key.byteCount), of: message))
        }
    }

    /// s and s + n are equal modulo n, so without the comparison with n, both would verify.
    @Test func rejectsAnUnreducedSignature() throws {
        // The top octet of the modulus has one bit, so s + n fits into the length of a signature.
        let key = TestKey.bits2049
        let sum = BigUInt(bigEndian: key.sign(message, .sha256)) + key.n
        #expect(sum.bitWidth <= 8 * key.byteCount)
        #expect(try !key.publicKey().accepts(sum.bigEndianBytes(count: key.byteCount), of: message))
    }

    /// The method of RFC 8017 §9.2 does not produce these encodings. A verifier that parses the padding would accept
    /// some of these encodings.
    @Test(arguments: [TestKey.bits2048, .bits2055])
    func rejectsEveryOtherEncoding(_ key: TestKey) throws {
        let publicKey = try key.publicKey()
        let right = key.encode(message, .sha256)
        #expect(publicKey.accepts(key.sign(encoded: right), of: message))
        let digest = VectorHash.sha256.digest(of: message)
        let info = VectorHash.sha256.digestInfo + digest
        let withoutNull = [0x30, 0x2f, 0x30, 0x0b] + info[4..<15] + [0x04, 0x20] + digest
        // The padding ends early, and garbage follows the digest.
        let short = [0, 1] + [UInt8](repeating: 0xFF, count: 8) + [0] + info
        let garbage = short + [UInt8](repeating: 0x5a, count: key.byteCount - short.count)
        let others: [(String, [UInt8])] = [
            ("no DigestInfo", key.encode(info: digest)), ("no NULL", key.encode(info: Array(withoutNull))),
            ("garbage", garbage), ("trailing zero", Array(right.dropFirst(3).prefix(1)) + right.dropFirst(4) + [0]),
            ("SHA-512's name", key.encode(info: VectorHash.sha512.digestInfo + digest)),
            ("BER length", key.encode(info: [0x30, 0x81, 0x31] + info.dropFirst(2))),
        ]
        for (name, encoded) in others {
            #expect(
                !publicKey.accepts(key.sign(encoded: [0] + encoded.suffix(key.byteCount - 1)), of: message), "\(name)")
        }
        for index in debugSample(Array(0..<right.count), every: 71, of: "octets of an encoding") {
            for bit in debugSample(Array(0..<8), every: 5, from: index, of: "bits of an octet") {
                var changed = right
                changed[index] ^= 1 << bit
                // Skips encodings of n or more, because the model cannot sign them.
                guard BigUInt(bigEndian: changed) < key.n else { continue }
                #expect(!publicKey.accepts(key.sign(encoded: changed), of: message), "octet \(index), bit \(bit)")
            }
        }
    }

    /// Bleichenbacher's attack of 2006 for e = 3: the cube of the forged signature begins like a valid encoding and
    /// ends with arbitrary octets.
    @Test func rejectsACubeRoot() throws {
        let key = TestKey.bits2048Exponent3
        let info = VectorHash.sha256.digestInfo + VectorHash.sha256.digest(of: message)
        let start = [0, 1] + [UInt8](repeating: 0xFF, count: 8) + [0] + info
        let least = BigUInt(bigEndian: start + [UInt8](repeating: 0, count: key.byteCount - start.count))
        // A bisection finds the least number whose cube is large enough.
        var (low, high) = (BigUInt(0), BigUInt.power(ofTwo: 700))
        while low + 1 < high {
            let middle = (low + high) >> 1
            if middle * middle * middle < least { low = middle } else { high = middle }
        }
        let cube = (high * high * high).bigEndianBytes(count: key.byteCount)
        #expect(cube.starts(with: start))
        #expect(try !key.publicKey().accepts(high.bigEndianBytes(count: key.byteCount), of: message))
    }

    @Test func rejectsSignatureLengthsOfNoKey() {
        for count in [0, 1, 255, 513, 100_000] {
            #expect(throws: RSAError.invalidSignatureLength) {
                try RSA.Signing.RSASignature(rawRepresentation: [UInt8](repeating: 1, count: count))
            }
        }
        for count in [256, 512] {
            #expect(throws: Never.self) {
                try RSA.Signing.RSASignature(rawRepresentation: [UInt8](repeating: 1, count: count))
            }
        }
    }
}
