/// The reason for a rejection.
public enum CertificatesAttestError: Error {
    /// The input is not CBOR of the expected structure.
    case malformed
    /// The named check failed.
    case refused(String)
}

/// The subset of CBOR that App Attest objects use: definite lengths, integers, byte and text strings, arrays and maps.
indirect enum CBOR {
    case integer(Int)
    case bytes(ArraySlice<UInt8>)
    case text(String)
    case array([CBOR])
    case map([(key: CBOR, value: CBOR)])

    /// Decodes `data`, which must contain exactly one item.
    init(decoding data: ArraySlice<UInt8>) throws {
        var rest = data
        self = try CBOR(from: &rest, depth: 0)
        guard rest.isEmpty else { throw CertificatesAttestError.malformed }
    }

    init(from rest: inout ArraySlice<UInt8>, depth: Int) throws {
        guard depth < 8, let head = rest.popFirst() else { throw CertificatesAttestError.malformed }
        let argument: Int
        switch head & 0x1F {
        case let short where short < 24: argument = Int(short)
        case let code where code < 27:
            let count = 1 << Int(code - 24)
            argument = try CBOR.take(count, from: &rest).reduce(0) { $0 << 8 | Int($1) }
        default: throw CertificatesAttestError.malformed
        }
        switch head >> 5 {
        case 0: self = .integer(argument)
        case 1: self = .integer(-1 - argument)
        case 2: self = .bytes(try CBOR.take(argument, from: &rest))
        case 3:
            guard let text = String(validating: try CBOR.take(argument, from: &rest), as: UTF8.self) else {
                throw CertificatesAttestError.malformed
            }
            self = .text(text)
        case 4:
            var items: [CBOR] = []
            for _ in 0..<argument { items.append(try CBOR(from: &rest, depth: depth + 1)) }
            self = .array(items)
        case 5:
            var entries: [(key: CBOR, value: CBOR)] = []
            for _ in 0..<argument {
                let key = try CBOR(from: &rest, depth: depth + 1)
                entries.append((key, try CBOR(from: &rest, depth: depth + 1)))
            }
            self = .map(entries)
        default: throw CertificatesAttestError.malformed
        }
    }

    private static func take(_ count: Int, from rest: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw CertificatesAttestError.malformed }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    subscript(key: String) -> CBOR? {
        guard case .map(let entries) = self else { return nil }
        return entries.first {
            if case .text(key) = $0.key { true } else { false }
        }?.value
    }

    subscript(key: Int) -> CBOR? {
        guard case .map(let entries) = self else { return nil }
        return entries.first {
            if case .integer(key) = $0.key { true } else { false }
        }?.value
    }

    var bytes: ArraySlice<UInt8>? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }
}
