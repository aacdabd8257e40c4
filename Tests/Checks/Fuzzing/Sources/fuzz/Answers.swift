import Foundation
import PureCBOR
import PureECDSA
import PureSHA2

@testable import PureAttestTesting
@testable import PureBytes
@testable import PureDER
@testable import PureX509

// Answers the questions of `differential.py` and `end_to_end.py`. A question consists of a length in four octets
// (big-endian), a letter, and the content. An answer is a line: `accepted` and the value, or `refused` and the error.

func answerQuestions() {
    while let head = read(4) {
        let count = head.reduce(0) { $0 << 8 | Int($1) }
        guard let question = read(count), let kind = question.first else { return }
        print(answer(kind, [0xA5] + question.dropFirst()))
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

/// Answers a question. The first byte of `bytes` is padding, so that the question's indices do not start at 0.
private func answer(_ kind: UInt8, _ bytes: [UInt8]) -> String {
    let question = bytes.dropFirst()
    do {
        switch kind {
        case UInt8(ascii: "c"): return "accepted " + describe(try Certificate(derEncoded: question))
        case UInt8(ascii: "b"): return "accepted " + describe(try CBORValue(decoding: question))
        case UInt8(ascii: "s"):
            return "accepted "
                + hex(try P256.Signing.ECDSASignature(derRepresentation: question).rawRepresentation)
        case UInt8(ascii: "S"):
            return "accepted "
                + hex(try P384.Signing.ECDSASignature(derRepresentation: question).rawRepresentation)
        case UInt8(ascii: "k"):
            return "accepted " + hex(try P256.Signing.PublicKey(derRepresentation: question).x963Representation)
        case UInt8(ascii: "K"):
            return "accepted " + hex(try P384.Signing.PublicKey(derRepresentation: question).x963Representation)
        case UInt8(ascii: "A"): return "accepted " + (try attestationAnswer(question))
        case UInt8(ascii: "Z"): return "accepted " + (try assertionAnswer(question))
        case UInt8(ascii: "R"): return "accepted " + (try receiptAnswer(question))
        case UInt8(ascii: "v"): return try verdict(Parts(decoding: question, count: 4).parts)
        default: return "refused unknownQuestion"
        }
    } catch {
        return "refused \(caseName(error)) \(error)"
    }
}

/// Returns the name of the error's case. An answer contains this name and the error's text, and the scripts match their
/// reasons against both.
private func caseName<Failure: Error>(_ error: Failure) -> String {
    guard let name = enumCaseName(error) else { return "\(Failure.self)" }
    return String(cString: name)
}

/// Returns the name of an enum case, as the standard library prints it.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// Verifies an ECDSA signature on either curve. Parts: hash function, SubjectPublicKeyInfo, signature, message.
private func verdict(_ parts: [[UInt8]]) throws -> String {
    let algorithms: [[UInt8]: SignatureAlgorithm] = [
        Array("256".utf8): .ecdsaWithSHA256, Array("384".utf8): .ecdsaWithSHA384, Array("512".utf8): .ecdsaWithSHA512,
    ]
    guard let key = IssuerKey(try CertificatePublicKey(subjectPublicKeyInfo: parts[1][...])),
        let algorithm = algorithms[parts[0]]
    else { return "refused unsupported" }
    let isValid = key.isValidSignature(parts[2][...], algorithm: algorithm, message: parts[3][...])
    return isValid ? "accepted" : "refused invalidSignature"
}

func hex(_ bytes: some Collection<UInt8>) -> String { String(decoding: Hex.encode(bytes), as: UTF8.self) }

private func describe(_ certificate: Certificate) -> String {
    let extensions = certificate.extensions.map {
        "\(hex($0.identifier.contents)):\($0.isCritical ? 1 : 0):\(hex($0.value))"
    }
    return [
        "\(certificate.version)", hex(certificate.serialNumber), hex(certificate.issuer), hex(certificate.subject),
        "\(certificate.notBefore.secondsSince1970)", "\(certificate.notAfter.secondsSince1970)",
        hex(certificate.subjectPublicKeyInfo), hex(certificate.tbsCertificate), hex(certificate.signature),
        extensions.joined(separator: ","),
    ].joined(separator: "|")
}

private func describe(_ value: CBORValue) -> String {
    switch value {
    case .unsignedInteger(let number): return "i\(number)"
    case .negativeInteger(let number): return "i-\(UInt128(number) + 1)"
    case .byteString(let bytes): return "b\(hex(bytes))"
    case .textString(let bytes): return "t\(hex(bytes))"
    case .array(let items): return "[\(items.map(describe).joined(separator: ","))]"
    case .map(let map):
        let entries = map.entries.map { "\(describe($0.key)):\(describe($0.value))" }
        return "{\(entries.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }.joined(separator: ","))}"
    case .tagged(let number, let content): return "T\(number)(\(describe(content)))"
    case .simple(let number): return "s\(number)"
    case .floatingPoint(let bits):
        return Double(bitPattern: bits).isNaN ? "fnan" : "f\(hex(bigEndian(bits)))"
    }
}
