#if !hasFeature(Embedded)
    import PureBytes
    public import PureDER
    import PureSHA2
    import PureX509

    extension AppAttestVerifier {
        /// Explains what ``verifyAttestation(_:keyID:challenge:at:)`` makes of an attestation: every step that can run does.
        public func explainAttestation(
            _ attestation: some Collection<UInt8>, keyID: some Collection<UInt8>, challenge: some Collection<UInt8>,
            at time: UnixTime
        ) -> VerificationReport {
            explain(
                attestation: ArraySlice(attestation), keyID: ArraySlice(keyID),
                clientData: .challenge(ArraySlice(challenge)), at: time)
        }

        /// Explains what ``verifyAttestation(_:keyID:clientDataHash:at:)`` makes of an attestation.
        public func explainAttestation(
            _ attestation: some Collection<UInt8>, keyID: some Collection<UInt8>,
            clientDataHash: some Collection<UInt8>, at time: UnixTime
        ) -> VerificationReport {
            explain(
                attestation: ArraySlice(attestation), keyID: ArraySlice(keyID),
                clientData: .hash(ArraySlice(clientDataHash)), at: time)
        }

        private func explain(
            attestation: ArraySlice<UInt8>, keyID: ArraySlice<UInt8>, clientData: AttestedClientData, at time: UnixTime
        ) -> VerificationReport {
            var report = VerificationReport(subject: "attestation")
            let object = report.run("object", "the attestation object is well-formed CBOR") {
                () throws(PureAttestError) in
                try AttestationObject(decoding: attestation)
            } finding: { _ in
                Self.objectFinding(attestation, other: "an assertion")
            }
            let data = report.run("data", "the authenticator data are well-formed", on: object) {
                (object) throws(PureAttestError) in try AuthenticatorData(attestation: object.authenticatorData)
            }
            // What follows looks at the leaf as it is, whether or not anyone vouches for it.
            let leaf = object?.certificates.first.flatMap { try? Certificate(derEncoded: $0) }
            _ = report.run(
                "1", "the certificates chain to Apple's App Attest root and are valid at the time", on: object
            ) {
                (object) throws(PureAttestError) in
                try verifyCertificateChain(of: object, at: time)
            } finding: { object, error in
                self.chainFinding(error, object.certificates.map { try? Certificate(derEncoded: $0) }, at: time)
            }
            let hash = report.run("2", "there is a client data hash") {
                () throws(PureAttestError) in try clientData.hash()
            }
            let nonceInputs = data.flatMap { data in hash.map { (data, $0) } }
            let nonce = report.run("3", "the nonce is computed", on: nonceInputs) { (data, hash) in
                data.nonce(clientDataHash: hash)
            }
            _ = report.run("4", "the leaf certifies the nonce", on: nonce.flatMap { nonce in leaf.map { (nonce, $0) } })
            {
                (nonce, leaf) throws(PureAttestError) in
                try Self.checkNonce(nonce, in: leaf)
            } finding: { inputs, _ in
                Self.nonceFinding(inputs.0, leaf: inputs.1, data: data, clientData: clientData)
            }
            let publicKey = report.run("5", "the key identifier is the SHA-256 of the leaf's key", on: leaf) {
                (leaf) throws(PureAttestError) in
                try Self.checkKeyID(keyID, isOf: leaf).key
            } finding: { leaf, _ in
                Self.keyIDFinding(keyID, leaf: leaf)
            }
            let system = report.run("leaf", "what the leaf says of the system can be read", on: leaf) {
                (leaf) throws(PureAttestError) in
                try LeafExtensions.system(of: leaf).system
            }
            let platform = system?.platform
            let app = report.run("6", "the RP ID hash is that of an accepted App ID, on its platform", on: data) {
                (data) throws(PureAttestError) in
                try checkAppID(of: data, on: platform)
            } finding: { data, error in
                guard case .platformNotAllowed = error else { return self.appFinding(data, leaf: leaf) }
                return Self.platformFinding(platform)
            }
            _ = report.run("7", "the counter is 0", on: data) {
                (data) throws(PureAttestError) in
                try Self.checkCounterIsZero(data)
            } finding: { data, _ in
                .init(expected: "0", received: "\(data.counter)")
            }
            _ = report.run("8", "the AAGUID is that of the \(environment) environment", on: data) {
                (data) throws(PureAttestError) in
                try checkEnvironment(of: data)
            } finding: { _, error in
                self.environmentFinding(error)
            }
            _ = report.run(
                "9", "the credential is the certified key", on: data.flatMap { d in publicKey.map { (d, $0) } }
            ) {
                (data, publicKey) throws(PureAttestError) in
                try Self.checkCredential(of: data, keyID: keyID, publicKey: publicKey)
            } finding: { inputs, _ in
                .init(expected: shortened(keyID), received: shortened(inputs.0.credential?.id ?? []))
            }
            if let app {
                explainSystem(system, app: app.first, in: &report)
                let agePolicy = app.first.agePolicy
                if agePolicy.maximumAttestationAge != nil {
                    _ = report.run("age", "the attestation was made lately", on: leaf) {
                        (leaf) throws(PureAttestError) in
                        try agePolicy.checkAttestation(leafNotBefore: leaf.notBefore, at: time, clockSkew: clockSkew)
                    } finding: { _, error in
                        guard case .attestationTooOld(let made) = error else { return .init() }
                        return .init(
                            received: "made at \(printable(made))", causes: ["the attestation is replayed or late"])
                    }
                }
            }
            if let app, app.id.platform == .macOS {
                _ = report.run("macOS", "the access control list is that of Full Security with SIP on", on: leaf) {
                    (leaf) throws(PureAttestError) in
                    try checkAccessControlList(of: leaf, app: app.id)
                } finding: { _, _ in
                    .init(causes: [
                        "the Mac runs with reduced security or without System Integrity Protection",
                        "the app runs on another platform: declare it by its bundle ID",
                    ])
                }
            }
            explainLaunch(
                data, of: system, unsignedBuild: object?.unverifiedCodeDirectoryHash, app: app?.first, category: "10",
                version: "11", in: &report)
            return report
        }

        func explainLaunch(
            _ data: AuthenticatorData?, of system: SystemInformation?, unsignedBuild: CodeDirectoryHash?,
            app: AcceptedApp?, category: String, version: String, in report: inout VerificationReport
        ) {
            let missing = Self.causeOfMissingInformation(data, of: system)
            // Without an app there is no policy, unless there is but one.
            let app = app ?? (acceptedApps.count == 1 ? acceptedApps[0] : nil)
            let known = data.flatMap { data in app.map { (data: data, app: $0) } }
            let information = known.map { (launch: $0.app.launchPolicy.information(in: $0.data), app: $0.app) }
            _ = report.run(category, "the launch policy accepts the validation category", on: information) {
                (information) throws(PureAttestError) in
                try information.app.launchPolicy.checkCategory(
                    of: information.launch, app: information.app.id, environment: environment)
            } finding: { information, _ in
                guard let category = information.launch.validationCategory else { return .init(causes: [missing]) }
                let cause =
                    switch category {
                    case .development: ["the app is a development build"]
                    case .testFlight: ["the app comes from TestFlight"]
                    default: [] as [String]
                    }
                return .init(received: "\(category.rawValue)", causes: cause)
            }
            _ = report.run(version, "the launch policy accepts the bundle version", on: information) {
                (information) throws(PureAttestError) in
                try information.app.launchPolicy.checkVersion(of: information.launch)
            } finding: { information, _ in
                let expected = information.app.launchPolicy.listedVersions
                guard let version = information.launch.bundleVersion else {
                    return .init(expected: expected, causes: [missing])
                }
                return .init(
                    expected: expected, received: printable(version.utf8),
                    causes: [
                        "another build of the app than the policy accepts: an update that it does not list yet, or one that the "
                            + "user has not installed",
                        "the policy lists another number of the app: devices send CFBundleVersion",
                    ])
            }
            guard let app, app.launchPolicy.asksForBuild else { return }
            _ = report.run("build", "the launch policy accepts the build", on: information) {
                (information) throws(PureAttestError) in
                try information.app.launchPolicy.checkBuild(of: information.launch)
            } finding: { information, _ in
                var finding = VerificationReport.Finding(expected: app.launchPolicy.listedBuilds)
                guard let hash = information.launch.codeDirectoryHash else {
                    finding.causes = [missing, "the app has no entitlement app-attest-opt-in = [CDhash]"]
                    if let unsignedBuild {
                        finding.received = "\(unsignedBuild), which nothing signs"
                        finding.causes = ["the object names a build that nothing signs: the app can have written it"]
                    }
                    return finding
                }
                finding.received = "\(hash)"
                finding.causes =
                    hash.isTruncated
                    ? ["the device sends 20 bytes of the hash: a policy accepts those only if it says so"]
                    : [
                        "another build than the listed ones: an update, another architecture, or one that Apple signed anew "
                            + "(TestFlight, the store)",
                        "a changed app",
                    ]
                return finding
            }
        }

        /// The system policy, if it asks for anything.
        func explainSystem(_ system: SystemInformation?, app: AcceptedApp, in report: inout VerificationReport) {
            guard app.systemPolicy.restricts else { return }
            _ = report.run("system", "the system policy accepts the system", on: system) {
                (system) throws(PureAttestError) in
                try app.systemPolicy.check(system, on: app.id.platform)
            } finding: { system, error in
                let minimum =
                    app.id.platform == .macOS ? app.systemPolicy.minimumMacOSVersion : app.systemPolicy.minimumVersion
                let found = [
                    system.platform.map { "\($0)" }, system.version.map { "\($0)" }, system.build.map { "\($0)" },
                    system.releaseType,
                ].compactMap(\.self).joined(separator: " ")
                return switch error {
                case .systemVersionNotAllowed(nil), .systemBuildNotAllowed(nil):
                    .init(causes: [
                        "the certificate, or the key's record, does not say: an old system, or a key of an old record"
                    ])
                case .systemVersionNotAllowed:
                    .init(
                        expected: minimum.map { "\($0) or later" }, received: found,
                        causes: ["the device was not updated when the key was attested"])
                default: .init(received: found)
                }
            }
        }
    }

    // MARK: - Findings

    extension AppAttestVerifier {
        static func objectFinding(_ bytes: ArraySlice<UInt8>, other: String) -> VerificationReport.Finding {
            var causes: [String] = []
            if bytes.isEmpty { causes.append("there are no bytes") }
            let text = bytes.filter { $0 > 0x20 }
            if !text.isEmpty, (try? Base64.decode(text)) ?? (try? Base64.decode(text, as: .urlSafeUnpadded)) != nil {
                causes.append("the object is base64 text: decode it first")
            }
            let isOther =
                other == "an assertion"
                ? (try? AssertionObject(decoding: bytes)) != nil : (try? AttestationObject(decoding: bytes)) != nil
            if isOther { causes.append("the object is \(other)") }
            return .init(received: "\(bytes.count) bytes", causes: causes)
        }

        private func chainFinding(
            _ error: PureAttestError, _ certificates: [Certificate?], at time: UnixTime
        ) -> VerificationReport.Finding {
            guard case let leaf?? = certificates.first else { return .init() }
            let validity = "leaf valid from \(printable(leaf.notBefore)) to \(printable(leaf.notAfter))"
            func distance(_ from: UnixTime, _ to: UnixTime) -> String {
                let (seconds, overflow) = to.secondsSince1970.subtractingReportingOverflow(from.secondsSince1970)
                return overflow ? "an age" : printable(seconds: seconds)
            }
            let cause: String
            switch error {
            case .certificate(.expired(certificate: 0)):
                cause =
                    "the leaf expired \(distance(leaf.notAfter, time)) before the given time: verify a stored attestation "
                    + "at the time of its registration"
            case .certificate(.notYetValid(certificate: 0)):
                cause =
                    "the leaf becomes valid \(distance(time, leaf.notBefore)) after the given time: the server's clock is "
                    + "wrong, or the time is not in seconds"
            case .certificate(.issuerNotFound(let index)): return issuerFinding(certificates, index)
            case .certificate(.invalidSignature):
                return .init(causes: [
                    "the certificates carry Apple's names, but other keys signed them: a forgery, or damage on the way"
                ])
            default: return .init()
            }
            return .init(expected: "valid at \(printable(time))", received: validity, causes: [cause])
        }

        /// Who should have issued the certificate, and who did: dates have nothing to do with it.
        private func issuerFinding(_ certificates: [Certificate?], _ index: Int) -> VerificationReport.Finding {
            guard certificates.indices.contains(index), let certificate = certificates[index] else { return .init() }
            let received = "issued by \(commonName(of: certificate.issuer))"
            guard index == 0 else {
                return .init(
                    expected: "issued by "
                        + pathVerifier.trustAnchors.map { commonName(of: $0.name) }.joined(separator: " or "),
                    received: received,
                    causes: [
                        "the certificates are of another root than the trusted one: a test device, or a forgery"
                    ])
            }
            return .init(
                expected: certificates.dropFirst().first.flatMap(\.self).map {
                    "issued by \(commonName(of: $0.subject))"
                }, received: received,
                causes: ["the second certificate did not issue the first: two chains were mixed"])
        }

        private static func causeOfMissingInformation(
            _ data: AuthenticatorData?, of system: SystemInformation?
        ) -> String {
            guard data?.unverifiedLaunchInformation != nil else {
                return
                    "the device sends no launch information: it runs a system before 27, or the app was built with an older SDK"
            }
            // The first systems that send any.
            if let version = system?.version, version < SystemVersion(27) {
                return "the app forges launch information: its system, \(version), sends none (those from 27 on do)"
            }
            return
                "nothing shows that the system wrote the launch information (the ED flag is clear): a beta of 27, or an app that "
                + "forges it"
        }

        private static func nonceFinding(
            _ nonce: SHA256Digest, leaf: Certificate, data: AuthenticatorData?, clientData: AttestedClientData
        ) -> VerificationReport.Finding {
            guard let value = leaf.extension(LeafExtensions.nonceIdentifier)?.value,
                let certified = try? LeafExtensions.octets(in: value, tag: 1)
            else { return .init(expected: shortened(nonce), received: "no nonce") }
            let guesses =
                switch clientData {
                case .challenge(let challenge): HashGuesses.ofData(challenge, named: "challenge")
                case .hash(let hash): HashGuesses.ofHash(hash)
                }
            var causes = guesses.filter { guess in
                data.map { certified.elementsEqual($0.nonce(clientDataHash: guess.hash)) } ?? false
            }.map(\.cause)
            if causes.isEmpty {
                causes = ["the attestation answers another challenge, or its authenticator data were changed"]
            }
            return .init(expected: shortened(nonce), received: shortened(certified), causes: causes)
        }

        private static func keyIDFinding(_ keyID: ArraySlice<UInt8>, leaf: Certificate) -> VerificationReport.Finding {
            guard case .p256(let key) = leaf.publicKey else { return .init(causes: ["the leaf's key is not of P-256"]) }
            let genuine = HashGuesses.digest(key.x963Representation)
            var causes: [String] = []
            if Base64.encode(genuine).elementsEqual(keyID) || Base64.encode(genuine, as: .urlSafe).elementsEqual(keyID)
                || Base64.encode(genuine, as: .urlSafeUnpadded).elementsEqual(keyID)
            {
                causes.append("the key identifier was passed as base64 text: decode it first")
            } else if Hex.encode(genuine).elementsEqual(keyID) {
                causes.append("the key identifier was passed as hexadecimal text: decode it first")
            } else if HashGuesses.digest(leaf.subjectPublicKeyInfo).elementsEqual(keyID) {
                causes.append("the key identifier is the hash of the SubjectPublicKeyInfo, not of the 65-byte point")
            } else if HashGuesses.digest(key.rawRepresentation).elementsEqual(keyID) {
                causes.append("the key identifier is the hash of x and y without the 04 in front")
            } else {
                causes.append("the client named another key than it attested")
            }
            return .init(expected: shortened(genuine), received: shortened(keyID), causes: causes)
        }

        func appFinding(_ data: AuthenticatorData, leaf: Certificate?) -> VerificationReport.Finding {
            var finding = VerificationReport.Finding(
                expected: apps.isEmpty
                    ? "no app is accepted" : apps.map { printable($0.bytes) }.joined(separator: " or "),
                received: "hash \(shortened(data.rpIDHash))")
            // The leaf names the app in clear; the hash says whether it names the same one.
            guard let named = leaf.flatMap(LeafExtensions.appID), SHA256.hash(data: named).elementsEqual(data.rpIDHash)
            else {
                finding.causes = ["the object was made for another App ID"]
                return finding
            }
            finding.received = printable(named)
            let dot = UInt8(ascii: ".")
            for app in apps {
                let (prefix, bundle) = (app.bytes.prefix { $0 != dot }, app.bytes.drop { $0 != dot })
                let (namedPrefix, namedBundle) = (named.prefix { $0 != dot }, named.drop { $0 != dot })
                if bundle == namedBundle {
                    finding.causes.append("the App ID prefix differs from the one given: it is not always the team ID")
                } else if named[...] == bundle.dropFirst() {
                    finding.causes.append("the App ID has no prefix")
                } else if prefix == namedPrefix {
                    finding.causes.append(
                        namedBundle.starts(with: bundle)
                            ? "the object was made by an extension or App Clip of the app, which has its own bundle ID"
                            : "the object was made by another app of the same team")
                }
            }
            if finding.causes.isEmpty { finding.causes = ["the object was made by an app of another team"] }
            return finding
        }

        static func platformFinding(_ platform: SystemPlatform?) -> VerificationReport.Finding {
            .init(
                expected: "a key of " + (platform?.appPlatform == .macOS ? "a device" : "a Mac"),
                received: platform.map { printable($0.ascii) },
                causes: [
                    platform?.appPlatform == .macOS
                        ? "a Mac's key, and the app is declared for devices alone: declare it for macOS too"
                        : "a device's key, and the app is declared for macOS alone: declare it for devices too"
                ])
        }

        private func environmentFinding(_ error: PureAttestError) -> VerificationReport.Finding {
            guard case .environmentMismatch(let found) = error else {
                return .init(expected: "\(environment)", received: "neither of Apple's two")
            }
            let cause =
                switch found {
                case .development: "a development build: signed with a development profile and run from Xcode"
                case .production: "a build for distribution, or one that asks for the production environment"
                }
            return .init(expected: "\(environment)", received: "\(found)", causes: [cause])
        }
    }
#endif
