import PureAttest
import PureAttestServer
import PureBytes
import PureCBOR
import PureDER
import PureECDSA
import PureKeyAttestation
import PureX509
import PureX509Paths

// Measures the cost of formatting errors whose payload the sender of the data chose, at several sizes. If possible, a
// parser throws the error, so that the probe measures the payload that the parser really stores.

/// Returns the number of bytes that the sender chose, and a closure that formats the error and returns the text's
/// length.
func errorText(_ probe: String, _ count: Int) -> (size: Int, text: () -> Int)? {
    guard let (size, error) = refusal(probe, count) ?? purchaseError(probe, count) else { return nil }
    return (size, { all(error) })
}

/// Returns the total length of three texts: the error's description, its reflection (which debuggers and logs print),
/// and its description as `any Error`.
private func all<Failure: Error>(_ error: Failure) -> Int {
    let existential: any Error = error
    return "\(error)".utf8.count + String(reflecting: error).utf8.count + "\(existential)".utf8.count
}

private func thrown<Failure: Error>(_ body: () throws(Failure) -> Void) -> Failure {
    do throws(Failure) { try body() } catch { return error }
    fatalError("nothing was thrown")
}

/// Returns an OBJECT IDENTIFIER with `count` octets of contents: `2a`, followed by one long arc.
private func longIdentifier(_ count: Int) -> [UInt8] {
    element(6, [0x2a] + [UInt8](repeating: 0xff, count: count - 2) + [1])
}

private func identifier(_ count: Int) -> ASN1ObjectIdentifier {
    var reader = DERReader(longIdentifier(count)[...])
    do { return try reader.readObjectIdentifier() } catch { fatalError("\(error)") }
}

private func longExtension(_ count: Int, critical: Bool = false) -> [UInt8] {
    element(0x30, longIdentifier(count) + (critical ? [1, 1, 0xff] : []) + element(4, []))
}

func duplicate(_ count: Int) -> X509Error {
    let bytes = certificate(extensions: repeated(longExtension(count), 2))
    return thrown { () throws(X509Error) in _ = try Certificate(derEncoded: bytes) }
}

private func head(_ text: String) -> [UInt8] { head(3, text.utf8.count) + Array(text.utf8) }

/// Returns the error that the verifier throws for an unsigned attestation with this leaf.
private func attestation(leaf: [UInt8]) -> PureAttestError {
    let certificates = head(4, 2) + head(2, leaf.count) + leaf + head(2, 1) + [0]
    let statement = head(5, 2) + head("x5c") + certificates + head("receipt") + head(2, 0)
    let credential = [UInt8](repeating: 0, count: 16) + [0, 0]
    let key = head(5, 5) + [1, 2, 3, 0x26, 0x20, 1] + [0x21, 0x58, 32] + [UInt8](repeating: 1, count: 32)
    let data =
        [UInt8](repeating: 0, count: 37) + credential + key + [0x22, 0x58, 32] + [UInt8](repeating: 1, count: 32)
    let object =
        head(5, 3) + head("fmt") + head("apple-appattest") + head("attStmt") + statement + head("authData")
        + head(2, data.count) + data
    let verifier = AppAttestVerifier(
        apps: [AppID(teamID: "ABCDE12345", bundleID: "com.example.app")], environment: .production,
        launchPolicy: .reportOnly)
    return thrown { () throws(PureAttestError) in
        _ = try verifier.verifyAttestation(
            object, keyID: [UInt8](repeating: 0, count: 32), challenge: [UInt8](repeating: 0, count: 32),
            at: UnixTime(secondsSince1970: 1_800_000_000))
    }
}

private enum Unbounded: Error { case everything(String) }

private func refusal(_ probe: String, _ count: Int) -> (size: Int, error: any Error)? {
    let bytes = [UInt8](repeating: 0x30, count: count)
    switch probe {
    case "text-hex":
        let error = thrown { () throws(HexError) in _ = try Hex.decode(bytes + [0x30, 0x78]) }
        return (count, error)
    case "text-base64":
        let error = thrown { () throws(Base64Error) in _ = try Base64.decode(bytes + Array("AA*A".utf8)) }
        return (count, error)
    case "text-der":
        let error = thrown { () throws(DERError) in
            var reader = DERReader(([0x9f, 0x83, 0xff, 0xff] + element(0x7f, bytes))[...])
            _ = try reader.read(.sequence)
        }
        return (count, error)
    case "text-cbor":
        let error = thrown { () throws(CBORError) in
            let limits = CBORLimits(maximumDepth: .max, maximumItems: .max, maximumSize: .max)
            _ = try CBORValue(decoding: head(4, count + 1) + bytes.map { _ in 0 } + [0x1c], limits: limits)
        }
        return (count, error)
    case "text-ecdsa":
        let error = thrown { () throws(ECDSAError) in
            _ = try P256.Signing.ECDSASignature(derRepresentation: element(0x31, bytes))
        }
        return (count, error)
    case "text-duplicateExtension": return (count, duplicate(count))
    case "text-unhandledCriticalExtension":
        let error = thrown { () throws(X509Error) in
            let leaf = try Certificate(derEncoded: certificate(extensions: longExtension(count, critical: true)))
            do throws(PathError) {
                _ = try CertificatePathVerifier(trustAnchors: [])
                    .validate(leaf: leaf, intermediates: [], at: leaf.notBefore)
            } catch {
                guard case .certificate(let refused) = error else { fatalError("\(error)") }
                throw refused
            }
        }
        return (count, error)
    // The library throws this error only for known, short identifiers. The probe creates it with a long identifier.
    case "text-wrongCriticality": return (count, X509Error.wrongCriticality(identifier(count), certificate: 0))
    case "text-unsupportedConstraint":
        return (count, X509Error.unsupportedConstraint(identifier(count), certificate: 0))
    case "text-certificate":
        return (count, attestation(leaf: certificate(extensions: repeated(longExtension(count), 2))))
    case "text-malformedCertificate":
        return (count, KeyAttestationError.malformedCertificate(duplicate(count), certificate: 1))
    case "text-receiptSignature": return (count, PureAttestError.receiptSignature(duplicate(count)))
    case "text-malformedReceiptCertificate":
        return (count, PureAttestError.malformedReceiptCertificate(duplicate(count)))
    case "text-bundleVersionNotAllowed":
        return (count, PureAttestError.bundleVersionNotAllowed(BundleVersion(utf8: bytes)))
    case "text-appAttest": return (count, RegisteredKeyError.appAttest(.certificate(duplicate(count))))
    case "text-android":
        return (count, RegisteredKeyError.android(.malformedCertificate(duplicate(count), certificate: 1)))
    case "text-verification": return (count, Refusal.verification(.certificate(duplicate(count))))
    case "text-keyAttestation":
        return (count, Refusal.keyAttestation(.malformedCertificate(duplicate(count), certificate: 1)))
    case "text-refused":
        return (
            count, AttestServerError<InMemoryStoreFull>.refused(.verification(.certificate(duplicate(count))))
        )
    // The control's text contains every byte that the sender chose. count.py must report this control.
    case "control-text": return (count, Unbounded.everything(String(decoding: bytes, as: UTF8.self)))
    default: return nil
    }
}
