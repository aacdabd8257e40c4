/// An unsigned integer of fixed width: 64-bit limbs in an `InlineArray`, least significant first. This protocol hides
/// the width of the array, because a protocol cannot state that two of its requirements use arrays of the same width.
protocol LimbArray: Sendable {
    static var limbCount: Int { get }
    static var zero: Self { get }
    /// The limb of weight 2^(64·index).
    subscript(limb index: Int) -> UInt64 { get set }
}

extension InlineArray: LimbArray where Element == UInt64 {
    static var limbCount: Int { count }
    static var zero: Self { Self(repeating: 0) }

    subscript(limb index: Int) -> UInt64 {
        @inline(__always) get { self[index] }
        @inline(__always) set { self[index] = newValue }
    }
}

extension LimbArray {
    /// Reads octets, most significant first (SEC 1 §2.3.8). Bounds: the octets fit into the limbs.
    init(bigEndian bytes: Span<UInt8>) {
        precondition(bytes.count <= 8 * Self.limbCount)
        self = Self.zero
        var end = bytes.count
        for i in 0..<Self.limbCount {
            var limb: UInt64 = 0, shift: UInt64 = 0
            while end > 0, shift < 64 {
                end -= 1
                limb |= UInt64(bytes[end]) &<< shift
                shift += 8
            }
            self[limb: i] = limb
        }
    }

    /// Appends the low `byteCount` octets, most significant first (SEC 1 §2.3.7).
    func appendBigEndian(byteCount: Int, to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: byteCount) { octets in
            var place = byteCount
            while place > 0 {
                let limb = self[limb: (place - 1) >> 3]
                repeat {
                    place -= 1
                    octets.append(UInt8(truncatingIfNeeded: limb &>> UInt64(truncatingIfNeeded: 8 * (place & 7))))
                } while place & 7 != 0
            }
        }
    }

    var isZero: Bool {
        for i in 0..<Self.limbCount where self[limb: i] != 0 { return false }
        return true
    }

    /// Returns whether self is below `other`. Time: variable.
    func isLess(than other: Self) -> Bool {
        for i in stride(from: Self.limbCount - 1, through: 0, by: -1) where self[limb: i] != other[limb: i] {
            return self[limb: i] < other[limb: i]
        }
        return false
    }

    /// Adds `other` and returns the carry out.
    mutating func add(_ other: Self) -> UInt64 {
        var carry: UInt64 = 0
        for i in 0..<Self.limbCount { self[limb: i] = addWithCarry(self[limb: i], other[limb: i], &carry) }
        return carry
    }

    /// Subtracts `other` and returns the borrow out.
    mutating func subtract(_ other: Self) -> UInt64 {
        var borrow: UInt64 = 0
        for i in 0..<Self.limbCount { self[limb: i] = subtractWithBorrow(self[limb: i], other[limb: i], &borrow) }
        return borrow
    }

    /// Returns 64 bits, starting at bit `position`. Bits beyond the width are 0. Bounds: position ≥ 0.
    @inline(__always)
    func word(at position: Int) -> UInt64 {
        let i = position >> 6, shift = UInt64(truncatingIfNeeded: position & 63)
        guard i < Self.limbCount else { return 0 }
        let above = i + 1 < Self.limbCount ? self[limb: i + 1] : 0
        return self[limb: i] &>> shift | (above &<< 1) &<< (63 - shift)
    }

    /// Returns `count` bits, starting at bit `position`. Bits beyond the width are 0. Bounds: 1 ≤ count ≤ 63.
    @inline(__always)
    func bits(at position: Int, count: Int) -> UInt64 {
        word(at: position) & (1 << UInt64(truncatingIfNeeded: count) - 1)
    }

    /// Shifts right by `count` bits. Bounds: 1 ≤ count ≤ 63.
    mutating func shiftRight(by count: Int) {
        let shift = UInt64(truncatingIfNeeded: count)
        for i in 0..<Self.limbCount {
            let above = i + 1 < Self.limbCount ? self[limb: i + 1] : 0
            self[limb: i] = self[limb: i] >> shift | above << (64 - shift)
        }
    }
}
