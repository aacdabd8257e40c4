import PureECDSA
import ReferenceModel
import Testing
import VectorSupport

struct PublicKeyEncodingTests {
    /// Returns points whose encodings have leading zeros, points with y of both parities, and points with x at either
    /// end of the range.
    private func points(on curve: VectorCurve) -> [ModelPoint] {
        let model = curve.model
        var generator = SplitMix64(seed: 50)
        let builder = EdgeSignatureBuilder(curve)
        let random = model.multiply(.random(below: model.n, using: &generator), model.generator)
        let small = builder.points(from: 0, count: 3)
        let large = builder.points(from: model.p - 16, count: 2)
        return [model.generator, random] + small + small.map(model.negate) + large + large.map(model.negate)
    }

    @Test(arguments: VectorCurve.allCases)
    func readsWhatItWrites(_ curve: VectorCurve) throws {
        let points = points(on: curve)
        #expect(points.count == 12)
        for point in points {
            let x963 = point.x963(on: curve)
            let key = try VectorKey(x963, as: .x963, on: curve)
            #expect(key.bytes(as: .x963) == x963)
            #expect(key.bytes(as: .raw) == Array(x963.dropFirst()))
            let y = try #require(point.y)
            #expect(key.bytes(as: .compressed) == [y.isOdd ? 3 : 2] + x963[1...curve.byteCount])
            #expect(key.bytes(as: .der) == subjectPublicKeyInfo(x963, on: curve))
            for form in VectorKeyForm.allCases {
                let bytes = key.bytes(as: form)
                #expect(try VectorKey(bytes, as: form, on: curve) == key)
                // Tests a slice that does not start at index 0, and a sequence that is not an array.
                #expect(try VectorKey(([1, 2, 3] + bytes + [4])[3..<3 + bytes.count], as: form, on: curve) == key)
                #expect(try VectorKey(CollectionOfOne(bytes).joined(), as: form, on: curve) == key)
            }
            // Tests the compressed point inside a SubjectPublicKeyInfo, RFC 5480 §2.2.
            let compressed = subjectPublicKeyInfo(key.bytes(as: .compressed), on: curve)
            #expect(try VectorKey(compressed, as: .der, on: curve) == key)
        }
    }

    @Test(arguments: VectorCurve.allCases)
    func rejectsEveryOtherLength(_ curve: VectorCurve) throws {
        let key = try VectorKey(curve.model.generator, on: curve)
        for form in VectorKeyForm.allCases {
            let bytes = key.bytes(as: form)
            for count in 0..<bytes.count {
                #expect(VectorKey.rejection(of: bytes[..<count], as: form, on: curve) != nil, "\(form) \(count)")
            }
            for extra in [[0], [4], bytes] as [[UInt8]] {
                #expect(VectorKey.rejection(of: bytes + extra, as: form, on: curve) != nil, "\(form)")
                #expect(VectorKey.rejection(of: extra + bytes, as: form, on: curve) != nil, "\(form)")
            }
        }
        for form in VectorKeyForm.allCases {
            for other in VectorKeyForm.allCases where other != form {
                #expect(VectorKey.rejection(of: key.bytes(as: form), as: other, on: curve) != nil, "\(form) \(other)")
            }
        }
        let otherCurve: VectorCurve = curve == .p256 ? .p384 : .p256
        for form in VectorKeyForm.allCases {
            #expect(VectorKey.rejection(of: key.bytes(as: form), as: form, on: otherCurve) != nil)
        }
    }

    /// SEC 1 §2.3.3: 00 is infinity, 04 uncompressed, 02 and 03 compressed; SEC 1 lacks ANSI X9.62's hybrid 06 and 07.
    @Test(arguments: VectorCurve.allCases)
    func rejectsEveryOtherFirstByte(_ curve: VectorCurve) throws {
        let key = try VectorKey(curve.model.generator, on: curve)
        for (form, length) in [(VectorKeyForm.x963, 2 * curve.byteCount), (.compressed, curve.byteCount)] {
            let rest = key.bytes(as: form).dropFirst()
            #expect(rest.count == length)
            for first in UInt8.min...UInt8.max {
                let rejection = VectorKey.rejection(of: [first] + rest, as: form, on: curve)
                let isRight = form == .x963 ? first == 4 : first == 2 || first == 3
                #expect(isRight ? rejection == nil : rejection == .invalidPointFormat, "\(form) \(first)")
                let der = subjectPublicKeyInfo([first] + rest, on: curve)
                #expect((VectorKey.rejection(of: der, as: .der, on: curve) == nil) == isRight, "\(form) \(first)")
            }
        }
        // The encoding of infinity is one zero byte, which no decoder accepts as a key.
        for form in VectorKeyForm.allCases {
            #expect(VectorKey.rejection(of: [0], as: form, on: curve) != nil)
        }
        #expect(VectorKey.rejection(of: subjectPublicKeyInfo([0], on: curve), as: .der, on: curve) != nil)
        #expect(VectorKey.rejection(of: subjectPublicKeyInfo([], on: curve), as: .der, on: curve) != nil)
        // Some other implementations use (0, 0) for infinity.
        let zeros = [UInt8](repeating: 0, count: 2 * curve.byteCount)
        #expect(VectorKey.rejection(of: zeros, as: .raw, on: curve) == .pointNotOnCurve)
        #expect(VectorKey.rejection(of: [4] + zeros, as: .x963, on: curve) == .pointNotOnCurve)
    }

