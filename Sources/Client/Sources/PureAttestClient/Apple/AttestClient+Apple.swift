#if canImport(DeviceCheck) && canImport(Security) && canImport(CryptoKit)
    import CryptoKit
    import Foundation

    extension AttestClient {
        /// A client with the system's App Attest, Keychain, hash function and clock.
        ///
        /// - Parameters:
        ///   - origin: the server: scheme and host ("https://example.com").
        ///   - configuration: routes and patience.
        public init(origin: String, configuration: AttestConfiguration = AttestConfiguration()) {
            self.init(
                keyService: AppleKeyService(), storage: KeychainStorage(service: "PureAttestClient \(origin)"),
                transport: URLSessionTransport(origin: origin), sha256: { Data(SHA256.hash(data: $0)) },
                configuration: configuration)
        }
    }
#endif
