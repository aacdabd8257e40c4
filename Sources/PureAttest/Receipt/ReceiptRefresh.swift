#if !hasFeature(Embedded)
    import PureBytes
    public import PureDER

    /// A risk query for a key, prepared and not sent (Apple, "Assessing fraud risk"): Apple answers a receipt with a new one
    /// that holds a risk metric.
    ///
    /// The token in it is signed by the caller, with the private key that Apple issued for DeviceCheck: by a function, an
    /// actor or a key service, with whatever `await` that takes.
    ///
    /// ```swift
    /// let refresh = try ReceiptRefresh(
    ///     receipt: stored, environment: .production, teamID: "A1B2C3D4E5", keyID: "ABC123DEFG", at: now)
    /// let signature = try privateKey.signature(for: Data(refresh.signingInput)).rawRepresentation
    /// let request = try refresh.request(signature: signature)
    /// ```
    public struct ReceiptRefresh: Sendable {
        /// What is signed with ES256 (RFC 7515 §5.1): the token's header and claims.
        public let signingInput: [UInt8]
        private let body: [UInt8]
        private let environment: Environment

        /// Prepares a query. Asking before ``ReceiptPayload/notBefore`` is answered with ``ReceiptRefreshAnswer/notYet``.
        ///
        /// - Parameters:
        ///   - receipt: the last receipt for the key.
        ///   - environment: that of the key.
        ///   - teamID: ten characters; the token's issuer.
        ///   - keyID: the identifier of the DeviceCheck key, ten characters. It has nothing to do with App Attest keys.
        ///   - time: now; Apple refuses tokens that are old.
        /// - Throws: ``PureAttestError/malformedIdentifier`` for an identifier that is not made of ASCII letters and digits,
        ///   ``PureAttestError/inputTooLarge``.
        public init(
            receipt: some Collection<UInt8>, environment: Environment, teamID: String, keyID: String, at time: UnixTime
        ) throws(PureAttestError) {
            guard receipt.count <= InputLimits.receipt else { throw .inputTooLarge }
            // Nothing in them needs escaping in JSON then.
            for identifier in [teamID, keyID] {
                guard !identifier.isEmpty, identifier.utf8.allSatisfy(Self.isLetterOrDigit) else {
                    throw .malformedIdentifier
                }
            }
            let header = #"{"alg":"ES256","kid":"\#(keyID)","typ":"JWT"}"#
            let claims = #"{"iss":"\#(teamID)","iat":\#(time.secondsSince1970)}"#
            signingInput =
                Base64.encode(header.utf8, as: .urlSafeUnpadded) + [UInt8(ascii: ".")]
                + Base64.encode(claims.utf8, as: .urlSafeUnpadded)
            body = Base64.encode(receipt)
            self.environment = environment
        }

        private static func isLetterOrDigit(_ character: UInt8) -> Bool {
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: false
            }
        }

        /// The request to send.
        ///
        /// - Parameter signature: r ‖ s, 64 bytes (RFC 7518 §3.4), of ``signingInput``. It is not verified; DER is refused.
        /// - Throws: ``PureAttestError/malformedTokenSignature``.
        public func request(
            signature: some Collection<UInt8>
        ) throws(PureAttestError) -> ReceiptRefreshRequest {
            guard signature.count == 64 else { throw .malformedTokenSignature }
            let token =
                signingInput + [UInt8(ascii: ".")] + Base64.encode(signature, as: .urlSafeUnpadded)
            let host =
                switch environment {
                case .production: "data.appattest.apple.com"
                case .development: "data-development.appattest.apple.com"
                }
            return ReceiptRefreshRequest(
                url: "https://\(host)/v1/attestationData", authorization: String(decoding: token, as: UTF8.self),
                body: body)
        }
    }

    /// An HTTP request for the caller's client.
    public struct ReceiptRefreshRequest: Hashable, Sendable {
        /// Where to send it.
        public let url: String
        /// Always "POST".
        public var method: String { "POST" }
        /// The value of the header `Authorization`: the bare token, without "Bearer".
        public let authorization: String
        /// The body: base64 of the receipt.
        public let body: [UInt8]
    }

    /// What Apple's service answered, by the status codes that its documentation lists.
    @nonexhaustive
    public enum ReceiptRefreshAnswer: Hashable, Sendable {
        /// 200: a new receipt, unverified. ``AppAttestVerifier/receipt(_:of:)`` and
        /// ``UnverifiedReceipt/verify(at:maximumAge:)`` verify it; then store it in place of the old one.
        case receipt([UInt8])
        /// 304: asked before the receipt's ``ReceiptPayload/notBefore``. Keep the receipt and ask later.
        case notYet
        /// 400: the receipt is not one, or is of the other environment.
        case invalidReceipt
        /// 401: the token is not accepted.
        case unauthorized
        /// 404: nothing is known for this receipt.
        case notFound
        /// 429: too many queries. Ask later.
        case tooManyRequests
        /// 5xx: the service is out of order. Ask later.
        case serverError(status: Int)
        /// A status that the documentation does not list.
        case unknownStatus(Int)
        /// 200, but the body is not base64, or too long.
        case malformedBody

        /// Reads an answer. White space around the body is passed over.
        public init(status: Int, body: some Collection<UInt8>) {
            switch status {
            case 200:
                guard body.count <= InputLimits.receiptAnswer else {
                    self = .malformedBody
                    return
                }
                let space: (UInt8) -> Bool = { [0x20, 0x0d, 0x0a, 0x09].contains($0) }
                var text = ArraySlice(body).drop(while: space)
                while let last = text.last, space(last) { text.removeLast() }
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
#endif
