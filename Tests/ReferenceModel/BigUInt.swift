/// A non-negative integer of any size, computed as one does on paper.
///
/// The model that the fast code is compared with: 32-bit limbs, so that every intermediate value fits a `UInt64` without
/// a carry to think about, and no representation other than the number itself (no Montgomery domain, no lazy reduction).
public struct BigUInt: Hashable, Sendable {
    /// Base-2³² digits, least significant first, without leading zeros: zero is empty, so equality of numbers is
    /// equality of arrays.
    private(set) var limbs: [UInt32]

    init(normalizing limbs: [UInt32]) {
        var count = limbs.count
        while count > 0, limbs[count - 1] == 0 { count -= 1 }
        self.limbs = Array(limbs[..<count])
    }

    /// The number `value`.
    public init(_ value: UInt64) {
        self.init(normalizing: [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)])
    }

    /// The number with the given base-2⁶⁴ digits, least significant first.
    public init(words: some Sequence<UInt64>) {
        self.init(
            normalizing: words.flatMap { [UInt32(truncatingIfNeeded: $0), UInt32(truncatingIfNeeded: $0 >> 32)] })
    }

    /// The number that the bytes spell, most significant first; no bytes are 0.
    public init(bigEndian bytes: some Sequence<UInt8>) {
        let reversed = Array(Array(bytes).reversed())
        self.init(
            normalizing: stride(from: 0, to: reversed.count, by: 4).map { start in
                reversed[start..<min(start + 4, reversed.count)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            })
    }

    /// The number that the hexadecimal digits spell; spaces and underscores may group them.
    ///
    /// Traps on anything else: constants and test files only.
    public init(hex: String) {
        var digits = hex.filter { $0 != " " && $0 != "_" && $0 != "\n" }
        if digits.count % 2 == 1 { digits = "0" + digits }
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            guard let nibble = digit.hexDigitValue else { preconditionFailure("not a hexadecimal digit: \(digit)") }
            if let first = high {
                bytes.append(first << 4 | UInt8(nibble))
                high = nil
            } else {
                high = UInt8(nibble)
            }
        }
        self.init(bigEndian: bytes)
    }

    /// 2 to the `exponent`.
    public static func power(ofTwo exponent: Int) -> BigUInt { BigUInt(1) << exponent }

    /// Whether this is 0.
    public var isZero: Bool { limbs.isEmpty }
    /// Whether this is odd.
    public var isOdd: Bool { limbs.first.map { $0 & 1 == 1 } ?? false }
    /// How many bits the number has without leading zeros; 0 for 0.
    public var bitWidth: Int {
        limbs.isEmpty ? 0 : limbs.count * 32 - limbs[limbs.count - 1].leadingZeroBitCount
    }
    /// Bit `index`, 0 being the least significant; false beyond the number's width.
    public func bit(_ index: Int) -> Bool {
        index / 32 < limbs.count && limbs[index / 32] >> UInt32(index % 32) & 1 == 1
    }

    /// The base-2⁶⁴ digits, least significant first, filled up with zeros to `count`. Traps when they are more.
    public func words(count: Int) -> [UInt64] {
        precondition(bitWidth <= 64 * count)
        return (0..<count).map { UInt64(limb(2 * $0 + 1)) << 32 | UInt64(limb(2 * $0)) }
    }

    /// The bytes, most significant first, filled up with leading zeros to `count`. Traps when they are more.
    public func bigEndianBytes(count: Int) -> [UInt8] {
        precondition(bitWidth <= 8 * count)
        return (0..<count).reversed().map { UInt8(truncatingIfNeeded: limb($0 / 4) >> UInt32($0 % 4 * 8)) }
    }

    /// The bytes, most significant first, without leading zeros; one zero byte for 0.
    public var bigEndianBytes: [UInt8] { bigEndianBytes(count: max(1, (bitWidth + 7) / 8)) }

    /// Lower-case hexadecimal digits without leading zeros, an even number of them.
    public var hex: String {
        bigEndianBytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Digit `index`, zero beyond the most significant.
    private func limb(_ index: Int) -> UInt32 { index < limbs.count ? limbs[index] : 0 }
}

extension BigUInt: CustomStringConvertible {
    /// The hexadecimal digits after `0x`.
    public var description: String { "0x" + hex }
}

