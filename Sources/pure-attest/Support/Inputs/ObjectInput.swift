import PureBytes
import PureCBOR
import PureDER
import PureJWS
import PureX509
import VectorSupport

/// An input whose content determines its type. The file name extension is used only in messages.
enum ObjectInput {
    case objectFile(ObjectFile)
    /// Certificates in PEM. Text around the blocks is ignored (RFC 7468 §5).
    case certificates([[UInt8]])
    case attestation([UInt8], CBORValue)
    case assertion([UInt8], CBORValue)
    case receipt([UInt8])
    case certificate([UInt8])
    /// A JWS in compact serialization, which has not been verified.
    case signedText(JSONWebSignature)
    case other(CBORValue)

    /// Recognises JSON, PEM, and an object in binary, Base64 or hexadecimal form. `name` is for messages.
    init(_ bytes: [UInt8], name: String) throws(UnusableInput) {
        if isCompactSerialization(bytes) {
            do { self = .signedText(try JSONWebSignature(compactSerialization: trimmed(bytes))) } catch {
                throw UnusableInput("\(name) looks like a JWS: \(error)")
            }
            return
        }
        switch try TextForm(bytes, name: name) {
        case .json: self = .objectFile(try ObjectFile.decode(bytes, name: name))
        case .pem:
            do { self = .certificates(try PEM.decodeAll(bytes, label: .certificate).map(\.bytes)) } catch {
                throw UnusableInput("\(name): \(error)")
            }
        case .object(let object): self = try Self.object(object, name: name)
        }
    }

    static func object(_ bytes: [UInt8], name: String) throws(UnusableInput) -> ObjectInput {
        // 0x30 begins a DER SEQUENCE. As CBOR, 0x30 would be a negative integer, which is not an object of App Attest.
        guard bytes.first != 0x30 else {
            if (try? SignedData(berEncoded: bytes[...])) != nil { return .receipt(bytes) }
            do { _ = try Certificate(derEncoded: bytes[...]) } catch {
                guard Report.keyDescription(ofLeaf: bytes[...]) != nil else {
                    throw UnusableInput(
                        "\(name) is neither a certificate nor a receipt: \(error)\(extensionHint(name, unless: "DER"))")
                }
            }
            return .certificate(bytes)
        }
        let value: CBORValue
        do { value = try CBORValue(decoding: bytes) } catch {
            throw UnusableInput("\(name) is neither DER nor CBOR: \(error)\(extensionHint(name, unless: "CBOR"))")
        }
        guard let map = value.map else { return .other(value) }
        if map[text: "attStmt"] != nil { return .attestation(bytes, value) }
        return map[text: "authenticatorData"] != nil ? .assertion(bytes, value) : .other(value)
    }

    var name: String {
        switch self {
        case .objectFile: "an object file"
        case .certificates: "PEM certificates"
        case .attestation: "an attestation"
        case .assertion: "an assertion"
        case .receipt: "a receipt"
        case .certificate: "a certificate"
        case .signedText: "a JWS"
        case .other: "CBOR of another kind"
        }
    }
}

/// True for three base64url parts separated by periods (RFC 7515 §7.1), with or without white space around them.
private func isCompactSerialization(_ bytes: [UInt8]) -> Bool {
    let text = trimmed(bytes)
    let isBase64URL: (UInt8) -> Bool = {
        switch $0 {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
    return text.first.map(isBase64URL) == true && text.count(where: { $0 == UInt8(ascii: ".") }) == 2
        && text.allSatisfy { isBase64URL($0) || $0 == UInt8(ascii: ".") }
}

/// The text or binary form of an input.
enum TextForm {
    case json
    case pem
    /// The bytes of an object, already decoded if the input is text.
    case object([UInt8])

    init(_ bytes: [UInt8], name: String) throws(UnusableInput) {
        guard !bytes.isEmpty else { throw UnusableInput("\(name) is empty") }
        let start = bytes.first { !isWhiteSpace($0) }
        guard let start else { throw UnusableInput("\(name) contains only white space") }
        if start == UInt8(ascii: "{") {
            self = .json
            return
        }
        // UTF-8 text may precede the first PEM block, so the marker can be anywhere.
        let hasControls = bytes.contains { $0 < 0x20 && !isWhiteSpace($0) || $0 == 0x7f }
        if !hasControls, bytes.firstRange(of: Array("-----BEGIN".utf8)) != nil {
            self = .pem
            return
        }
        guard !hasControls, bytes.allSatisfy({ $0 < 0x7f }) else {
            self = .object(bytes)
            return
        }
        let text = String(decoding: bytes.filter { !isWhiteSpace($0) }, as: UTF8.self)
        do { self = .object(try decodedText(text)) } catch {
            throw UnusableInput(
                "\(name): expected JSON, PEM, hexadecimal or Base64 text: \(error.reason)\(extensionHint(name))")
        }
    }
}

/// Returns `; the extension suggests FORMAT` if `name` has the extension of a format that differs from `tried`.
private func extensionHint(_ name: String, unless tried: String = "") -> String {
    let formats = ["cbor": "CBOR", "der": "DER", "cer": "DER", "crt": "PEM or DER", "pem": "PEM", "json": "JSON"]
    let last = name.lowercasedASCII.split(separator: UInt8(ascii: ".")).last ?? []
    guard let format = formats[String(decoding: last, as: UTF8.self)], format != tried else { return "" }
    return "; the extension suggests \(format)"
}

let objectValueHelp = """
    OBJECT is the PATH of a file, - for standard input, or BYTES. The file holds the object itself, or its Base64 or
    hexadecimal text.
    \(byteValueHelp)
    """

/// Returns the path in an option's value; `nil` if the value is BYTES.
func objectPath(_ text: String) -> String? {
    if let path = text.removing(prefix: "@") { return path }
    if text == "-" { return text }
    return fileExists(text) ? text : nil
}

func fileExists(_ path: String) -> Bool {
    // A NUL would end the C string. Values with the prefix "text:" or "hex:" never name files, so an existing file
    // cannot change the meaning of such a value.
    guard !path.isEmpty, !path.utf8.contains(0), !isMarkedValue(path) else { return false }
    return unsafe access(path, F_OK) == 0
}

extension Arguments {
    func object(_ name: String) throws(UnusableInput) -> Sourced<[UInt8]>? {
        guard let text = value(name) else { return nil }
        guard let path = objectPath(text) else {
            if !isMarkedValue(text), !text.isEmpty {
                let start = "\(name): no file \(excerpt(text))"
                do { _ = try base64(text) } catch {
                    throw UnusableInput("\(start), and \(error.reason); for hexadecimal, hex:…")
                }
            }
            return try bytes(name)
        }
        let file = inputName(path)
        switch try TextForm(fileBytes(path), name: file) {
        case .object(let bytes): return Sourced(value: bytes, origin: .option)
        case .json: throw UnusableInput("\(name): \(file) is JSON; give an object file as FILE, without \(name)")
        case .pem:
            throw UnusableInput("\(name): \(file) holds PEM certificates, not an object; see pure-attest inspect")
        }
    }
}
