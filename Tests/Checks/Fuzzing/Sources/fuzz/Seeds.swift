import Foundation
import PureBytes

/// Writes a folder of seed files for each target: the target's own seeds, and the byte strings in Vectors that resemble
/// the target's inputs.
func writeSeeds(from vectors: String, to directory: String) {
    let found = findBytes(in: vectors)
    for target in targets {
        let folder = URL(fileURLWithPath: directory).appendingPathComponent(target.name)
        var inputs = Set(target.seeds())
        if let looksRight = shapes[target.name] { inputs.formUnion(found.filter(looksRight)) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // The inputs are sorted, so that runs are repeatable.
            for (index, input) in inputs.sorted(by: { $0.lexicographicallyPrecedes($1) }).enumerated() {
                try Data(input).write(to: folder.appendingPathComponent(String(format: "seed-%05d", index)))
            }
        } catch {
            print("cannot write seeds: \(error.localizedDescription)")
            exit(2)
        }
    }
}

/// For each target, a predicate that selects byte strings from Vectors as seeds. Targets that sign their inputs use
/// only seeds from virtual devices.
private let shapes: [String: @Sendable ([UInt8]) -> Bool] = [
    "der": { $0.first == 0x30 || $0.first == 0x31 },
    "certificate": { $0.count > 200 && $0.starts(with: [0x30, 0x82]) },
    "cbor": { $0.count < 1_000 && [0xA0, 0x80, 0x40, 0xC0].contains(($0.first ?? 0) & 0xE0) },
    "attestation": { $0.starts(with: [0xA3, 0x63]) },
    "assertion": { $0.starts(with: [0xA2, 0x69]) },
    "receipt": { $0.starts(with: [0x30, 0x80, 0x06]) },
    "signature": { [64, 96].contains($0.count) || $0.count < 120 && $0.starts(with: [0x30]) },
]

/// Returns every hex word, Base64 word and PEM block in the folder's files, decoded.
private func findBytes(in folder: String) -> [[UInt8]] {
    guard let files = FileManager.default.enumerator(atPath: folder) else { return [] }
    var found: [[UInt8]] = []
    for case let path as String in files where !path.contains("sha2") {
        guard let text = try? String(contentsOfFile: folder + "/" + path, encoding: .utf8) else { continue }
        var words = text.split { !$0.isLetter && !$0.isNumber && !"+/=_-".contains($0) }
        if path.hasSuffix(".pem") {
            words = text.components(separatedBy: "-----").map { $0.filter { !$0.isWhitespace }[...] }
        }
        for word in words where word.count >= 8 {
            if let bytes = (try? Hex.decode(Array(word.utf8))) ?? (try? Base64.decode(Array(word.utf8))) {
                found.append(bytes)
            }
        }
    }
    return found
}
