import PureAppStore
import PureAttestPurchasesCore
import PureBytes
import PureDER
import PureJSON
import PureJWS
import PureX509
import PureX509Paths

// Measures the cost of parsing JSON, JSON Web Signatures and App Store data, and of formatting the errors. The inputs
// are unsigned, because the verifier parses the content before the certificates.

func purchaseInput(_ probe: String, _ count: Int) -> (bytes: [UInt8], parse: (ArraySlice<UInt8>) throws -> Void)? {
    let json: (ArraySlice<UInt8>) throws -> Void = { _ = try JSONValue(decoding: $0, limits: unlimitedJSON) }
    switch probe {
    case "json-array": return (Array("[".utf8) + repeated(Array("1,".utf8), count) + Array("1]".utf8), json)
    case "json-object": return (Array("{\(members(count))\"b\":0}".utf8), json)
    case "json-text": return (Array("\"".utf8) + repeated(Array(#"\u0041"#.utf8), count) + Array("\"".utf8), json)
    case "json-number":
        return (
            Array("1".utf8) + repeated([0x30], count),
            { bytes in _ = try JSONValue(decoding: bytes, limits: unlimitedJSON).number?.int64 }
        )
    case "jws":
        return (
            webSignature([UInt8](repeating: 0x30, count: count)),
            { bytes in _ = try JSONWebSignature(compactSerialization: bytes) }
        )
    case "app-store-content":
        return (
            webSignature(transaction(more: members(count))),
            { bytes in
                guard case .signature(.certificatesMissing) = rejection(bytes) else { fatalError("another error") }
            }
        )
    default: return nil
    }
}

/// Returns an App Store or OCSP error with a payload that the sender of the data chose, and the payload's size.
func purchaseError(_ probe: String, _ count: Int) -> (size: Int, error: any Error)? {
    let chain = JWSError.certificateChain(duplicate(count))
    switch probe {
    case "text-certificateChain": return (count, chain)
    case "text-signature": return (count, AppStoreError.signature(chain))
    case "text-signedData": return (count, PurchaseRefusal.signedData(.signature(chain)))
    case "text-transaction": return (count, AppStoreError.transaction(.signature(chain)))
    case "text-renewalInfo": return (count, AppStoreError.renewalInfo(.signature(chain)))
    case "text-appTransaction": return (count, AppStoreError.appTransaction(.signature(chain)))
    case "text-delegate": return (count, OCSPError.delegate(duplicate(count)))
    case "text-ocsp": return (count, PathError.ocsp(.delegate(duplicate(count))))
    case "text-certificateStatus":
        return (count, AppStoreError.certificateStatus(certificate: 0, .certificate(duplicate(count))))
    case "text-otherBundleID":
        return (count, rejection(webSignature(transaction(bundleID: String(repeating: "x", count: count)))[...]))
    case "text-memberMissing":
        return (count, rejection(webSignature(Array("{\"x\":\"\(String(repeating: "x", count: count))\"}".utf8))[...]))
    case "text-invalidMember":
        let text = String(repeating: "x", count: count)
        return (count, rejection(webSignature(transaction(more: "\"quantity\":\"\(text)\","))[...]))
    default: return nil
    }
}

private let unlimitedJSON = JSONLimits(maximumDepth: 16, maximumValues: .max, maximumSize: .max)

/// Returns `count` members with distinct names, each followed by a comma. The names are distinct, because the prime
/// 7,919 does not divide the counts that count.py uses.
private func members(_ count: Int) -> String {
    (0..<count).map { "\"a\(1_000_000 + $0 * 7_919 % count)\":0," }.joined()
}

private func transaction(bundleID: String = "com.example.app", more: String = "") -> [UInt8] {
    let ids = #""transactionId":"1","originalTransactionId":"1","productId":"p","environment":"Sandbox""#
    return Array("{\(more)\"bundleId\":\"\(bundleID)\",\(ids),\"purchaseDate\":1,\"signedDate\":1}".utf8)
}

private func webSignature(_ content: [UInt8]) -> [UInt8] {
    let parts = [Array(#"{"alg":"ES256"}"#.utf8), content, [UInt8](repeating: 1, count: 64)]
    return Array(parts.map { Base64.encode($0, as: .urlSafeUnpadded) }.joined(separator: [0x2E]))
}

private let sandbox = Result { () throws(AppStoreError) in
    try SignedDataVerifier(bundleID: "com.example.app", appAppleID: 1, environment: .sandbox)
}

private func rejection(_ text: ArraySlice<UInt8>) -> AppStoreError {
    do throws(AppStoreError) {
        _ = try sandbox.get().verifyAndDecodeTransaction(
            signedTransaction: text, at: UnixTime(secondsSince1970: 1_800_000_000))
    } catch { return error }
    fatalError("nothing was thrown")
}
