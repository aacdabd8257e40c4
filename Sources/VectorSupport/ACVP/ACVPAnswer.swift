private import PureSHA2

enum ACVPAnswer: Hashable {
    case digest([UInt8])
    /// The final digest of each round of a Monte Carlo test.
    case chain([[UInt8]])
    case code([UInt8])
    case verdict(Bool)
}

/// The package does not support the test, or a length is not a whole number of bytes.
struct ACVPUnsupported: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension ACVPVectorSet {
    /// The number of rounds of a Monte Carlo test (draft-celi-acvp-sha §6.2).
    static let roundCount = 100

    /// Answers a test of a group. Supports SHA2-256, SHA2-384 and SHA2-512, HMAC with these hashes, and ECDSA `keyVer`
    /// and `sigVer` on P-256 and P-384.
    ///
    /// - Throws: ``ACVPUnsupported``; ``VectorFileError`` if a member is missing.
    func answer(to test: Test, of group: Group) throws -> ACVPAnswer {
        // The member `conformance` requests SP 800-106, which mixes random bits into the message before hashing. In a
        // component test, the message is a digest.
        if let conformance = group.conformance { throw ACVPUnsupported("conformance \(conformance)") }
        if group.componentTest == true { throw ACVPUnsupported("component test") }
        // Older files use the spellings "SigVer" and "KeyVer".
        switch (algorithm, mode) {
        case ("ECDSA", "sigVer"?), ("ECDSA", "SigVer"?): return .verdict(try Self.isValidSignature(test, group))
        case ("ECDSA", "keyVer"?), ("ECDSA", "KeyVer"?):
            let key = try Self.curve(group).key(x: Self.required(test.qx), y: Self.required(test.qy))
            return .verdict(key != nil)
        default: break
        }
        if let hash = VectorHash(acvpName: algorithm) { return try Self.digest(test, group, hash) }
        if let hash = algorithm.removing(prefix: "HMAC-").flatMap(VectorHash.init(acvpName:)) {
            return .code(try Self.authenticationCode(test, group, hash))
        }
        throw ACVPUnsupported("algorithm \(algorithm) \(mode ?? "")")
    }

    private static func digest(_ test: Test, _ group: Group, _ hash: VectorHash) throws -> ACVPAnswer {
        switch group.testType {
        case "AFT"?:
            let message = try required(test.msg)
            let count = try byteCount(test.len ?? 8 * message.count, of: "message")
            // In ACVP files, the empty message is either one zero byte or an empty string.
            guard message.count >= count else { throw VectorFileError.missingMember }
            return .digest(hash.digest(of: message.prefix(count)))
        case "MCT"? where group.mctVersion ?? "standard" == "standard":
            var seed = try required(test.msg)
            return .chain(
                (0..<(test.resultsArray?.count ?? roundCount)).map { _ in
                    seed = SHA2Suites.checkpoint(after: seed, hash)
                    return seed
                })
        case "LDT"?:
            guard let large = test.largeMsg else { throw VectorFileError.missingMember }
            guard large.expansionTechnique == "repeating" else {
                throw ACVPUnsupported("expansion technique \(large.expansionTechnique)")
            }
            let count = try byteCount(large.contentLength, of: "message")
            let fullCount = try byteCount(large.fullLength, of: "message")
            guard count > 0, count == large.content.bytes.count else { throw VectorFileError.missingMember }
            return .digest(hash.digest(ofRepeated: large.content.bytes, count: fullCount))
        default: throw ACVPUnsupported("test type \(group.testType ?? "none")")
        }
    }

    private static func authenticationCode(_ test: Test, _ group: Group, _ hash: VectorHash) throws -> [UInt8] {
        guard let length = test.macLen ?? group.macLen else { throw VectorFileError.missingMember }
        let code = hash.authenticationCode(of: try required(test.msg), key: try required(test.key))
        let count = try byteCount(length, of: "code")
        guard 1...code.count ~= count else { throw ACVPUnsupported("code of \(length) bits") }
        return Array(code.prefix(count))
    }

    private static func isValidSignature(_ test: Test, _ group: Group) throws -> Bool {
        let curve = try curve(group)
        guard let hash = VectorHash(acvpName: group.hashAlg ?? "none") else {
            throw ACVPUnsupported("hash \(group.hashAlg ?? "none")")
        }
        guard test.randomValue == nil else { throw ACVPUnsupported("randomised message (SP 800-106)") }
        return try curve.isValidSignature(
            r: required(test.r), s: required(test.s), x: required(test.qx), y: required(test.qy), hash: hash,
            message: required(test.message))
    }

    private static func curve(_ group: Group) throws(ACVPUnsupported) -> VectorCurve {
        guard let curve = VectorCurve(named: group.curve ?? "none") else {
            throw ACVPUnsupported("curve \(group.curve ?? "none")")
        }
        return curve
    }

    private static func byteCount(_ bitCount: Int, of subject: String) throws(ACVPUnsupported) -> Int {
        guard bitCount >= 0, bitCount % 8 == 0 else { throw ACVPUnsupported("\(subject) with a partial byte") }
        return bitCount / 8
    }

    private static func required(_ value: Wycheproof.HexBytes?) throws(VectorFileError) -> [UInt8] {
        guard let value else { throw .missingMember }
        return value.bytes
    }
}

/// These functions pad the integers of ACVP files with zeros to the length of the curve. Longer integers are passed
/// unchanged, so parsing rejects them.
extension VectorCurve {
    private func padded(_ integer: [UInt8]) -> [UInt8] {
        Array(repeating: 0, count: max(0, byteCount - integer.count)) + integer
    }

    func key(x: [UInt8], y: [UInt8]) -> VectorKey? { try? VectorKey([4] + padded(x) + padded(y), as: .x963, on: self) }

    /// Returns `false` for an invalid signature and for an invalid key.
    func isValidSignature(
        r: [UInt8], s: [UInt8], x: [UInt8], y: [UInt8], hash: VectorHash, message: [UInt8]
    ) -> Bool {
        key(x: x, y: y)?.isValidSignature(padded(r) + padded(s), as: .raw, hash: hash, message: message) ?? false
    }
}

extension VectorHash {
    /// Hashes the first `count` bytes of the repeated `content`, which must not be empty.
    fileprivate func digest(ofRepeated content: [UInt8], count: Int) -> [UInt8] {
        func digest<H: HashFunction>(_: H.Type) -> [UInt8] {
            var hash = H()
            // Hashes pieces of about 64 KiB, because hashing a few bytes at a time is slow.
            let piece = Array(repeatElement(content, count: max(1, 65_536 / content.count)).joined())
            for _ in 0..<(count / piece.count) { hash.update(data: piece) }
            hash.update(data: piece.prefix(count % piece.count))
            return Array(hash.finalize())
        }
        switch self {
        case .sha256: return digest(SHA256.self)
        case .sha384: return digest(SHA384.self)
        case .sha512: return digest(SHA512.self)
        }
    }

    /// Computes HMAC (FIPS 198-1) with this hash function.
    func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256: Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
        case .sha384: Array(HMAC<SHA384>.authenticationCode(for: message, using: key))
        case .sha512: Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
        }
    }
}
