#if !hasFeature(Embedded)
    import PureBytes
    public import PureDER

    /// A prepared, unsent risk query for a key (Apple, "Assessing fraud risk"). The caller sends a receipt, and Apple
    /// answers with a new receipt that contains a risk metric.
    ///
    /// The caller signs the query's token with the private key that Apple issued for DeviceCheck. Signing can be
    /// asynchronous, for example in an actor or a key service.
    ///
    /// ```swift
    /// let refresh = try ReceiptRefresh(
    ///     receipt: stored, environment: .production, teamID: "A1B2C3D4E5", keyID: "ABC123DEFG", at: now)
    /// let signature = try privateKey.signature(for: Data(refresh.signingInput)).rawRepresentation
    /// let request = try refresh.request(signature: signature)
    /// ```
    public struct ReceiptRefresh: Sendable {
        /// The input of the ES256 signature (RFC 7515 §5.1): the token's header and claims.
        public let signingInput: [UInt8]
        private let body: [UInt8]
        private let environment: Environment

        /// Prepares a query. Before ``ReceiptPayload/notBefore``, Apple answers with ``ReceiptRefreshAnswer/notYet``.
        ///
        /// - Parameters:
        ///   - receipt: the last receipt for the key.
        ///   - environment: the key's environment.
        ///   - teamID: the team ID, ten characters. The token names this team as its issuer.
        ///   - keyID: the identifier of the DeviceCheck key (not an App Attest key), ten characters.
        ///   - time: the current time. Apple rejects old tokens.
        /// - Throws: ``PureAttestError/malformedIdentifier`` if an identifier does not consist of ASCII letters and
        ///   digits, or ``PureAttestError/inputTooLarge`` if the receipt exceeds ``InputLimits/receipt``.
        public init(
            receipt: some Collection<UInt8>, environment: Environment, teamID: String, keyID: String, at time: UnixTime
        ) throws(PureAttestError) {
            guard receipt.count <= InputLimits.receipt else { throw .inputTooLarge }
            // Letters and digits need no escaping in JSON.
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

        /// Returns the request to send.
        ///
        /// - Parameter signature: the signature of ``signingInput`` as r ‖ s, 64 bytes (RFC 7518 §3.4). This method
        ///   checks only the length, which excludes signatures in DER.
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
        /// The address to send the request to.
        public let url: String
        /// Always "POST".
        public var method: String { "POST" }
        /// The value of the header `Authorization`: the bare token, without "Bearer".
        public let authorization: String
        /// The body: base64 of the receipt.
        public let body: [UInt8]
    }
#endif
