import PureAppStore
import PureBytes
import PureDER
import PureECDSA
import PureX509
import PureX509Paths

extension SignedDataReport.Kind {
    var word: String {
        switch self {
        case .transaction: "transaction"
        case .renewalInfo: "renewal-info"
        case .appTransaction: "app-transaction"
        case .notification: "notification"
        }
    }

    var title: String {
        switch self {
        case .transaction: "transaction"
        case .renewalInfo: "renewal information"
        case .appTransaction: "app transaction"
        case .notification: "notification"
        }
    }
}

extension AppStoreEnvironment {
    var word: String {
        switch self {
        case .production: "production"
        case .sandbox: "sandbox"
        case .xcode: "xcode"
        case .localTesting: "local-testing"
        }
    }
}

/// Reads the JWS from a file. The file contains the JWS itself, or a notification's request body with the member
/// `signedPayload`. Ignores white space around the text.
func signedText(path: String, kind: SignedDataReport.Kind) throws(UnusableInput) -> [UInt8] {
    let name = inputName(path)
    let bytes = try fileBytes(path)
    guard !bytes.isEmpty else { throw UnusableInput("\(name) is empty") }
    let text = trimmed(bytes)
    guard let first = text.first else { throw UnusableInput("\(name) contains only white space") }
    guard first == UInt8(ascii: "{") else {
        guard text.allSatisfy({ (0x20..<0x7f).contains($0) || isWhiteSpace($0) }) else {
            throw UnusableInput("\(name) is binary; expected a JWS in compact serialization, which is ASCII text")
        }
        return [UInt8](text)
    }
    guard kind == .notification else {
        throw UnusableInput(
            "\(name) is JSON; expected a JWS in compact serialization (for the body of a notification, use --kind notification)"
        )
    }
    do { return [UInt8](try SignedDataVerifier.signedPayload(inBody: [UInt8](text))) } catch {
        throw UnusableInput("\(name): \(error)")
    }
}

func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || [0x09, 0x0a, 0x0d].contains(byte) }

func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let text = bytes.drop(while: isWhiteSpace)
    guard let last = text.lastIndex(where: { !isWhiteSpace($0) }) else { return [] }
    return text[...last]
}

/// Reads a file that contains one certificate in PEM or DER.
func certificate(path: String) throws(UnusableInput) -> Certificate {
    let name = inputName(path)
    let bytes = try fileBytes(path)
    var encoded = bytes
    if bytes.first != 0x30 {
        let blocks: [[UInt8]]
        do { blocks = try PEM.decodeAll(bytes, label: .certificate).map(\.bytes) } catch {
            throw UnusableInput("\(name): expected a certificate as PEM or DER: \(error)")
        }
        guard blocks.count == 1 else {
            throw UnusableInput("\(name): expected one certificate, found \(blocks.count)")
        }
        encoded = blocks[0]
    }
    do { return try Certificate(derEncoded: encoded[...]) } catch { throw UnusableInput("\(name): \(error)") }
}

func ocspResponse(path: String) throws(UnusableInput) -> OCSPResponse {
    let name = inputName(path)
    let bytes = try fileBytes(path)
    do { return try OCSPResponse(derEncoded: bytes[...]) } catch {
        throw UnusableInput("\(name): not an OCSP response in DER: \(error)")
    }
}