extension BigUInt: ExpressibleByIntegerLiteral {
    /// The number that the literal spells, below 2⁶⁴.
    public init(integerLiteral value: UInt64) { self.init(value) }
}

extension BigUInt: Comparable {
    /// Order of numbers: the longer is larger, otherwise the first digit that differs decides.
    public static func < (a: BigUInt, b: BigUInt) -> Bool {
        if a.limbs.count != b.limbs.count { return a.limbs.count < b.limbs.count }
        for index in a.limbs.indices.reversed() where a.limbs[index] != b.limbs[index] {
            return a.limbs[index] < b.limbs[index]
        }
        return false
    }
}

// MARK: - Schoolbook arithmetic (Knuth, The Art of Computer Programming 2, §4.3.1)

extension BigUInt {
    /// The sum: Algorithm A.
    public static func + (a: BigUInt, b: BigUInt) -> BigUInt {
        var sum: [UInt32] = []
        var carry: UInt64 = 0
        for index in 0..<max(a.limbs.count, b.limbs.count) {
            let digit = UInt64(a.limb(index)) + UInt64(b.limb(index)) + carry
            sum.append(UInt32(truncatingIfNeeded: digit))
            carry = digit >> 32
        }
        sum.append(UInt32(carry))
        return BigUInt(normalizing: sum)
    }

    /// The difference: Algorithm S. Traps when it would be negative.
    public static func - (a: BigUInt, b: BigUInt) -> BigUInt {
        precondition(a >= b, "a natural number cannot be negative")
        var difference: [UInt32] = []
        var borrow: Int64 = 0
        for index in a.limbs.indices {
            let digit = Int64(a.limb(index)) - Int64(b.limb(index)) - borrow
            difference.append(UInt32(truncatingIfNeeded: digit))
            borrow = digit < 0 ? 1 : 0
        }
        return BigUInt(normalizing: difference)
    }

    /// The product: Algorithm M.
    public static func * (a: BigUInt, b: BigUInt) -> BigUInt {
        var product = [UInt32](repeating: 0, count: a.limbs.count + b.limbs.count)
        for (row, digit) in a.limbs.enumerated() {
            var carry: UInt64 = 0
            for (column, other) in b.limbs.enumerated() {
                // (2³²−1)² + 2·(2³²−1) = 2⁶⁴ − 1: no overflow.
                let sum = UInt64(digit) * UInt64(other) + UInt64(product[row + column]) + carry
                product[row + column] = UInt32(truncatingIfNeeded: sum)
                carry = sum >> 32
            }
            product[row + b.limbs.count] = UInt32(carry)
        }
        return BigUInt(normalizing: product)
    }

    /// The number times 2 to the `count`.
    public static func << (a: BigUInt, count: Int) -> BigUInt {
        let shift = UInt64(count % 32)
        var shifted = [UInt32](repeating: 0, count: count / 32)
        var carry: UInt64 = 0
        for digit in a.limbs {
            let wide = UInt64(digit) << shift | carry
            shifted.append(UInt32(truncatingIfNeeded: wide))
            carry = wide >> 32
        }
        shifted.append(UInt32(carry))
        return BigUInt(normalizing: shifted)
    }

    /// The number divided by 2 to the `count`, rounded down.
    public static func >> (a: BigUInt, count: Int) -> BigUInt {
        let skipped = count / 32
        guard skipped < a.limbs.count else { return 0 }
        return BigUInt(
            normalizing: (skipped..<a.limbs.count).map { index in
                let wide = UInt64(a.limb(index + 1)) << 32 | UInt64(a.limb(index))
                return UInt32(truncatingIfNeeded: wide >> UInt64(count % 32))
            })
    }

