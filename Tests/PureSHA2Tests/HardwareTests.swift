#if ProcessorExtensions && arch(x86_64)

    import Foundation
    import PureProcessor
    import ReferenceModel
    import Testing

    @testable import PureSHA2

    struct PortableSHA256: HashFunction {
        struct State: SHA2State {
            private var state: SHA256State
            var words: InlineArray<8, UInt32> { state.words }

            init(_ initialHashValue: InlineArray<8, UInt32>) { state = SHA256State(initialHashValue) }
            static var blockByteCount: Int { SHA256State.blockByteCount }
            mutating func compress(_ blocks: RawSpan) { state.compressPortably(blocks) }
        }

        private var message = SHA2Message<State>(SHA256.initialHashValue)

        static var blockByteCount: Int { 64 }
        mutating func update(bytes: Span<UInt8>) { message.append(bytes) }
        func finalize() -> SHA256Digest { SHA256Digest(words: message.hashValue()) }
    }

    /// Compares the two compression functions that a build with the trait ProcessorExtensions contains. The other
    /// suites run with both functions.
    @Suite("SHA-256 with the processor's SHA extensions")
    struct HardwareTests {
        /// `Tests/Checks/ProcessorExtensions/run.sh` states in the environment whether the processor has the extensions.
        @Test func detectsTheProcessor() throws {
            let expected: Bool
            if let said = ProcessInfo.processInfo.environment["PUREATTEST_SHA_EXTENSIONS"] {
                expected = said == "yes"
            } else {
                let flags = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8).split(separator: "\n")
                    .first { $0.hasPrefix("flags") }?.split(separator: " ")
                expected = try #require(flags).contains("sha_ni")
            }
            #expect(processorHasSHAExtensions == expected)
        }

        @Test(.enabled(if: processorHasSHAExtensions, "The processor has no SHA extensions."))
        func bothCompressTheSame() {
            var generator = SplitMix64(seed: 5)
            for _ in 0..<300 {
                let words = InlineArray<8, UInt32> { _ in .random(in: 0...(.max), using: &generator) }
                // Uses unaligned addresses, and block counts for every case that the portable code treats differently.
                let start = Int.random(in: 0..<16, using: &generator)
                let count = 64 * Int.random(in: 0...13, using: &generator)
                let bytes = (0..<start + count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let blocks = bytes.span.extracting(droppingFirst: start)
                var hardware = SHA256State(words)
                var portable = SHA256State(words)
                unsafe hardware.compress(blocks.bytes)
                unsafe portable.compressPortably(blocks.bytes)
                for i in 0..<8 { #expect(hardware.words[i] == portable.words[i], "\(count) bytes, word \(i)") }
            }
        }

        @Test func randomMessagesInRandomPieces() {
            var generator = SplitMix64(seed: 6)
            for _ in 0..<200 {
                let length = Int.random(in: 0...2000, using: &generator)
                let message = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                var function = SHA256()
                var portable = PortableSHA256()
                var rest = message[...]
                while !rest.isEmpty {
                    let piece = rest.prefix(Int.random(in: 1...700, using: &generator))
                    function.update(data: piece)
                    portable.update(data: piece)
                    rest = rest.dropFirst(piece.count)
                    #expect(function.finalize() == portable.finalize())
                }
                #expect(function.finalize() == PortableSHA256.hash(data: message), "\(length)")
            }
        }
    }

#endif
