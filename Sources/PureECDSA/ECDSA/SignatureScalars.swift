import PureDER

/// The two numbers of a signature. The initialisers reject numbers outside [1, n − 1] (FIPS 186-5 §6.4.2 step 1).
struct SignatureScalars<Curve: PrimeCurve>: Hashable, Sendable {
    let r, s: Curve.Scalar

    /// Reads r ‖ s, each with as many octets as n (IEEE P1363).
    init(raw bytes: ArraySlice<UInt8>) throws(ECDSAError) {
        let byteCount = Curve.Scalar.byteCount
        let bytes = bytes.span
        guard bytes.count == 2 * byteCount else { throw .invalidLength }
        guard
            let r = Curve.Scalar(bigEndian: bytes.extracting(first: byteCount)), !r.isZero,
            let s = Curve.Scalar(bigEndian: bytes.extracting(droppingFirst: byteCount)), !s.isZero
        else { throw .scalarOutOfRange }
        (self.r, self.s) = (r, s)
    }

    /// Reads `Ecdsa-Sig-Value ::= SEQUENCE { r INTEGER, s INTEGER }` (RFC 3279 §2.2.3). Accepts only DER, because BER
    /// would allow several encodings of one signature.
    init(der: ArraySlice<UInt8>) throws(ECDSAError) {
        let r, s: ArraySlice<UInt8>
        do throws(DERError) {
            var outer = DERReader(der)
            var sequence = try outer.enter(.sequence)
            try outer.finish()
            r = try sequence.readUnsignedInteger()
            s = try sequence.readUnsignedInteger()
            try sequence.finish()
        } catch {
            throw .malformedDER(error)
        }
        (self.r, self.s) = (try Self.scalar(r), try Self.scalar(s))
    }

    /// Reads a number's octets, which have no leading zeros.
    private static func scalar(_ magnitude: ArraySlice<UInt8>) throws(ECDSAError) -> Curve.Scalar {
        guard
            magnitude.count <= Curve.Scalar.byteCount,
            let scalar = Curve.Scalar(plain: Curve.Scalar.Plain(bigEndian: magnitude.span)), !scalar.isZero
        else { throw .scalarOutOfRange }
        return scalar
    }

    var raw: [UInt8] { octets(r) + octets(s) }

    var der: [UInt8] { derElement(0x30, derInteger(octets(r)) + derInteger(octets(s))) }

    private func octets(_ scalar: Curve.Scalar) -> [UInt8] {
        var bytes: [UInt8] = []
        scalar.plain.appendBigEndian(byteCount: Curve.Scalar.byteCount, to: &bytes)
        return bytes
    }

    static func == (a: Self, b: Self) -> Bool { a.r == b.r && a.s == b.s }

    func hash(into hasher: inout Hasher) {
        for i in 0..<Curve.Scalar.Plain.limbCount {
            hasher.combine(r.plain[limb: i])
            hasher.combine(s.plain[limb: i])
        }
    }
}
