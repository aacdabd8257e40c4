import PureBytes
import PureCBOR
import PureDER
import PureKeyAttestation
import PureX509

// `probe NAME COUNT ...` builds an input of COUNT elements for each pair of arguments. It parses the input twice, or
// formats an error twice, and prints a line with the name and the size in bytes. count.py runs the probe under
// callgrind.

func element(_ identifier: UInt8, _ contents: [UInt8]) -> [UInt8] {
    var length: [UInt8] = []
    if contents.count < 0x80 {
        length = [UInt8(contents.count)]
    } else {
        var rest = contents.count
        while rest > 0 {
            length.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        }
        length.insert(0x80 | UInt8(length.count), at: 0)
    }
    return [identifier] + length + contents
}

/// Returns a constructed context-specific element whose tag number is 1,024 or more.
func element2(_ number: UInt8, _ contents: [UInt8]) -> [UInt8] {
    let encoded = element(0xbf, contents)
    return [encoded[0], 0x88, number] + encoded.dropFirst()
}

func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] { (0..<count).flatMap { _ in bytes } }

func bigEndian(_ number: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }

/// Returns the shortest CBOR head with this major type and argument.
func head(_ majorType: UInt8, _ argument: Int) -> [UInt8] {
    let octets = bigEndian(argument)
    return switch argument {
    case ..<24: [majorType << 5 | octets[3]]
    case ..<256: [majorType << 5 | 24, octets[3]]
    case ..<65_536: [majorType << 5 | 25] + octets.suffix(2)
    default: [majorType << 5 | 26] + octets
    }
}

func certificate(subject: [UInt8] = name(repeating: 1), extensions: [UInt8] = []) -> [UInt8] {
    let algorithm = element(0x30, [6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2])
    let validity = element(0x30, repeated(element(0x17, Array("260101000000Z".utf8)), 2))
    // The key is incomplete, which suffices because the parser reads only the key's algorithm.
    let key = element(0x30, element(0x30, [6, 1, 0x2a]) + [3, 1, 0])
    let list = extensions.isEmpty ? [] : element(0xa3, element(0x30, extensions))
    let version: [UInt8] = [0xa0, 3, 2, 1, 2]
    let serialNumber: [UInt8] = [2, 1, 1]
    let signed = element(
        0x30, version + serialNumber + algorithm + name(repeating: 1) + validity + subject + key + list)
    return element(0x30, signed + algorithm + [3, 1, 0])
}

func name(repeating count: Int) -> [UInt8] {
    element(0x30, repeated(element(0x31, element(0x30, [6, 3, 0x55, 4, 3, 12, 1, 0x78])), count))
}

func certificateExtension(_ arc: UInt8, _ value: [UInt8]) -> [UInt8] {
    element(0x30, [6, 3, 0x55, 0x1d, arc] + element(4, value))
}

/// Returns a number of at least 2²⁸ as a subidentifier of five octets.
func arc(_ number: Int) -> [UInt8] {
    [28, 21, 14, 7].map { 0x80 | UInt8(truncatingIfNeeded: number >> $0) } + [UInt8(number & 0x7f)]
}

/// Returns SignedData with three bytes of content, no certificates and no signers.
func signedData(digestAlgorithms: [UInt8]) -> [UInt8] {
    let pkcs7: [UInt8] = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7]
    let content = element(0x30, pkcs7 + [1] + element(0xa0, element(4, [1, 2, 3])))
    let data = element(0x30, [2, 1, 1] + element(0x31, digestAlgorithms) + content + element(0x31, []))
    return element(0x30, pkcs7 + [2] + element(0xa0, data))
}

let unlimited = CBORLimits(maximumDepth: .max, maximumItems: .max, maximumSize: .max)

