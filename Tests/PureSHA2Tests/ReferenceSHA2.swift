import ReferenceModel

/// SHA-2 as FIPS 180-4 defines it, without optimizations. Hashes only whole messages, and computes the constants from
/// the primes.
struct ReferenceSHA2<Word: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    var initialHashValue: [Word]
    var roundConstants: [Word]
    var bigSigma0, bigSigma1, smallSigma0, smallSigma1: (Int, Int, Int)

    func hash(_ message: [UInt8]) -> [UInt8] {
        // §5.1: append the bit 1, then zeros until two words remain in the last block, then the message length in bits.
        let wordLength = Word.bitWidth / 8
        var padded = message + [0x80]
        while padded.count % (16 * wordLength) != 14 * wordLength { padded.append(0) }
        padded += BigUInt(UInt64(message.count) * 8).bigEndianBytes(count: 2 * wordLength)

        var hashValue = initialHashValue
        for start in stride(from: 0, to: padded.count, by: 16 * wordLength) {
            // §6.2.2 step 1.
            var w = stride(from: start, to: start + 16 * wordLength, by: wordLength).map { offset in
                padded[offset..<offset + wordLength].reduce(Word(0)) { $0 << 8 | Word($1) }
            }
            for t in 16..<roundConstants.count {
                w.append(small(smallSigma1, w[t - 2]) &+ w[t - 7] &+ small(smallSigma0, w[t - 15]) &+ w[t - 16])
            }
            // Steps 2 to 4.
            var v = hashValue
            for t in 0..<roundConstants.count {
                let (a, b, c, e, f, g) = (v[0], v[1], v[2], v[4], v[5], v[6])
                let t1 = v[7] &+ big(bigSigma1, e) &+ (e & f ^ ~e & g) &+ roundConstants[t] &+ w[t]
                let t2 = big(bigSigma0, a) &+ (a & b ^ a & c ^ b & c)
                v = [t1 &+ t2, a, b, c, v[3] &+ t1, e, f, g]
            }
            hashValue = zip(hashValue, v).map { $0 &+ $1 }
        }
        return hashValue.flatMap { word in (1...wordLength).map { UInt8(word >> (Word.bitWidth - 8 * $0) & 0xFF) } }
    }

    private func rotr(_ x: Word, _ count: Int) -> Word { x >> count | x << (Word.bitWidth - count) }
    private func big(_ n: (Int, Int, Int), _ x: Word) -> Word { rotr(x, n.0) ^ rotr(x, n.1) ^ rotr(x, n.2) }
    private func small(_ n: (Int, Int, Int), _ x: Word) -> Word { rotr(x, n.0) ^ rotr(x, n.1) ^ x >> n.2 }
}

enum Reference {
    static let sha256 = ReferenceSHA2<UInt32>(
        initialHashValue: primes(8).map { fraction(ofRoot: 2, $0) },
        roundConstants: primes(64).map { fraction(ofRoot: 3, $0) },
        bigSigma0: (2, 13, 22), bigSigma1: (6, 11, 25), smallSigma0: (7, 18, 3), smallSigma1: (17, 19, 10))

    static let sha512 = ReferenceSHA2<UInt64>(
        initialHashValue: primes(8).map { fraction(ofRoot: 2, $0) },
        roundConstants: primes(80).map { fraction(ofRoot: 3, $0) },
        bigSigma0: (28, 34, 39), bigSigma1: (14, 18, 41), smallSigma0: (1, 8, 7), smallSigma1: (19, 61, 6))

    /// The caller truncates the result to 48 bytes.
    static let sha384: ReferenceSHA2<UInt64> = {
        var function = sha512
        function.initialHashValue = primes(16).suffix(8).map { fraction(ofRoot: 2, $0) }
        return function
    }()

    static func primes(_ count: Int) -> [UInt64] {
        Array((2...).lazy.filter { n in !(2..<n).contains { n.isMultiple(of: $0) } }.prefix(count))
    }

    /// Returns the first bits of the fractional part of the `degree`th root of `n`. This is the low word of
    /// ⌊(n · 2^(degree · width))^(1 / degree)⌋.
    static func fraction<Word: FixedWidthInteger>(ofRoot degree: Int, _ n: UInt64) -> Word {
        let target = BigUInt(n) << (degree * Word.bitWidth)
        var root = BigUInt(0)
        // The root of a number below 512 has at most five bits before the point.
        for bit in (0..<Word.bitWidth + 5).reversed() {
            let candidate = root + BigUInt.power(ofTwo: bit)
            let power = (1..<degree).reduce(candidate) { product, _ in product * candidate }
            if !(target < power) { root = candidate }
        }
        return Word(truncatingIfNeeded: root.words(count: 2)[0])
    }
}
