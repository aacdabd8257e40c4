/// Encodes points as octets and decodes points from octets (SEC 1 §2.3.3, §2.3.4). Decoding validates the point as a
/// public key (SEC 1 §3.2.2.1, SP 800-56A §5.6.2.3.3). Every ``AffinePoint`` that these initialisers create is on the
/// curve and is not the point at infinity. Checking n·Q = ∞ is unnecessary, because the cofactor is 1. The
/// initialisers check the length before they read a coordinate.
extension AffinePoint {
    /// Reads the uncompressed or the compressed form (RFC 5480 §2.2), selected by the first octet (SEC 1 §2.3.4).
    init(encoded bytes: ArraySlice<UInt8>) throws(ECDSAError) {
        if bytes.first == 0x04 { try self.init(x963: bytes) } else { try self.init(compressed: bytes) }
    }

    /// 0x04 ‖ x ‖ y.
    init(x963 bytes: ArraySlice<UInt8>) throws(ECDSAError) {
        guard bytes.count == 1 + 2 * Curve.Field.byteCount else { throw .invalidLength }
        guard bytes.first == 0x04 else { throw .invalidPointFormat }
        try self.init(raw: bytes.dropFirst())
    }

    /// x ‖ y.
    init(raw bytes: ArraySlice<UInt8>) throws(ECDSAError) {
        let byteCount = Curve.Field.byteCount
        let bytes = bytes.span
        guard bytes.count == 2 * byteCount else { throw .invalidLength }
        guard
            let x = Curve.Field(plain: Curve.Field.Plain(bigEndian: bytes.extracting(first: byteCount))),
            let y = Curve.Field(plain: Curve.Field.Plain(bigEndian: bytes.extracting(droppingFirst: byteCount)))
        else { throw .coordinateOutOfRange }
        self.init(x: x, y: y)
        guard isOnCurve else { throw .pointNotOnCurve }
    }

    /// 0x02 or 0x03 ‖ x; the first octet gives the parity of y. y is one of the two square roots of x³ − 3x + b.
    /// Neither root is 0, because no point has order 2. So one root is even and the other root is odd.
    init(compressed bytes: ArraySlice<UInt8>) throws(ECDSAError) {
        guard bytes.count == 1 + Curve.Field.byteCount else { throw .invalidLength }
        guard let format = bytes.first, format | 1 == 0x03 else { throw .invalidPointFormat }
        let coordinate = bytes.span.extracting(droppingFirst: 1)
        guard let x = Curve.Field(plain: Curve.Field.Plain(bigEndian: coordinate)) else {
            throw .coordinateOutOfRange
        }
        guard let y = Curve.rightHandSide(x).squareRootVarTime() else { throw .pointNotOnCurve }
        self.init(x: x, y: y.plain[limb: 0] & 1 == UInt64(format & 1) ? y : y.negated())
    }

    /// Reads x, and selects the smaller of the two possible y (draft-jivsov-ecc-compact-05 §4.2).
    init(compact bytes: ArraySlice<UInt8>) throws(ECDSAError) {
        try self.init(compressed: [0x02] + bytes)
        if !isCompactRepresentable { self = negated() }
    }

    /// x, or `nil` if p − y is smaller than y.
    var compact: [UInt8]? { isCompactRepresentable ? octets([], x) : nil }

    /// Whether y < p − y. y and p − y differ, because p is odd and y is not 0.
    private var isCompactRepresentable: Bool { octets([], y).lexicographicallyPrecedes(octets([], y.negated())) }

    var raw: [UInt8] { octets([], x, y) }

    var x963: [UInt8] { octets([0x04], x, y) }

    /// 0x02 + (y mod 2) ‖ x.
    var compressed: [UInt8] { octets([0x02 | UInt8(truncatingIfNeeded: y.plain[limb: 0] & 1)], x) }

    private func octets(_ format: [UInt8], _ coordinates: Curve.Field...) -> [UInt8] {
        var bytes = format
        bytes.reserveCapacity(format.count + coordinates.count * Curve.Field.byteCount)
        for coordinate in coordinates { coordinate.plain.appendBigEndian(byteCount: Curve.Field.byteCount, to: &bytes) }
        return bytes
    }
}
