#if canImport(DeviceCheck) && canImport(Security) && canImport(CryptoKit)
    import CryptoKit
    import Foundation

    extension AttestClient {
        /// Creates a client with the system's App Attest, Keychain, hash function and clock.
        ///
        /// - Parameters:
        ///   - origin: the server's scheme and host ("https://example.com").
        ///   - configuration: the server's routes, and the client's waits and pauses.
        public init(origin: String, configuration: AttestConfiguration = AttestConfiguration()) {
            self.init(
                keyService: AppleKeyService(), storage: KeychainStorage(service: "PureAttestClient \(origin)"),
                transport: URLSessionTransport(origin: origin), sha256: { Data(SHA256.hash(data: $0)) },
                configuration: configuration)
        }
    }

    /// Creates signed objects on this device and writes them to a new file in `folder`, for tests that replay the
    /// objects. The overload of `captureObjectFile` with the parameter `keyService` explains the file.
    ///
    /// `environment` is "development", or "production" for a build from TestFlight or the App Store.
    public func captureObjectFile(
        in folder: URL, appID: String, environment: String, name: String = "captured", assertions: Int = 2
    ) async throws -> URL {
        let file = try await captureObjectFile(
            appID: appID, environment: environment, name: name, assertions: assertions, keyService: AppleKeyService(),
            sha256: { Data(SHA256.hash(data: $0)) })
        let url = folder.appendingPathComponent("\(name).json")
        try file.write(to: url, options: .atomic)
        return url
    }
#endif
