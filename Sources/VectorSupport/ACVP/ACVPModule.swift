/// Implements the protocol of `acvptool`, BoringSSL's ACVP client, on the side of the cryptographic module. BoringSSL's
/// `util/fipstools/acvp/ACVP.md` describes the protocol ("Testing other FIPS modules"). A request consists of the
/// number of byte strings, the length of each string, and the strings. The first string names a command. All numbers
/// are 32-bit little-endian. A response has the same format.
package enum ACVPModule {
    /// The reason why the module stopped without a response.
    package enum Failure: Error, Hashable {
        /// The input ends inside a request.
        case truncated
        /// The request has more strings or bytes than any supported command needs.
        case tooLarge
        /// The module does not support the command with these arguments.
        case unknownCommand(String)
    }

    /// The maximum number of strings in a request. `ECDSA/sigVer` has the most: 7 arguments and the command name.
    static let maximumStringCount = 8
    /// The maximum total length of a request's strings, in bytes. In the configuration, messages are at most 8 KB long,
    /// and keys at most 64 KB.
    static let maximumByteCount = 1 << 20

    /// Reads and answers requests, until the input ends after a complete request.
    ///
    /// - Parameters:
    ///   - read: reads exactly the given number of bytes, or fewer at the end of the input.
    ///   - write: writes a response.
    package static func converse(
        reading read: (Int) throws -> [UInt8], writing write: ([UInt8]) throws -> Void
    ) throws {
        while let request = try request(read) { try write(encoded(response(to: request))) }
    }

    private static func request(_ read: (Int) throws -> [UInt8]) throws -> [[UInt8]]? {
        let head = try read(4)
        if head.isEmpty { return nil }
        let count = try number(head[...])
        guard count <= maximumStringCount else { throw Failure.tooLarge }
        let lengths = try read(4 * count)
        var counts: [Int] = []
        for index in 0..<count { counts.append(try number(lengths.dropFirst(4 * index).prefix(4))) }
        // The sum of eight 32-bit numbers could exceed a 32-bit Int.
        guard counts.allSatisfy({ $0 <= maximumByteCount }), counts.reduce(0, +) <= maximumByteCount else {
            throw Failure.tooLarge
        }
        return try counts.map { count in
            let string = try read(count)
            guard string.count == count else { throw Failure.truncated }
            return string
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) throws(Failure) -> Int {
        guard bytes.count == 4 else { throw .truncated }
        let number = bytes.reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        guard let number = Int(exactly: number) else { throw .tooLarge }
        return number
    }

    private static func encoded(_ string: [UInt8]) -> [UInt8] { little(1) + little(UInt32(string.count)) + string }

    private static func little(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func response(to request: [[UInt8]]) throws(Failure) -> [UInt8] {
        let name = String(decoding: request.first ?? [], as: UTF8.self)
        let arguments = Array(request.dropFirst())
        guard let response = response(name, arguments) else { throw .unknownCommand(name) }
        return response
    }

    private static func response(_ name: String, _ arguments: [[UInt8]]) -> [UInt8]? {
        func text(_ index: Int) -> String { String(decoding: arguments[index], as: UTF8.self) }
        switch (name, arguments.count) {
        case ("getConfig", 0): return Array(configuration.utf8)
        case ("ECDSA/keyVer", 3):
            guard let curve = VectorCurve(named: text(0)) else { return nil }
            return [curve.key(x: arguments[1], y: arguments[2]) == nil ? 0 : 1]
        case ("ECDSA/sigVer", 7):
            guard let curve = VectorCurve(named: text(0)), let hash = VectorHash(acvpName: text(1)) else { return nil }
            let isValid = curve.isValidSignature(
                r: arguments[5], s: arguments[6], x: arguments[3], y: arguments[4], hash: hash, message: arguments[2])
            return [isValid ? 1 : 0]
        case (_, 1):
            if let hash = VectorHash(acvpName: name) { return hash.digest(of: arguments[0]) }
            guard let algorithm = name.removing(suffix: "/MCT"), let hash = VectorHash(acvpName: algorithm) else {
                return nil
            }
            return SHA2Suites.checkpoint(after: arguments[0], hash)
        case (_, 2):
            guard let algorithm = name.removing(prefix: "HMAC-"), let hash = VectorHash(acvpName: algorithm) else {
                return nil
            }
            return hash.authenticationCode(of: arguments[0], key: arguments[1])
        default: return nil
        }
    }

    /// The module's capabilities, in the format of an ACVP registration. `acvptool` requires untruncated HMAC values.
    static let configuration: String = {
        let hashes: [(name: String, bitCount: Int)] = [("SHA2-256", 256), ("SHA2-384", 384), ("SHA2-512", 512)]
        let digests = hashes.map { hash in
            """
            {"algorithm":"\(hash.name)","revision":"1.0","messageLength":[{"min":0,"max":65528,"increment":8}]}
            """
        }
        let codes = hashes.map { hash in
            """
            {"algorithm":"HMAC-\(hash.name)","revision":"1.0","keyLen":[{"min":8,"max":524288,"increment":8}],\
            "macLen":[{"min":\(hash.bitCount),"max":\(hash.bitCount),"increment":8}]}
            """
        }
        let names = hashes.map { "\"\($0.name)\"" }.joined(separator: ",")
        let ecdsa = [
            #"{"algorithm":"ECDSA","mode":"keyVer","revision":"FIPS186-5","curve":["P-256","P-384"]}"#,
            """
            {"algorithm":"ECDSA","mode":"sigVer","revision":"FIPS186-5",\
            "capabilities":[{"curve":["P-256","P-384"],"hashAlg":[\(names)]}]}
            """,
        ]
        return "[\((digests + codes + ecdsa).joined(separator: ",\n"))]\n"
    }()
}
