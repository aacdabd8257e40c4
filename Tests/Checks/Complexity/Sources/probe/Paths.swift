import PureBytes
import PureDER
import PureX509
import PureX509Paths

// Measures how the cost of path validation depends on the numbers of names, subtrees, policies and policy mappings.
// These probes validate a signed path, which count.py passes on standard input. `path-name-constraints` only parses the
// value of an extension. `revocation-list` only parses a list, whose signature is not valid.

func subtrees(_ count: Int) -> [UInt8] {
    element(0x30, element(0xa0, (0..<count).flatMap { element(0x30, element(0x82, host($0))) }))
}

func host(_ number: Int) -> [UInt8] { Array("h\(1_000_000 + number).test".utf8) }

func pathInput(_ probe: String, _ count: Int) -> (bytes: [UInt8], parse: (ArraySlice<UInt8>) throws -> Void)? {
    switch probe {
    case "path-name-constraints":
        return (subtrees(count), { _ = try NameConstraints(derEncoded: $0) })
    case "revocation-list":
        let algorithm = element(0x30, [6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2])
        let time = element(0x17, Array("260101000000Z".utf8))
        let entries = (0..<count).flatMap { element(0x30, element(2, [1] + bigEndian($0)) + time) }
        let number = element(0x30, [6, 3, 0x55, 0x1d, 0x14] + element(4, [2, 1, 1]))
        let signed = element(
            0x30,
            [2, 1, 1] + algorithm + name(repeating: 1) + time + time + element(0x30, entries)
                + element(0xa0, element(0x30, number)))
        return (
            element(0x30, signed + algorithm + [3, 1, 0]), { _ = try CertificateRevocationList(derEncoded: $0) }
        )
    case "path-names", "path-subtrees", "path-policies", "path-mappings":
        let certificates = standardInput().map { bytes in
            do { return try Certificate(derEncoded: bytes) } catch { fatalError("\(error)") }
        }
        return (
            [UInt8](repeating: 0, count: count),
            { _ in
                let verifier = CertificatePathVerifier(trustAnchors: [try TrustAnchor(certificates[0])])
                let leaf = certificates[certificates.count - 1]
                _ = try verifier.validate(
                    leaf: leaf, intermediates: Array(certificates.dropFirst().dropLast()), at: leaf.notBefore,
                    meeting: PathRequirements())
            }
        )
    default: return nil
    }
}

/// Reads lines of hexadecimal digits up to an empty line.
private func standardInput() -> [[UInt8]] {
    var lines: [[UInt8]] = []
    while let line = readLine(), !line.isEmpty {
        do { lines.append(try Hex.decode(line.utf8)) } catch { fatalError("\(error)") }
    }
    return lines
}
