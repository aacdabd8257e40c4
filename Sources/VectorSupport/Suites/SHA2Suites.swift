import PureBytes

/// Runs NIST's CAVP files for SHA-2 (SHAVS). The section's `L`, the digest length in bytes, selects the hash function.
package enum SHA2Suites {
    /// Runs `…ShortMsg.rsp` and `…LongMsg.rsp` (fields Len, Msg, MD), and `…Monte.rsp` (field Seed, then COUNT and MD).
    package static func run(_ file: ResponseFile) throws -> SuiteOutcome {
        var outcome = SuiteOutcome()
        for section in file.sections {
            guard file.truncatedHash == nil, let length = section.parameter("L").flatMap(Int.init),
                let hash = [32: VectorHash.sha256, 48: .sha384, 64: .sha512][length]
            else {
                let name = file.truncatedHash ?? "with [\(section.headers.joined(separator: "] ["))]"
                // The record with the seed of a chain is not a test case.
                outcome.skip("hash \(name)", count: section.records.count { $0["Seed"] == nil })
                continue
            }
            if section.records.first?["Seed"] != nil {
                try runChain(section.records, hash, &outcome)
            } else {
                try runMessages(section.records, hash, &outcome)
            }
        }
        return outcome
    }

    private static func runMessages(
        _ records: [ResponseFile.Record], _ hash: VectorHash, _ outcome: inout SuiteOutcome
    ) throws {
        for record in records {
            // The length is in bits. For the empty message, the file contains one zero byte.
            let length = try record.decimal("Len")
            guard length % 8 == 0 else {
                outcome.skip("message with a partial byte")
                continue
            }
            let message = try record.bytes("Msg").prefix(max(0, length / 8))
            let isDigest = try message.count == length / 8 && hash.digest(of: message) == record.bytes("MD")
            outcome.record("Len = \(length)", passed: isDigest)
        }
    }

    /// SHAVS §6.4: each hash depends on the three hashes before it. Each thousandth hash starts the next chain.
    private static func runChain(
        _ records: [ResponseFile.Record], _ hash: VectorHash, _ outcome: inout SuiteOutcome
    ) throws {
        var seed: [UInt8] = []
        for record in records {
            if record["Seed"] != nil {
                seed = try record.bytes("Seed")
                continue
            }
            seed = checkpoint(after: seed, hash)
            let (count, digest) = (try record.decimal("COUNT"), try record.bytes("MD"))
            outcome.record("COUNT = \(count)", passed: digest == seed)
        }
    }

    /// Returns the thousandth hash of a chain whose first three hashes are `seed`.
    static func checkpoint(after seed: [UInt8], _ hash: VectorHash) -> [UInt8] {
        var (a, b, c) = (seed, seed, seed)
        for _ in 0..<1000 { (a, b, c) = (b, c, hash.digest(of: a + b + c)) }
        return c
    }
}

extension ResponseFile {
    /// SHA-512/224 or SHA-512/256, if a comment in the file names it. The digest length does not identify the hash,
    /// because SHA-224 and SHA-256 have digests of the same lengths.
    fileprivate var truncatedHash: String? {
        ["SHA-512/224", "SHA-512/256"].first { name in comments.contains { $0.utf8.contains(name.utf8) } }
    }
}
