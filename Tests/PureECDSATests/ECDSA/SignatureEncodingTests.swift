import PureECDSA
import ReferenceModel
import Testing
import VectorSupport

struct SignatureEncodingTests {
    /// Returns the ends of the range, and numbers of every length in bytes. For each length, the top bit is clear in
    /// one number and set in another.
    private func numbers(on curve: VectorCurve) -> [BigUInt] {
        let n = curve.model.n
        var numbers: [BigUInt] = [1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, n - 1, n - 2, n >> 1]
        for bit in stride(from: 7, to: n.bitWidth - 1, by: 8) {
            numbers += [.power(ofTwo: bit) - 1, .power(ofTwo: bit)]
        }
        return numbers
    }

    @Test(arguments: VectorCurve.allCases)
    func readsWhatItWrites(_ curve: VectorCurve) throws {
        for r in numbers(on: curve) {
            for s in [1, 0x80, curve.model.n - 1, r] {
                let raw = r.bigEndianBytes(count: curve.byteCount) + s.bigEndianBytes(count: curve.byteCount)
                let der = derSignature(r, s)
                #expect(try curve.rewriteSignature(raw, from: .raw, to: .raw) == raw)
                #expect(try curve.rewriteSignature(raw, from: .raw, to: .der) == der)
                #expect(try curve.rewriteSignature(der, from: .der, to: .raw) == raw)
                #expect(
                    try curve.rewriteSignature(([0x30] + der + [0])[1..<1 + der.count], from: .der, to: .der) == der)
                #expect(try curve.rewriteSignature(([9] + raw)[1...], from: .raw, to: .raw) == raw)
            }
        }
    }

    @Test func comparesSignatures() throws {
        let signature = try P256.Signing.ECDSASignature(derRepresentation: derSignature(1, 2))
        let raw = BigUInt(1).bigEndianBytes(count: 32) + BigUInt(2).bigEndianBytes(count: 32)
        #expect(try P256.Signing.ECDSASignature(rawRepresentation: raw) == signature)
        #expect(try P256.Signing.ECDSASignature(rawRepresentation: raw).hashValue == signature.hashValue)
        #expect(try P256.Signing.ECDSASignature(derRepresentation: derSignature(2, 1)) != signature)
        #expect(try P256.Signing.ECDSASignature(derRepresentation: derSignature(1, 3)) != signature)
        #expect(try P256.Signing.ECDSASignature(derRepresentation: derSignature(3, 2)) != signature)
    }

    /// Most encodings below contain a valid r and s, so verification succeeds if the decoder accepts the encoding.
    @Test(arguments: VectorCurve.allCases)
    func rejectsEverythingButDER(_ curve: VectorCurve) throws {
        var builder = EdgeSignatureBuilder(curve)
        // The top bit of r is set and the top bit of s is clear, so the test covers both kinds of INTEGER.
        var edge = builder.signature("any", digest: builder.digest(count: curve.byteCount))
        while !edge.r.bit(8 * curve.byteCount - 1) || edge.s.bitWidth > 8 * curve.byteCount - 1 {
            edge = builder.signature("any", digest: builder.digest(count: curve.byteCount))
        }
        let key = try VectorKey(edge.publicKey, on: curve)
        let digest = VectorDigest(edge.digest)
        let (r, s) = (derInteger(edge.r), derInteger(edge.s))
        let (rBytes, sBytes) = (edge.r.bigEndianBytes, edge.s.bigEndianBytes)
        let whole = der(0x30, r, s)
        #expect(key.isValidSignature(whole, as: .der, for: digest))

        let body = r + s
        let count = UInt8(body.count)
        var encodings: [(String, [UInt8])] = [
            ("empty", []), ("tag alone", [0x30]), ("empty sequence", [0x30, 0]), ("r alone", der(0x30, r)),
            ("three integers", der(0x30, r, s, s)), ("NULL after s", der(0x30, r, s, [5, 0])),
            ("byte after the end", whole + [0]), ("end of contents after the end", whole + [0, 0]),
            ("twice", whole + whole), ("byte before", [0] + whole), ("no sequence", body),
            ("in a sequence", der(0x30, whole)),
            ("set", der(0x31, r, s)), ("primitive sequence", [0x10, count] + body),
            ("context tag", [0xa0, count] + body),
            ("long-form tag", [0x3f, 0x10, count] + body), ("octet string", der(0x04, whole)),
            ("length 81", [0x30, 0x81, count] + body), ("length 82", [0x30, 0x82, 0, count] + body),
            ("length 84", [0x30, 0x84, 0, 0, 0, count] + body),
            ("length 88", [0x30, 0x88, 0, 0, 0, 0, 0, 0, 0, count] + body),
            ("length 2⁶⁴ − 1", [0x30, 0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff] + body),
            ("length 2³¹ − 1", [0x30, 0x84, 0x7f, 0xff, 0xff, 0xff] + body), ("length ff", [0x30, 0xff] + body),
            ("indefinite", [0x30, 0x80] + body + [0, 0]), ("indefinite without end", [0x30, 0x80] + body),
            ("length one less", [0x30, count - 1] + body), ("length one more", [0x30, count + 1] + body),
            ("length 0", [0x30, 0] + body),
        ]
        func add(_ name: String, _ wrongR: [UInt8], _ wrongS: [UInt8]) {
            encodings.append(("r: \(name)", der(0x30, wrongR, s)))
            encodings.append(("s: \(name)", der(0x30, r, wrongS)))
        }
        // X.690 §8.3.2: an INTEGER has the fewest possible octets, and a set top bit means a negative number.
        add("leading zero", der(2, [0], [0], rBytes), der(2, [0], sBytes))
        add("two leading zeros", der(2, [0, 0, 0], rBytes), der(2, [0, 0], sBytes))
        encodings.append(("r: zero octet missing, negative", der(0x30, der(2, rBytes), s)))
        add("negative", der(2, [0xff], rBytes), der(2, [0xff], sBytes))
        let complement = { (bytes: [UInt8]) in [0xff] + bytes.map { ~$0 } }
        add("complement", der(2, complement(rBytes)), der(2, complement(sBytes)))
        add("empty", der(2), der(2))
        add("missing", [], [])
        add("NULL", [5, 0], [5, 0])
        add("octet string", der(4, rBytes), der(4, sBytes))
        add("enumerated", der(0x0a, r.dropFirst(2) + []), der(0x0a, s.dropFirst(2) + []))
        add("constructed", der(0x22, r), der(0x22, s))
        add("context tag", der(0x82, r.dropFirst(2) + []), der(0x82, s.dropFirst(2) + []))
        add("bit string", der(3, [0], rBytes), der(3, [0], sBytes))
        add("length 81", [2, 0x81] + r[1...], [2, 0x81] + s[1...])
        add("length 82", [2, 0x82, 0] + r[1...], [2, 0x82, 0] + s[1...])
        add("indefinite", [2, 0x80] + r[2...] + [0, 0], [2, 0x80] + s[2...] + [0, 0])
        add("cut", Array(r.dropLast()), Array(s.dropLast()))
        add("one byte more", r + [0], s + [0])
        add("zero", derInteger(0), derInteger(0))
        add("infinity as REAL", [9, 1, 0x40], [9, 1, 0x40])
        // Here, r and s are far greater than n, and their DER lengths need two octets.
        add("2²⁰⁰⁰", derInteger(.power(ofTwo: 2000)), derInteger(.power(ofTwo: 2000)))
        encodings.append(("swapped", der(0x30, s, r)))
        for (name, bytes) in encodings { #expect(!key.isValidSignature(bytes, as: .der, for: digest), "\(name)") }
        #expect(encodings.count == 71)

        for count in 0..<whole.count {
            #expect(!key.isValidSignature(whole[..<count], as: .der, for: digest), "first \(count)")
        }
        // Sets each octet of the structure, and the first content octet of r, to every other value.
        for index in [0, 1, 2, 3, 4, 2 + r.count, 3 + r.count] {
            for value in UInt8.min...UInt8.max where value != whole[index] {
                var bytes = whole
                bytes[index] = value
                #expect(!key.isValidSignature(bytes, as: .der, for: digest), "byte \(index) = \(value)")
            }
        }
    }

    @Test(arguments: VectorCurve.allCases)
    func rejectsRawFormsOfOtherLengths(_ curve: VectorCurve) throws {
        var builder = EdgeSignatureBuilder(curve)
        let edge = builder.signature("any", digest: builder.digest(count: curve.byteCount))
        let key = try VectorKey(edge.publicKey, on: curve)
        let digest = VectorDigest(edge.digest)
        let r = edge.r.bigEndianBytes(count: curve.byteCount)
        let s = edge.s.bigEndianBytes(count: curve.byteCount)
        #expect(key.isValidSignature(r + s, as: .raw, for: digest))
        let lengths = [[], r, r + s.dropLast(), r + s + [0], [0] + r + s, [0] + r + [0] + s, r + s + r + s, s + r]
        for bytes in lengths + [derSignature(edge.r, edge.s)] {
            #expect(!key.isValidSignature(bytes, as: .raw, for: digest), "\(bytes.count)")
        }
        #expect(!key.isValidSignature(r + s, as: .der, for: digest))
    }

    /// Both decoders report a pair out of range, because the signature type cannot represent such a pair.
    @Test func reportsTheRangeRule() {
        let n = ModelCurve.p256.n
        for (r, s) in [(0, 1), (1, 0), (n, 1), (1, n)] as [(BigUInt, BigUInt)] {
            let raw = r.bigEndianBytes(count: 32) + s.bigEndianBytes(count: 32)
            #expect(throws: ECDSAError.scalarOutOfRange) { try P256.Signing.ECDSASignature(rawRepresentation: raw) }
            #expect(throws: ECDSAError.scalarOutOfRange) {
                try P256.Signing.ECDSASignature(derRepresentation: derSignature(r, s))
            }
        }
        #expect(throws: ECDSAError.invalidLength) { try P256.Signing.ECDSASignature(rawRepresentation: [1, 2, 3]) }
    }
}