    /// SEC 1 §3.2.2.1 step 2: decoding must reject a coordinate of p or more, even if the point is on the curve mod p.
    @Test(arguments: VectorCurve.allCases)
    func rejectsCoordinatesOfPOrMore(_ curve: VectorCurve) throws {
        let model = curve.model
        let bound = BigUInt.power(ofTwo: 8 * curve.byteCount)
        func raw(_ x: BigUInt, _ y: BigUInt) -> [UInt8] {
            x.bigEndianBytes(count: curve.byteCount) + y.bigEndianBytes(count: curve.byteCount)
        }
        // These points have a small x, so x + p still fits into the encoding.
        for point in EdgeSignatureBuilder(curve).points(from: 0, count: 3) {
            let (x, y) = (try #require(point.x), try #require(point.y))
            #expect(VectorKey.rejection(of: raw(x, y), as: .raw, on: curve) == nil)
            #expect(VectorKey.rejection(of: raw(x + model.p, y), as: .raw, on: curve) == .coordinateOutOfRange)
            for format in [2, 3] as [UInt8] {
                let compressed = [format] + (x + model.p).bigEndianBytes(count: curve.byteCount)
                #expect(VectorKey.rejection(of: compressed, as: .compressed, on: curve) == .coordinateOutOfRange)
            }
        }
        // Decoding rejects an out-of-range y before it checks the curve equation, so this point may be off the curve.
        let x = try #require(model.generator.x)
        let y = try #require(model.generator.y)
        for wrong in [model.p, model.p + 1, bound - 1] {
            #expect(VectorKey.rejection(of: raw(x, wrong), as: .raw, on: curve) == .coordinateOutOfRange)
            #expect(VectorKey.rejection(of: raw(wrong, y), as: .raw, on: curve) == .coordinateOutOfRange)
            let compressed = [2] + wrong.bigEndianBytes(count: curve.byteCount)
            #expect(VectorKey.rejection(of: compressed, as: .compressed, on: curve) == .coordinateOutOfRange)
        }
        #expect(VectorKey.rejection(of: raw(x, y + 1), as: .raw, on: curve) == .pointNotOnCurve)
        #expect(VectorKey.rejection(of: raw(x, model.p - y), as: .raw, on: curve) == nil)
        #expect(VectorKey.rejection(of: raw(y, x), as: .raw, on: curve) == .pointNotOnCurve)
    }

    /// If x belongs to the twist of the curve, the square root for y does not exist. Decoding must still terminate
    /// (CVE-2022-0778: endless loop).
    @Test(arguments: VectorCurve.allCases)
    func rejectsCompressedPointsOffTheCurve(_ curve: VectorCurve) {
        var rejected = 0
        for number in 0..<40 {
            let x = BigUInt(UInt64(number))
            let isOnCurve = !curve.model.points(x: x).isEmpty
            for format in [2, 3] as [UInt8] {
                let bytes = [format] + x.bigEndianBytes(count: curve.byteCount)
                let rejection = VectorKey.rejection(of: bytes, as: .compressed, on: curve)
                #expect(isOnCurve ? rejection == nil : rejection == .pointNotOnCurve, "\(number)")
                rejected += isOnCurve ? 0 : 1
            }
        }
        #expect(rejected > 20)
    }

    /// RFC 5480 §2: accepts only SEQUENCE { SEQUENCE { id-ecPublicKey, namedCurve }, BIT STRING }.
    @Test(arguments: VectorCurve.allCases)
    func rejectsOtherSubjectPublicKeyInfos(_ curve: VectorCurve) throws {
        let model = curve.model
        let point = model.generator.x963(on: curve)
        let (named, other) = (objectIdentifier(of: curve), objectIdentifier(of: curve == .p256 ? .p384 : .p256))
        let bits = der(0x03, [0], point)
        let multiples: [[UInt8]] = (2..<20).map { (k: UInt64) in
            model.multiply(BigUInt(k), model.generator).x963(on: curve)
        }
        let evenPoint = try #require(multiples.first { $0[$0.count - 1].isMultiple(of: 2) })
        func rejection(_ bytes: [UInt8]) -> ECDSAError? { VectorKey.rejection(of: bytes, as: .der, on: curve) }
        #expect(rejection(der(0x30, der(0x30, ecPublicKey, named), bits)) == nil)

        let null: [UInt8] = [0x05, 0x00]
        let p = derInteger(model.p)
        func explicit(cofactor: [UInt8]) -> [UInt8] {
            // Explicit ECParameters (RFC 3279 §2.3.5) with the values of this curve.
            der(
                0x30, derInteger(1), der(0x30, der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x01, 0x01]), p),
                der(
                    0x30, der(0x04, model.a.bigEndianBytes(count: curve.byteCount)),
                    der(0x04, model.b.bigEndianBytes(count: curve.byteCount))),
                der(0x04, point), derInteger(model.n), cofactor)
        }
        // Parameters that do not name this curve. RFC 5480 §2.1.1 forbids such parameters, and CVE-2020-0601 shows why.
        for parameters in [
            explicit(cofactor: derInteger(1)), explicit(cofactor: []), null, [], other, der(0x30), der(0x06),
            der(0x06, [0x2b, 0x81, 0x04, 0x00, 0x0a]),
        ] {
            let rejected = rejection(der(0x30, der(0x30, ecPublicKey, parameters), bits))
            #expect(rejected != nil, "\(parameters)")
        }
        #expect(rejection(der(0x30, der(0x30, ecPublicKey, other), bits)) == .unsupportedCurve)
        let explicitKey = der(0x30, der(0x30, ecPublicKey, explicit(cofactor: derInteger(1))), bits)
        #expect(rejection(explicitKey) == .unsupportedCurve)
        // Rejects the same point under other algorithms: rsaEncryption, id-ecDH, id-ecMQV (RFC 5480 §2.1.2), Ed25519.
        for algorithm in [
            [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01], [0x2b, 0x81, 0x04, 0x01, 0x0c],
            [0x2b, 0x81, 0x04, 0x01, 0x0d], [0x2b, 0x65, 0x70],
        ] as [[UInt8]] {
            let bytes = der(0x30, der(0x30, der(0x06, algorithm), named), bits)
            #expect(rejection(bytes) == .unsupportedKeyAlgorithm, "\(algorithm)")
        }
        // Adds bytes after the end of each element, and adds or removes elements.
        for bytes in [
            der(0x30, der(0x30, ecPublicKey, named), bits) + [0],
            der(0x30, der(0x30, ecPublicKey, named), bits, null),
            der(0x30, der(0x30, ecPublicKey, named, null), bits),
            der(0x30, der(0x30, ecPublicKey, named, named), bits),
            der(0x30, der(0x30, ecPublicKey, named), der(0x03, [0], point, [0])),
            der(0x30, der(0x30, ecPublicKey, named)), der(0x30, bits), der(0x30, bits, der(0x30, ecPublicKey, named)),
            der(0x30), [], [0x30], [0x30, 0x80], der(0x31, der(0x30, ecPublicKey, named), bits),
            der(0x30, der(0x31, ecPublicKey, named), bits), der(0x30, ecPublicKey, named, bits),
            // BIT STRINGs that have unused bits (even zero bits), are constructed or empty, or have a different tag.
            der(0x30, der(0x30, ecPublicKey, named), der(0x03, [1], point)),
            der(0x30, der(0x30, ecPublicKey, named), der(0x03, [1], evenPoint)),
            der(0x30, der(0x30, ecPublicKey, named), der(0x03, [7], point)),
            der(0x30, der(0x30, ecPublicKey, named), der(0x03, [8], point)),
            der(0x30, der(0x30, ecPublicKey, named), der(0x23, der(0x03, [0], point))),
            der(0x30, der(0x30, ecPublicKey, named), der(0x03)),
            der(0x30, der(0x30, ecPublicKey, named), der(0x04, point)),
            der(0x30, der(0x30, ecPublicKey, named), der(0x03, point)),
        ] {
            #expect(rejection(bytes) != nil, "\(bytes)")
        }
        // Lengths that use a long form needlessly, are indefinite, or are too large or too small by one.
        let body = der(0x30, ecPublicKey, named) + bits
        let count = UInt8(body.count)
        for header in [
            [0x30, 0x81, count], [0x30, 0x82, 0, count], [0x30, 0x84, 0, 0, 0, count], [0x30, count - 1],
            [0x30, count + 1], [0x30, 0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0x3f, 0x10, count],
        ] as [[UInt8]] {
            #expect(rejection(header + body) != nil, "\(header)")
        }
        #expect(rejection([0x30, 0x80] + body + [0, 0]) != nil)
    }
}

private let ecPublicKey = der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01])

private func objectIdentifier(of curve: VectorCurve) -> [UInt8] {
    switch curve {
    case .p256: der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07])
    case .p384: der(0x06, [0x2b, 0x81, 0x04, 0x00, 0x22])
    }
}

/// RFC 5480 §2.
private func subjectPublicKeyInfo(_ point: [UInt8], on curve: VectorCurve) -> [UInt8] {
    der(0x30, der(0x30, ecPublicKey, objectIdentifier(of: curve)), der(0x03, [0], point))
}
