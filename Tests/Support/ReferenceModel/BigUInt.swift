/// A non-negative integer of any size, with schoolbook arithmetic.
///
/// Tests compare the fast code with this model. The model uses no Montgomery domain, lazy reduction or fixed width, and
/// it may branch on carries.
public struct BigUInt: Hashable, Sendable {
    /// Base-2⁶⁴ digits, least significant first, without leading zeros. Zero has no digits, so equal numbers have equal
    /// arrays.
    private(set) var limbs: [UInt64]

    init(normalizing limbs: [UInt64]) {
        var count = limbs.count
        while count > 0, limbs[count - 1] == 0 { count -= 1 }
        self.limbs = count == limbs.count ? limbs : Array(limbs[..<count])
    }

    /// Creates the number `value`.
    public init(_ value: UInt64) {
        self.init(normalizing: [value])
    }

    /// Creates a number from base-2⁶⁴ digits, least significant first.
    public init(words: some Sequence<UInt64>) {
        self.init(normalizing: Array(words))
    }

    /// Creates a number from big-endian bytes. An empty sequence is 0.
    public init(bigEndian bytes: some Sequence<UInt8>) {
        let reversed = Array(Array(bytes).reversed())
        self.init(
            normalizing: stride(from: 0, to: reversed.count, by: 8).map { start in
                reversed[start..<min(start + 8, reversed.count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            })
    }

    /// Creates a number from hexadecimal digits. Spaces, line breaks and underscores may separate groups of digits.
    ///
    /// Traps on other characters, so use it only for constants and test files.
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
    /// The number of bits without leading zeros, or 0 for the number 0.
    public var bitWidth: Int {
        limbs.isEmpty ? 0 : limbs.count * 64 - limbs[limbs.count - 1].leadingZeroBitCount
    }
    /// Returns bit `index`, counted from the least significant bit, or false beyond the width of the number.
    public func bit(_ index: Int) -> Bool {
        index / 64 < limbs.count && limbs[index / 64] >> UInt64(index % 64) & 1 == 1
    }

    /// Returns base-2⁶⁴ digits, least significant first, padded with zeros to `count`. Traps if there are more digits.
    public func words(count: Int) -> [UInt64] {
        precondition(bitWidth <= 64 * count)
        return (0..<count).map(limb)
    }

    /// Returns the number as `count` big-endian bytes, padded with leading zeros. Traps if the number needs more bytes.
    public func bigEndianBytes(count: Int) -> [UInt8] {
        precondition(bitWidth <= 8 * count)
        return (0..<count).reversed().map { UInt8(truncatingIfNeeded: limb($0 / 8) >> UInt64($0 % 8 * 8)) }
    }

    /// The big-endian bytes without leading zeros, or one zero byte for 0.
    public var bigEndianBytes: [UInt8] { bigEndianBytes(count: max(1, (bitWidth + 7) / 8)) }

    /// An even number of lower-case hexadecimal digits, without further leading zeros.
    public var hex: String {
        bigEndianBytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func limb(_ index: Int) -> UInt64 { index < limbs.count ? limbs[index] : 0 }
}

extension BigUInt: CustomStringConvertible {
    /// The hexadecimal digits after `0x`.
    public var description: String { "0x" + hex }
}

extension BigUInt: ExpressibleByIntegerLiteral {
    /// Creates a number from a literal below 2⁶⁴.
    public init(integerLiteral value: UInt64) { self.init(value) }
}

extension BigUInt: Comparable {
    /// Compares the number of digits first, and then the digits from the most significant.
    public static func < (a: BigUInt, b: BigUInt) -> Bool {
        if a.limbs.count != b.limbs.count { return a.limbs.count < b.limbs.count }
        var index = a.limbs.count
        while index > 0 {
            index -= 1
            if a.limbs[index] != b.limbs[index] { return a.limbs[index] < b.limbs[index] }
        }
        return false
    }
}

// MARK: - Schoolbook arithmetic (Knuth, The Art of Computer Programming 2, §4.3.1)

/// Returns a + b + carry as a digit and the next carry (0 or 1).
private func add(_ a: UInt64, _ b: UInt64, carry: UInt64) -> (digit: UInt64, carry: UInt64) {
    let (sum, first) = a.addingReportingOverflow(b)
    let (digit, second) = sum.addingReportingOverflow(carry)
    return (digit, (first ? 1 : 0) + (second ? 1 : 0))
}

/// Returns a − b − borrow as a digit and the next borrow (0 or 1).
private func subtract(_ a: UInt64, _ b: UInt64, borrow: UInt64) -> (digit: UInt64, borrow: UInt64) {
    let (difference, first) = a.subtractingReportingOverflow(b)
    let (digit, second) = difference.subtractingReportingOverflow(borrow)
    return (digit, (first ? 1 : 0) + (second ? 1 : 0))
}

extension BigUInt {
    /// Returns the sum (Algorithm A).
    public static func + (a: BigUInt, b: BigUInt) -> BigUInt {
        var sum: [UInt64] = []
        sum.reserveCapacity(max(a.limbs.count, b.limbs.count) + 1)
        var carry: UInt64 = 0
        for index in 0..<max(a.limbs.count, b.limbs.count) {
            let next = add(a.limb(index), b.limb(index), carry: carry)
            sum.append(next.digit)
            carry = next.carry
        }
        sum.append(carry)
        return BigUInt(normalizing: sum)
    }

    /// Returns the difference (Algorithm S). Traps if the difference is negative.
    public static func - (a: BigUInt, b: BigUInt) -> BigUInt {
        precondition(a >= b, "a natural number cannot be negative")
        var difference: [UInt64] = []
        difference.reserveCapacity(a.limbs.count)
        var borrow: UInt64 = 0
        for index in 0..<a.limbs.count {
            let next = subtract(a.limbs[index], b.limb(index), borrow: borrow)
            difference.append(next.digit)
            borrow = next.borrow
        }
        return BigUInt(normalizing: difference)
    }

    /// Returns the product (Algorithm M).
    public static func * (a: BigUInt, b: BigUInt) -> BigUInt {
        var product = [UInt64](repeating: 0, count: a.limbs.count + b.limbs.count)
        for row in 0..<a.limbs.count {
            var carry: UInt64 = 0
            for column in 0..<b.limbs.count {
                // (2⁶⁴−1)² + 2·(2⁶⁴−1) = 2¹²⁸ − 1, so adding both carries does not overflow the high digit.
                let (high, low) = a.limbs[row].multipliedFullWidth(by: b.limbs[column])
                let sum = add(product[row + column], low, carry: carry)
                product[row + column] = sum.digit
                carry = high + sum.carry
            }
            product[row + b.limbs.count] = carry
        }
        return BigUInt(normalizing: product)
    }

    /// Returns the number times 2 to the `count`.
    public static func << (a: BigUInt, count: Int) -> BigUInt {
        if count == 0 { return a }
        let zeros = [UInt64](repeating: 0, count: count / 64)
        return BigUInt(normalizing: zeros + a.limbs) * BigUInt(1 << UInt64(count % 64))
    }

    /// Returns the number divided by 2 to the `count`, rounded down.
    public static func >> (a: BigUInt, count: Int) -> BigUInt {
        if count == 0 { return a }
        let (skipped, bits) = (count / 64, UInt64(count % 64))
        guard skipped < a.limbs.count else { return 0 }
        return BigUInt(
            normalizing: (skipped..<a.limbs.count).map { index in
                // If `bits` is 0, Swift's smart shift by 64 gives 0, as the algorithm requires.
                a.limb(index) >> bits | a.limb(index + 1) << (64 - bits)
            })
    }

    /// Returns the quotient, rounded down, and the remainder (Algorithm D). Traps if the divisor is 0.
    public func quotientAndRemainder(dividingBy divisor: BigUInt) -> (quotient: BigUInt, remainder: BigUInt) {
        precondition(!divisor.isZero, "division by zero")
        if self < divisor { return (0, self) }
        // D1: scale the divisor's first digit to 2⁶³ or more, so a trial digit is at most 2 too large (Theorem B).
        let shift = divisor.limbs[divisor.limbs.count - 1].leadingZeroBitCount
        let v = (divisor << shift).limbs
        let n = v.count
        var u = (self << shift).limbs + [0]
        var quotient = [UInt64](repeating: 0, count: u.count - n)
        var j = u.count - n
        while j > 0 {
            j -= 1
            // D3: guess a digit from the first two digits of the remainder.
            var digit = UInt64.max
            if u[j + n] < v[n - 1] { digit = v[n - 1].dividingFullWidth((u[j + n], u[j + n - 1])).quotient }
            // D4: subtract digit · v from the remainder.
            var carry: UInt64 = 0
            var borrow: UInt64 = 0
            for i in 0..<n {
                let (high, low) = digit.multipliedFullWidth(by: v[i])
                let product = add(low, carry, carry: 0)
                let difference = subtract(u[i + j], product.digit, borrow: borrow)
                u[i + j] = difference.digit
                (carry, borrow) = (high + product.carry, difference.borrow)
            }
            let difference = subtract(u[j + n], carry, borrow: borrow)
            u[j + n] = difference.digit
            var isNegative = difference.borrow == 1
            // D6: while the guess is too large, decrement it and add v back. The carry out cancels the borrow.
            while isNegative {
                digit -= 1
                var carry: UInt64 = 0
                for i in 0..<n {
                    let sum = add(u[i + j], v[i], carry: carry)
                    u[i + j] = sum.digit
                    carry = sum.carry
                }
                let sum = add(u[j + n], carry, carry: 0)
                u[j + n] = sum.digit
                isNegative = sum.carry == 0
            }
            quotient[j] = digit
        }
        // D8: undo the scaling.
        return (BigUInt(normalizing: quotient), BigUInt(normalizing: Array(u[..<n])) >> shift)
    }

    /// Returns the quotient, rounded down.
    public static func / (a: BigUInt, b: BigUInt) -> BigUInt { a.quotientAndRemainder(dividingBy: b).quotient }
    /// Returns the remainder.
    public static func % (a: BigUInt, b: BigUInt) -> BigUInt { a.quotientAndRemainder(dividingBy: b).remainder }
}

// MARK: - Modular arithmetic

extension BigUInt {
    /// Returns (self + other) mod m, for any operands.
    public func adding(_ other: BigUInt, modulo m: BigUInt) -> BigUInt { (self + other) % m }

    /// Returns (self − other) mod m, for any operands.
    public func subtracting(_ other: BigUInt, modulo m: BigUInt) -> BigUInt {
        let (a, b) = (self % m, other % m)
        return a >= b ? a - b : a + m - b
    }

    /// Returns (self · other) mod m, for any operands.
    public func multiplied(by other: BigUInt, modulo m: BigUInt) -> BigUInt { (self * other) % m }

    /// Returns −self mod m.
    public func negated(modulo m: BigUInt) -> BigUInt { BigUInt(0).subtracting(self, modulo: m) }

    /// Returns self to the `exponent` mod m, by squaring and multiplying from the top bit.
    public func power(_ exponent: BigUInt, modulo m: BigUInt) -> BigUInt {
        var result = BigUInt(1) % m
        for index in (0..<exponent.bitWidth).reversed() {
            result = result.multiplied(by: result, modulo: m)
            if exponent.bit(index) { result = result.multiplied(by: self, modulo: m) }
        }
        return result
    }

    /// Returns the number x with self · x ≡ 1 mod m, by the extended Euclidean algorithm, or `nil` if none exists.
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
