#if !hasFeature(Embedded)
    import PureBytes
    public import PureDER
    import PureECDSA
    import PureSHA2

    extension AppAttestVerifier {
        /// Explains what ``verifyAssertion(_:clientData:challenge:key:at:)`` makes of an assertion: every step that can run does.
        ///
        /// ``ChallengeBinding/extracted(expected:by:)`` is called here also when the signature is not valid: its result is
        /// reported and counts for nothing.
        public func explainAssertion(
            _ assertion: some Collection<UInt8>, clientData: some Collection<UInt8>, challenge: ChallengeBinding,
            key: AttestedKey, at time: UnixTime? = nil
        ) -> VerificationReport {
            let (assertion, clientData) = (ArraySlice(assertion), ArraySlice(clientData))
            var report = VerificationReport(subject: "assertion")
            _ = report.run("key", "the stored key is of the \(environment) environment") {
                () throws(PureAttestError) in
                try assertionVerifier.checkEnvironment(of: key)
            } finding: { _ in
                .init(expected: "\(environment)", received: "\(key.environment)")
            }
            let object = report.run("object", "the assertion is well-formed CBOR") {
                () throws(PureAttestError) in
                try AssertionObject(decoding: assertion)
            } finding: { _ in
                Self.objectFinding(assertion, other: "an attestation")
            }
            let data = report.run("data", "the authenticator data are well-formed", on: object) {
                (object) throws(PureAttestError) in try AuthenticatorData(assertion: object.authenticatorData)
            }
            let hash = report.run("1", "the client data are hashed") { SHA256.hash(data: clientData) }
            let nonce = report.run("2", "the nonce is computed", on: data.flatMap { data in hash.map { (data, $0) } }) {
                (data, hash) in data.nonce(clientDataHash: hash)
            }
            let signed = object.flatMap { object in nonce.map { (object.signature, $0) } }
            _ = report.run("3", "the signature is the key's signature of the nonce", on: signed) {
                (signature, nonce) throws(PureAttestError) in
                try AssertionVerifier.checkSignature(signature, of: nonce, by: key)
            } finding: { inputs, _ in
                Self.signatureFinding(inputs.0, nonce: inputs.1, data: data, clientData: clientData, key: key)
            }
            let declarations = report.run("4", "the RP ID hash is that of the key's app", on: data) {
                (data) throws(PureAttestError) in
                try assertionVerifier.checkAppID(of: data, isOf: key)
            } finding: { data, error in
                if case .platformNotAllowed = error { return Self.platformFinding(key.system.platform) }
                guard error == .keyOfUnknownApp else { return self.appFinding(data, leaf: nil) }
                return .init(causes: ["the stored key belongs to an app that this verifier does not have"])
            }
            let app = declarations?.first
            if let app {
                explainSystem(key.system, app: app, in: &report)
                if app.agePolicy.maximumKeyAge != nil {
                    _ = report.run("age", "the key was attested lately") { () throws(PureAttestError) in
                        try app.agePolicy.checkKey(key, at: time)
                    } finding: { _ in
                        .init(
                            received: key.attestedAt.map { "attested at \(printable($0))" },
                            causes: ["the device has to attest a new key"])
                    }
                }
            }
            _ = report.run("5", "the counter has not been used", on: data) {
                (data) throws(PureAttestError) in
                _ = try key.accepting(data.counter, policy: counterPolicy)
                try app?.agePolicy.checkCounter(data.counter, of: key)
            } finding: { data, error in
                Self.counterFinding(error, received: data.counter, stored: key.counter)
            }
            _ = report.run("6", "the signed client data hold the challenge") { () throws(PureAttestError) in
                try challenge.checkNotEmpty()
                try challenge.check(signed: clientData)
            } finding: {
                Self.challengeFinding($0, challenge, clientData: clientData)
            }
            explainLaunch(
                data, of: key.system, unsignedBuild: object?.unverifiedCodeDirectoryHash, app: app, category: "7",
                version: "8", in: &report)
            return report
        }

        private static func signatureFinding(
            _ encoded: ArraySlice<UInt8>, nonce: SHA256Digest, data: AuthenticatorData?, clientData: ArraySlice<UInt8>,
            key: AttestedKey
        ) -> VerificationReport.Finding {
            guard let data, let signature = try? P256.Signing.ECDSASignature(derRepresentation: encoded) else {
                let cause = encoded.count == 64 ? ["the signature is r and s without DER: 64 bytes"] : []
                return .init(received: "\(encoded.count) bytes", causes: cause)
            }
            if key.publicKey.isValidSignature(signature, for: nonce) {
                return .init(causes: [
                    "the signature is valid over the single hash: a client bug, no device signs like this"
                ])
            }
            // The nonce is hashed once more, as by a device.
            if key.hasPublicKeyMultiples, key.publicKey.isValidSignature(signature, for: SHA256.hash(data: nonce)) {
                return .init(causes: [
                    "the multiples in the stored record are not of its public key: the record was damaged"
                ])
            }
            let causes = HashGuesses.ofData(clientData, named: "client data").filter { guess in
                key.publicKey.isValidSignature(
                    signature, for: SHA256.hash(data: data.nonce(clientDataHash: guess.hash)))
            }.map(\.cause)
            let unknown = [
                "the client data are not byte for byte what the client hashed: encoded anew, or another request",
                "the assertion was made with another key than the stored one",
            ]
            return .init(causes: causes.isEmpty ? unknown : causes)
        }

        private static func counterFinding(
            _ error: PureAttestError, received: UInt32, stored: UInt32
        ) -> VerificationReport.Finding {
            let causes: [String] =
                if case .counterStepTooLarge = error {
                    ["the device made many assertions that never arrived, or the key signs elsewhere too"]
                } else if case .counterReplayed = error {
                    ["the same assertion came before: a replay, or a client that repeats a request"]
                } else if received == stored {
                    ["the same assertion came before: a replay, or a client that repeats a request"]
                } else if received == 0 {
                    ["a counter of 0 is that of an attestation"]
                } else {
                    [
                        "requests were sent in parallel and overtook each other: a sliding window accepts them",
                        "a replay",
                    ]
                }
            return .init(expected: "more than \(stored)", received: "\(received)", causes: causes)
        }

        private static func challengeFinding(
            _ error: PureAttestError, _ challenge: ChallengeBinding, clientData: ArraySlice<UInt8>
        ) -> VerificationReport.Finding {
            if error == .emptyChallenge {
                return .init(causes: ["the server passed an empty challenge: has it expired?"])
            }
            if error == .challengeNotFound {
                return .init(causes: ["the client data are not of the form that the server's closure reads"])
            }
            guard case .clientDataIs(let expected) = challenge else {
                return .init(causes: ["the request answers another challenge: an old one, or another session's"])
            }
            let causes: [String] =
                if Base64.encode(expected).elementsEqual(clientData)
                    || Base64.encode(expected, as: .urlSafeUnpadded).elementsEqual(clientData)
                {
                    ["the client data are the challenge as base64 text"]
                } else if Hex.encode(expected).elementsEqual(clientData) {
                    ["the client data are the challenge as hexadecimal text"]
                } else if contains(clientData, expected) || contains(clientData, Base64.encode(expected))
                    || contains(clientData, Base64.encode(expected, as: .urlSafeUnpadded))
                    || contains(clientData, Hex.encode(expected))
                {
                    [
                        clientData.first { $0 > 0x20 } == UInt8(ascii: "{")
                            ? "the client data are JSON with the challenge in it: use .extracted(expected:by:)"
                            : "the client data hold the challenge and more: use .extracted(expected:by:)"
                    ]
                } else {
                    ["the request answers another challenge: an old one, or another session's"]
                }
            return .init(causes: causes)
        }

        /// Whether `part` is somewhere in `bytes`. Only the first 64 KiB are looked at: the work is the product of both.
        private static func contains(_ bytes: ArraySlice<UInt8>, _ part: [UInt8]) -> Bool {
            guard part.count <= 1_024 else { return false }
            var rest = bytes.prefix(65_536)
            while rest.count >= part.count {
                if rest.starts(with: part) { return true }
                rest = rest.dropFirst()
            }
            return false
        }
    }
#endif
