import DebugSampling
import PureBytes
import PureSHA2
import Testing
import VectorSupport

/// Runs every case of NIST's byte-oriented CAVP files (SHAVS §6.2–6.4).
@Suite("NIST CAVP SHA-2")
struct KnownAnswerTests {
    @Test(arguments: [("SHA256ShortMsg", 65), ("SHA256LongMsg", 64)])
    func sha256(file: String, caseCount: Int) throws { try check(SHA256.self, file, caseCount) }

    @Test(arguments: [("SHA384ShortMsg", 129), ("SHA384LongMsg", 128)])
    func sha384(file: String, caseCount: Int) throws { try check(SHA384.self, file, caseCount) }

    @Test(arguments: [("SHA512ShortMsg", 129), ("SHA512LongMsg", 128)])
    func sha512(file: String, caseCount: Int) throws { try check(SHA512.self, file, caseCount) }

    @Test func sha256MonteCarlo() throws { try checkChain(SHA256.self, "SHA256Monte") }
    @Test func sha384MonteCarlo() throws { try checkChain(SHA384.self, "SHA384Monte") }
    @Test func sha512MonteCarlo() throws { try checkChain(SHA512.self, "SHA512Monte") }

    #if ProcessorExtensions && arch(x86_64)
        @Test(arguments: [("SHA256ShortMsg", 65), ("SHA256LongMsg", 64)])
        func portableSHA256(file: String, caseCount: Int) throws { try check(PortableSHA256.self, file, caseCount) }

        @Test func portableSHA256MonteCarlo() throws { try checkChain(PortableSHA256.self, "SHA256Monte") }
    #endif

    /// Returns the only section of the file. The section must declare the digest length of `H`.
    private func section<H: HashFunction>(_ function: H.Type, _ file: String) throws -> ResponseFile.Section {
        let sections = try ResponseFile(committed: "nist-cavp/sha2/\(file).rsp").sections
        #expect(sections.count == 1)
        let section = try #require(sections.first)
        #expect(section.parameter("L") == "\(H.Digest.byteCount)")
        return section
    }

    private func check<H: HashFunction>(_ function: H.Type, _ file: String, _ caseCount: Int) throws {
        let records = try section(function, file).records
        #expect(records.count == caseCount)
        for record in debugSample(records, every: 3, of: "messages of \(file)") {
            // The file gives the length in bits. For the empty message, the file contains one zero byte.
            let length = try record.decimal("Len") / 8
            let message = try record.bytes("Msg").prefix(length)
            #expect(message.count == length)
            let expected = try record.bytes("MD")
            #expect(Array(H.hash(data: message)) == expected, "\(file), length \(length)")

            var streamed = H()
            var rest = message
            var pieceLength = 1
            while !rest.isEmpty {
                streamed.update(data: rest.prefix(pieceLength))
                rest = rest.dropFirst(pieceLength)
                pieceLength = pieceLength * 3 % 1009
            }
            #expect(Array(streamed.finalize()) == expected, "\(file), length \(length), streamed")
        }
    }

    /// SHAVS §6.4: each message is the concatenation of the previous three digests. Every thousandth digest is a
    /// checkpoint, which also seeds the next chain.
    private func checkChain<H: HashFunction>(_ function: H.Type, _ file: String) throws {
        let records = try section(function, file).records
        #expect(records.count == 101)
        var seed = try records[0].bytes("Seed")
        // Each chain starts from a checkpoint, so the test can sample chains.
        for (count, record) in debugSample(
            Array(records.dropFirst().enumerated()), every: 23, of: "checkpoints of \(file)")
        {
            if count > 0 { seed = try records[count].bytes("MD") }
            #expect(try record.decimal("COUNT") == count)
            var (a, b, c) = (seed, seed, seed)
            for _ in 0..<1000 { (a, b, c) = (b, c, Array(H.hash(data: a + b + c))) }
            seed = c
            #expect(try record.bytes("MD") == seed, "\(file), \(count)")
        }
    }
}