    /// The quotient, rounded down, and the remainder: Algorithm D. Traps when the divisor is 0.
    public func quotientAndRemainder(dividingBy divisor: BigUInt) -> (quotient: BigUInt, remainder: BigUInt) {
        precondition(!divisor.isZero, "division by zero")
        if self < divisor { return (0, self) }
        // D1: scale, so that the divisor's first digit is at least 2³¹ and the trial quotient at most 2 too large.
        let shift = divisor.limbs[divisor.limbs.count - 1].leadingZeroBitCount
        let v = (divisor << shift).limbs
        var u = (self << shift).limbs
        while u.count <= limbs.count { u.append(0) }
        let n = v.count
        var quotient = [UInt32](repeating: 0, count: u.count - n)
        for j in (0..<u.count - n).reversed() {
            // D3: guess a digit from the first two digits of the remainder, then correct with the divisor's second.
            let top = UInt64(u[j + n]) << 32 | UInt64(u[j + n - 1])
            var digit = top / UInt64(v[n - 1])
            var rest = top % UInt64(v[n - 1])
            while digit > UInt32.max || n > 1 && digit * UInt64(v[n - 2]) > rest << 32 | UInt64(u[j + n - 2]) {
                digit -= 1
                rest += UInt64(v[n - 1])
                if rest > UInt32.max { break }
            }
            // D4: subtract digit · v from the remainder.
            var borrow: Int64 = 0
            var carry: UInt64 = 0
            for i in 0..<n {
                let product = digit * UInt64(v[i]) + carry
                carry = product >> 32
                let difference = Int64(u[i + j]) - Int64(product & 0xffff_ffff) - borrow
                u[i + j] = UInt32(truncatingIfNeeded: difference)
                borrow = difference < 0 ? 1 : 0
            }
            let difference = Int64(u[j + n]) - Int64(carry) - borrow
            u[j + n] = UInt32(truncatingIfNeeded: difference)
            if difference < 0 {
                // D6: the guess was one too large; add v back and drop the carry that pays the borrow.
                digit -= 1
                var carry: UInt64 = 0
                for i in 0..<n {
                    let sum = UInt64(u[i + j]) + UInt64(v[i]) + carry
                    u[i + j] = UInt32(truncatingIfNeeded: sum)
                    carry = sum >> 32
                }
                u[j + n] = u[j + n] &+ UInt32(carry)
            }
            quotient[j] = UInt32(digit)
        }
        // D8: undo the scaling.
        return (BigUInt(normalizing: quotient), BigUInt(normalizing: Array(u[..<n])) >> shift)
    }

    /// The quotient, rounded down.
    public static func / (a: BigUInt, b: BigUInt) -> BigUInt { a.quotientAndRemainder(dividingBy: b).quotient }
    /// The remainder.
    public static func % (a: BigUInt, b: BigUInt) -> BigUInt { a.quotientAndRemainder(dividingBy: b).remainder }
}

// MARK: - Modular arithmetic

extension BigUInt {
    /// (self + other) mod m, for any operands.
    public func adding(_ other: BigUInt, modulo m: BigUInt) -> BigUInt { (self + other) % m }

    /// (self − other) mod m, for any operands.
    public func subtracting(_ other: BigUInt, modulo m: BigUInt) -> BigUInt { (self % m + m - other % m) % m }

    /// (self · other) mod m, for any operands.
    public func multiplied(by other: BigUInt, modulo m: BigUInt) -> BigUInt { (self * other) % m }

    /// −self mod m.
    public func negated(modulo m: BigUInt) -> BigUInt { BigUInt(0).subtracting(self, modulo: m) }

    /// self to the `exponent` mod m, by squaring and multiplying from the top bit.
    public func power(_ exponent: BigUInt, modulo m: BigUInt) -> BigUInt {
        var result = BigUInt(1) % m
        for index in (0..<exponent.bitWidth).reversed() {
            result = result.multiplied(by: result, modulo: m)
            if exponent.bit(index) { result = result.multiplied(by: self, modulo: m) }
        }
        return result
    }

    /// The number x with self · x ≡ 1 mod m, by the extended Euclidean algorithm; `nil` when there is none.
    public func inverse(modulo m: BigUInt) -> BigUInt? {
        // Invariant: coefficient · self ≡ remainder mod m, for both rows.
        var (remainder, nextRemainder) = (m, self % m)
        var (coefficient, nextCoefficient) = (BigUInt(0), BigUInt(1) % m)
        while !nextRemainder.isZero {
            let (quotient, rest) = remainder.quotientAndRemainder(dividingBy: nextRemainder)
            let following = coefficient.subtracting(quotient * nextCoefficient, modulo: m)
            (remainder, nextRemainder) = (nextRemainder, rest)
            (coefficient, nextCoefficient) = (nextCoefficient, following)
        }
        return remainder == 1 ? coefficient : nil
    }
}
