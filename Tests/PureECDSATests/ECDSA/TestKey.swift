import PureECDSA
import PureSHA2
import ReferenceModel
import VectorSupport

extension VectorCurve {
    var model: ModelCurve { self == .p256 ? .p256 : .p384 }
}

extension VectorKey {
    init(_ point: ModelPoint, on curve: VectorCurve) throws(ECDSAError) {
        try self.init(point.x963(on: curve), as: .x963, on: curve)
    }

    /// Returns the error that decoding throws, or `nil` if the bytes are a key.
    static func rejection(of bytes: some Collection<UInt8>, as form: VectorKeyForm, on curve: VectorCurve)
        -> ECDSAError?
    {
        do throws(ECDSAError) {
            _ = try VectorKey(bytes, as: form, on: curve)
            return nil
        } catch {
            return error
        }
    }

    func isValidSignature(
        r: BigUInt, s: BigUInt, digest: [UInt8], on curve: VectorCurve, isPrecomputed: Bool = false
    ) -> Bool {
        let bytes = r.bigEndianBytes(count: curve.byteCount) + s.bigEndianBytes(count: curve.byteCount)
        return isValidSignature(bytes, as: .raw, for: VectorDigest(digest), isPrecomputed: isPrecomputed)
    }
}

extension VectorDigest {
    init(_ bytes: [UInt8]) {
        switch bytes.count {
        case 32: self = .sha256(SHA256Digest(bytes))
        case 48: self = .sha384(SHA384Digest(bytes))
        default: self = .sha512(SHA512Digest(bytes))
        }
    }
}

extension ModelPoint {
    /// The uncompressed encoding: 04, x, y. Traps at infinity.
    func x963(on curve: VectorCurve) -> [UInt8] {
        guard case .point(let x, let y) = self else { preconditionFailure("infinity has no coordinates") }
        return [4] + x.bigEndianBytes(count: curve.byteCount) + y.bigEndianBytes(count: curve.byteCount)
    }
}

/// Returns a DER element: tag, shortest definite length, contents.
func der(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
    let contents = contents.flatMap(\.self)
    let length = BigUInt(UInt64(contents.count)).bigEndianBytes
    let header = contents.count < 128 ? [tag] : [tag, 0x80 | UInt8(length.count)]
    return header + length + contents
}

func derInteger(_ number: BigUInt) -> [UInt8] {
    let bytes = number.bigEndianBytes
    return der(0x02, bytes[0] < 0x80 ? bytes : [0] + bytes)
}

func derSignature(_ r: BigUInt, _ s: BigUInt) -> [UInt8] { der(0x30, derInteger(r), derInteger(s)) }

extension SHA256Digest {
    init(_ bytes: [UInt8]) {
        let number = BigUInt(bigEndian: bytes)
        self.init(
            words: InlineArray { index in UInt32(truncatingIfNeeded: (number >> (32 * (7 - index))).words(count: 4)[0])
            })
    }
}

extension SHA384Digest {
    init(_ bytes: [UInt8]) {
        let words = BigUInt(bigEndian: bytes).words(count: 6)
        self.init(words: InlineArray { index in words[5 - index] })
    }
}

extension SHA512Digest {
    init(_ bytes: [UInt8]) {
        let words = BigUInt(bigEndian: bytes).words(count: 8)
        self.init(words: InlineArray { index in words[7 - index] })
    }
}
