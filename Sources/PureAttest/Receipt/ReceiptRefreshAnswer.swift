import PureBytes

/// The answer of Apple's service to a risk query. The cases correspond to the status codes that Apple documents.
@nonexhaustive
public enum ReceiptRefreshAnswer: Hashable, Sendable {
    /// 200: a new, unverified receipt. Verify this receipt with ``AppAttestVerifier/receipt(_:of:)`` and
    /// ``UnverifiedReceipt/verify(at:maximumAge:)``, then store it in place of the old receipt.
    case receipt([UInt8])
    /// 304: the query was sent before the receipt's ``ReceiptPayload/notBefore``. Keep the receipt and retry later.
    case notYet
    /// 400: the receipt is invalid, or belongs to the other environment.
    case invalidReceipt
    /// 401: the token is not accepted.
    case unauthorized
    /// 404: the service has no data for this receipt.
    case notFound
    /// 429: too many queries. Retry later.
    case tooManyRequests
    /// 5xx: the service is unavailable. Retry later.
    case serverError(status: Int)
    /// A status that Apple does not document.
    case unknownStatus(Int)
    /// The status is 200, but the body is too long or not base64.
    case malformedBody

    /// Reads an answer. Skips white space around the body.
    public init(status: Int, body: some Collection<UInt8>) {
        switch status {
        case 200:
            guard body.count <= InputLimits.receiptAnswer else {
                self = .malformedBody
                return
            }
            let space: (UInt8) -> Bool = { [0x20, 0x0d, 0x0a, 0x09].contains($0) }
            var text = ArraySlice(body).drop(while: space)
            while let last = text.last, space(last) { text = text.dropLast() }
            guard !text.isEmpty, let receipt = try? Base64.decode(text) else {
                self = .malformedBody
                return
            }
            self = .receipt(receipt)
        case 304: self = .notYet
        case 400: self = .invalidReceipt
        case 401: self = .unauthorized
        case 404: self = .notFound
        case 429: self = .tooManyRequests
        case 500..<600: self = .serverError(status: status)
        default: self = .unknownStatus(status)
        }
    }
}
