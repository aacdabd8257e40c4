import Foundation
import PureSHA2
import ReferenceModel
import Testing

/// Compares the module with ``ReferenceSHA2``, for messages split in any way.
@Suite("SHA-2 against the reference")
struct ReferenceTests {
    /// For each function, the tested lengths reach beyond two blocks and their padding.
    @Test func everyLength() {
        var generator = SplitMix64(seed: 1)
        for length in 0...300 {
            let message = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(Array(SHA256.hash(data: message)) == Reference.sha256.hash(message), "\(length)")
            #expect(Array(SHA384.hash(data: message)) == Array(Reference.sha384.hash(message).prefix(48)), "\(length)")
            #expect(Array(SHA512.hash(data: message)) == Reference.sha512.hash(message), "\(length)")
        }
    }

    /// SHA-256 compresses up to four blocks at once. Tests up to three groups, with and without remaining blocks.
    @Test func everyNumberOfBlocks() {
        for blockCount in 1...13 {
            for length in [64 * blockCount - 9, 64 * blockCount - 1, 64 * blockCount, 64 * blockCount + 1] {
                let message = [UInt8](repeating: 0xFF, count: length)
                #expect(Array(SHA256.hash(data: message)) == Reference.sha256.hash(message), "\(length)")
            }
        }
    }

    @Test func everySplit() {
        checkEverySplit(SHA256.self, lengths: [0, 1, 55, 56, 63, 64, 65, 127, 128, 129, 300, 576])
        checkEverySplit(SHA384.self, lengths: [0, 1, 111, 112, 127, 128, 129, 256, 300])
        checkEverySplit(SHA512.self, lengths: [0, 1, 111, 112, 127, 128, 129, 256, 300])
    }

    @Test func randomPieces() {
        checkRandomPieces(SHA256.self, seed: 2)
        checkRandomPieces(SHA384.self, seed: 3)
        checkRandomPieces(SHA512.self, seed: 4)
    }

    @Test func everyKindOfCollection() {
        checkCollections(SHA256.self)
        checkCollections(SHA384.self)
        checkCollections(SHA512.self)
    }

    @Test func finalizingDoesNotEndTheMessage() {
        checkContinuation(SHA256.self)
        checkContinuation(SHA384.self)
        checkContinuation(SHA512.self)
    }

    #if ProcessorExtensions && arch(x86_64)
        @Test func portablePath() {
            checkEverySplit(PortableSHA256.self, lengths: [0, 1, 55, 56, 63, 64, 65, 127, 128, 129, 300, 576])
            checkRandomPieces(PortableSHA256.self, seed: 2)
            checkCollections(PortableSHA256.self)
            checkContinuation(PortableSHA256.self)
            for length in 0...900 {
                let message = message(length)
                #expect(Array(PortableSHA256.hash(data: message)) == Reference.sha256.hash(message), "\(length)")
            }
        }
    #endif

    private func message(_ length: Int) -> [UInt8] { (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 >> 8) } }

    private func checkEverySplit<H: HashFunction>(_: H.Type, lengths: [Int]) {
        for length in lengths {
            let message = message(length)
            let expected = H.hash(data: message)
            for split in 0...length {
                var function = H()
                function.update(data: message[..<split])
                function.update(data: message[split...])
                #expect(function.finalize() == expected, "\(length) split at \(split)")
            }
        }
    }

    private func checkRandomPieces<H: HashFunction>(_: H.Type, seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let message = message(3000)
        let expected = H.hash(data: message)
        for _ in 0..<20 {
            let longest = [3, 70, 300, 1500].randomElement(using: &generator)!
            var function = H()
            var rest = message[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 0...longest, using: &generator))
                function.update(data: piece)
                rest = rest.dropFirst(piece.count)
            }
            #expect(function.finalize() == expected)
        }
    }

    private func checkCollections<H: HashFunction>(_: H.Type) {
        for length in [0, 1, 127, 128, 129, 255, 256, 257, 1000] {
            let message = message(length)
            let expected = H.hash(data: message)
            #expect(H.hash(data: ([1, 2, 3] + message + [4]).dropFirst(3).dropLast()) == expected)
            #expect(H.hash(data: Data(message)) == expected)
            #expect(H.hash(data: (Data([9]) + Data(message)).dropFirst()) == expected)
            #expect(H.hash(data: ContiguousArray(message)) == expected)
            #expect(H.hash(data: Array(message.reversed()).reversed() as ReversedCollection<[UInt8]>) == expected)
            #expect(H.hash(data: message.lazy.map { $0 ^ 0xFF }.map { $0 ^ 0xFF }) == expected)

            var function = H()
            for byte in message { function.update(data: CollectionOfOne(byte)) }
            function.update(data: EmptyCollection())
            #expect(function.finalize() == expected)

            var spans = H()
            spans.update(bytes: message.span)
            #expect(spans.finalize() == expected)
        }
        #expect(H.hash(data: "h\u{e9}llo".utf8) == H.hash(data: [0x68, 0xC3, 0xA9, 0x6C, 0x6C, 0x6F]))
        #expect(H.hash(data: repeatElement(7, count: 500)) == H.hash(data: [UInt8](repeating: 7, count: 500)))
        #expect(H.hash(data: H.hash(data: [])) == H.hash(data: Array(H.hash(data: []))))
    }

    private func checkContinuation<H: HashFunction>(_: H.Type) {
        let message = message(400)
        var function = H()
        for (index, byte) in message.enumerated() {
            #expect(function.finalize() == H.hash(data: message[..<index]))
            let copy = function
            function.update(data: [byte])
            #expect(copy.finalize() == H.hash(data: message[..<index]), "A copy must be independent of the original.")
        }
    }
}
