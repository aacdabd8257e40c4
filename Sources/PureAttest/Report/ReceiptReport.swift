#if !hasFeature(Embedded)
    public import PureDER

    extension UnverifiedReceipt {
        /// Explains what ``verify(at:maximumAge:)`` makes of a receipt: every step that can run does.
        public func explain(
            at time: UnixTime, maximumAge: UInt32? = UnverifiedReceipt.registrationAge
        ) -> VerificationReport {
            var report = VerificationReport(subject: "receipt")
            _ = report.run("signature", "Apple's receipt signer signed it, by a chain to Apple Root CA - G3") {
                () throws(PureAttestError) in
                try verifySignature(at: time)
            } finding: { error in
                switch error {
                case .receiptSignature(.expired): .init(causes: ["verify a stored receipt at the time it was received"])
                case .receiptSignature(.malformed): .init(causes: ["the receipt was changed or cut short on the way"])
                default: .init()
                }
            }
            let payload = report.run("fields", "the fields can be read") { () throws(PureAttestError) in
                try ReceiptPayload(decoding: unverifiedContent())
            }
            _ = report.run("2", "it is for the app", on: payload) {
                (payload) throws(PureAttestError) in
                try checkAppID(of: payload)
            } finding: { payload, _ in
                .init(expected: printable(expected.app.bytes), received: printable(payload.appIDUTF8))
            }
            _ = report.run("3", "it is for the key", on: payload) {
                (payload) throws(PureAttestError) in try checkKey(of: payload)
            }
            _ = report.run("4", "it was made with the attestation", on: payload) {
                (payload) throws(PureAttestError) in
                try checkClientDataHash(of: payload)
            } finding: { payload, _ in
                payload.kind == .answer
                    ? .init(causes: ["the receipt is an answer to a risk query and not the attestation's own"])
                    : .init(causes: ["the receipt is of another attestation of the same key"])
            }
            _ = report.run("7", "it is of the key's environment", on: payload) {
                (payload) throws(PureAttestError) in
                try checkEnvironment(of: payload)
            } finding: { payload, _ in
                .init(
                    expected: "\(expected.key.environment)",
                    received: payload.environment.map { "\($0)" } ?? "none")
            }
            _ = report.run("12", "it was made just now", on: payload) {
                (payload) throws(PureAttestError) in
                try checkAge(of: payload, at: time, maximumAge: maximumAge)
            } finding: { payload, _ in
                .init(
                    expected: "at most \(printable(seconds: Int64(maximumAge ?? 0))) before \(printable(time))",
                    received: printable(payload.creationTime),
                    causes: ["the receipt was stored before it was verified: pass no maximum age"])
            }
            _ = report.run("21", "it has not expired", on: payload) {
                (payload) throws(PureAttestError) in
                try checkExpiration(of: payload, at: time)
            } finding: { payload, _ in
                .init(expected: "later than \(printable(time))", received: printable(payload.expirationTime))
            }
            return report
        }
    }
#endif