func input(_ probe: String, _ count: Int) -> (bytes: [UInt8], parse: (ArraySlice<UInt8>) throws -> Void)? {
    let cbor: (ArraySlice<UInt8>) throws -> Void = { _ = try CBORValue(decoding: $0, limits: unlimited) }
    let indefinite: (ArraySlice<UInt8>) throws -> Void = {
        _ = try CBORValue(decoding: $0, limits: unlimited, options: .allowIndefiniteLengths)
    }
    let certificateReader: (ArraySlice<UInt8>) throws -> Void = { _ = try Certificate(derEncoded: $0) }
    let elements: (ArraySlice<UInt8>) throws -> Void = {
        var reader = DERReader($0)
        while !reader.isAtEnd { _ = try reader.readElement() }
    }
    let ber: (ArraySlice<UInt8>) throws -> Void = { _ = try BERNormalizer.normalize($0) }
    switch probe {
    case "base64": return (repeated(Array("AAAA".utf8), count), { _ = try Base64.decode($0) })
    case "pem":
        let block = repeated(Array("text\r\n".utf8), 10) + PEM.encode(repeated([7], 480), label: .certificate)
        return (repeated(block, count), { _ = try PEM.decodeAll($0) })
    case "pem-label": return (repeated(Array("A ".utf8), count) + [0x41], { _ = PEM.Label($0) })
    case "hex": return (repeated(Array("00".utf8), count), { _ = try Hex.decode($0) })
    case "der-elements": return (repeated([2, 1, 5], count), elements)
    case "der-identifier":
        return ([0x2a] + repeated([0xff], count) + [1], { _ = try ASN1ObjectIdentifier(contents: $0) })
    case "ber-parts": return ([0x24, 0x80] + repeated([4, 1, 7], count) + [0, 0], ber)
    case "ber-structures": return ([0x30, 0x80] + repeated([0x30, 0x80, 5, 0, 0, 0], count) + [0, 0], ber)
    case "certificate-name": return (certificate(subject: name(repeating: count)), certificateReader)
    case "certificate-alternative-names":
        let names = element(0x30, repeated([0x82, 1, 0x78], count))
        return (certificate(extensions: certificateExtension(0x11, names)), certificateReader)
    case "certificate-refused-names":
        // The last name is malformed, to show that rejecting costs no more than accepting.
        let names = element(0x30, repeated([0x82, 1, 0x78], count) + [0x87, 1, 0])
        return (
            certificate(extensions: certificateExtension(0x11, names)),
            { bytes in
                do {
                    _ = try Certificate(derEncoded: bytes)
                    fatalError("a malformed name was accepted")
                } catch X509Error.invalidGeneralName {}
            }
        )
    case "certificate-policies":
        let policies = element(
            0x30, (0..<count).flatMap { element(0x30, [6, 6, 0x2a] + arc(1 << 28 + $0 * 7_919 % count)) })
        return (certificate(extensions: certificateExtension(0x20, policies)), certificateReader)
    case "json-array", "json-object", "json-text", "json-number", "jws", "app-store-content":
        return purchaseInput(probe, count)
    case "path-name-constraints", "revocation-list", "path-names", "path-subtrees", "path-policies", "path-mappings":
        return pathInput(probe, count)
    case "status-list":
        let entries = (0..<count).map {
            "\"\(String(1 << 28 + $0 * 7_919 % count, radix: 16))\":{\"status\":\"REVOKED\"}"
        }
        return (
            Array("{\"entries\":{\(entries.joined(separator: ","))}}".utf8),
            { bytes in _ = try RevocationStatusList(json: bytes) }
        )
    case "key-description":
        // Both lists of the key description contain the same 60 unknown members of `count` octets each.
        let list = element(
            0x30,
            (0..<60).flatMap { number in
                element2(UInt8(number), element(4, repeated([7], count)))
            })
        let level: [UInt8] = [10, 1, 1]
        let version: [UInt8] = [2, 2, 1, 44]
        return (
            element(0x30, version + level + version + level + element(4, repeated([1], count)) + [4, 0] + list + list),
            { bytes in _ = try KeyDescription(decoding: bytes) }
        )
    case "certificate-relative-name":
        let attributes = (0..<count).flatMap { element(0x30, [6, 6, 0x2a] + arc(1 << 28 + $0) + [12, 1, 0x78]) }
        return (certificate(subject: element(0x30, element(0x31, attributes))), certificateReader)
    case "cms-digest-algorithms":
        return (
            signedData(digestAlgorithms: repeated([0x30, 3, 6, 1, 0x2a], count)),
            { bytes in
                do {
                    _ = try SignedData(berEncoded: bytes)
                    fatalError("signed data without a signer were accepted")
                } catch X509Error.wrongSignerCount {}
            }
        )
    case "certificate-purposes":
        let purposes = element(0x30, repeated([6, 1, 0x2a], count))
        return (certificate(extensions: certificateExtension(0x25, purposes)), certificateReader)
    case "certificate-unknown-extension":
        return (
            certificate(extensions: certificateExtension(0x7f, [UInt8](repeating: 0x30, count: count))),
            certificateReader
        )
    case "cbor-array": return (head(4, count) + [UInt8](repeating: 0, count: count), cbor)
    case "cbor-text": return (head(3, count) + [UInt8](repeating: 0x78, count: count), cbor)
    case "cbor-chunks": return ([0x5f] + repeated([0x41, 7], count) + [0xff], indefinite)
    case "cbor-map-ascending": return (head(5, count) + (0..<count).flatMap { head(0, 1 << 24 + $0) + [0] }, cbor)
    case "cbor-map-shuffled":
        // The keys are distinct, because the prime 7,919 does not divide the counts that count.py uses.
        return (head(5, count) + (0..<count).flatMap { head(0, 1 << 24 + $0 * 7_919 % count) + [0] }, cbor)
    case "cbor-map-long-keys":
        let common = [UInt8](repeating: 0x78, count: 64)
        return (head(5, count) + (0..<count).flatMap { head(2, 68) + common + bigEndian($0) + [0] }, cbor)
    case "cbor-map-arrays-as-keys":
        return (head(5, count) + (0..<count).flatMap { [0x82, 0x01] + head(0, 1 << 24 + $0) + [0] }, cbor)
    // The control takes quadratic time. count.py must report this control.
    case "control-quadratic":
        return (
            [UInt8](repeating: 0, count: count),
            { bytes in
                var total = 0
                for index in bytes.indices { total &+= bytes[index...].count { $0 == total & 1 } }
                precondition(total >= 0)
            }
        )
    default: return nil
    }
}

/// Does nothing. callgrind writes its counts at each call, so the optimiser must not remove the calls.
@_optimize(none) @inline(never) func mark() {}

/// Runs `work` twice, each time between two calls of `mark()`. The first run initialises lazy values, so the second run
/// measures only the work.
func measure(_ work: () throws -> Void) rethrows {
    mark()
    try work()
    mark()
    try work()
    mark()
}

var arguments = CommandLine.arguments.dropFirst()
while let name = arguments.popFirst() {
    guard let count = arguments.popFirst().flatMap({ Int($0) }) else { fatalError("usage: probe NAME COUNT ...") }
    if let (bytes, parse) = input(name, count) {
        try measure { try parse(bytes[...]) }
        print(name, bytes.count)
    } else if let (size, text) = errorText(name, count) {
        var length = 0
        measure { length = text() }
        print(name, size, length)
    } else {
        fatalError("no such probe: \(name)")
    }
}
