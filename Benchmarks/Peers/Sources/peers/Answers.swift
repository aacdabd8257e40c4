import CertificatesAttest
import Crypto
import Foundation

// Tests/Checks/Fuzzing/end_to_end.py runs `peers --answer`, with the same questions as `fuzz --answer`. A question is a
// length in four octets (big-endian), a letter, and parts. All parts but the last have a length prefix of two octets.

func answerQuestions() async {
    while let head = read(4) {
        let count = head.reduce(0) { $0 << 8 | Int($1) }
        guard let question = read(count), let kind = question.first else { return }
        print(await answer(kind, question.dropFirst()))
        fflush(nil)
    }
}

private func read(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
        guard let next = try? FileHandle.standardInput.read(upToCount: count - bytes.count), !next.isEmpty else {
            return nil
        }
        bytes += next
    }
    return bytes
}

private func answer(_ kind: UInt8, _ question: ArraySlice<UInt8>) async -> String {
    do {
        switch kind {
        case UInt8(ascii: "A"):
            // The parts: App ID, environment, platform, root, key identifier, client data hash, time, object.
            let parts = parts(of: question, count: 8)
            let key = try await CertificatesVerifier(appID: parts[0], root: parts[3]).verifyAttestation(
                parts[7], keyID: parts[4], clientDataHash: parts[5],
                at: Date(timeIntervalSince1970: Double(String(decoding: parts[6], as: UTF8.self)) ?? 0))
            return "accepted " + key.x963Representation.map { String(format: "%02x", $0) }.joined()
        case UInt8(ascii: "Z"):
            // The parts: App ID, environment, platform, public key, previous counter, client data, object.
            let parts = parts(of: question, count: 7)
            let counter = try CertificatesVerifier(appID: parts[0]).verifyAssertion(
                parts[6], clientData: parts[5], challenge: parts[5],
                key: P256.Signing.PublicKey(x963Representation: parts[3]),
                counter: UInt32(String(decoding: parts[4], as: UTF8.self)) ?? .max)
            return "accepted \(counter)"
        default: return "refused unknownQuestion"
        }
    } catch {
        return "refused " + "\(error)".split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

private func parts(of question: ArraySlice<UInt8>, count: Int) -> [[UInt8]] {
    var rest = question
    var parts: [[UInt8]] = []
    while parts.count < count - 1 {
        let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        parts.append([UInt8](rest.dropFirst(2).prefix(length)))
        rest = rest.dropFirst(2 + length)
    }
    return parts + [[UInt8](rest)]
}
