/// Points from and to octets (SEC 1 §2.3.3, §2.3.4), with key validation (SEC 1 §3.2.2.1, SP 800-56A §5.6.2.3.3).
///
/// Every ``AffinePoint`` created here is on the curve and not the point at infinity. n·Q = ∞ needs no check, because
/// the cofactor is 1. Lengths are checked before anything is read.
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
    /// Neither root is 0, because no point has order 2, so one is even and the other odd.
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

    /// Reads x. Of the two points with this x, selects the one with the smaller y (draft-jivsov-ecc-compact-05 §4.2).
    init(compact bytes: ArraySlice<UInt8>) throws(ECDSAError) {
        try self.init(compressed: [0x02] + bytes)
        if !isCompactRepresentable { self = negated() }
    }

    /// x; `nil` unless y is the smaller of y and p − y.
    var compact: [UInt8]? { isCompactRepresentable ? octets([], x) : nil }

    /// Whether y < p − y. The two differ, because p is odd and y is not 0.
    private var isCompactRepresentable: Bool { octets([], y).lexicographicallyPrecedes(octets([], y.negated())) }

    /// x ‖ y.
    var raw: [UInt8] { octets([], x, y) }

    /// 0x04 ‖ x ‖ y.
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
