#if canImport(DeviceCheck)
    import DeviceCheck
    import Foundation

    /// DCAppAttestService.
    public struct AppleKeyService: AttestKeyService {
        /// Creates the service.
        public init() {}

        /// Whether DCAppAttestService is supported.
        public var isSupported: Bool { DCAppAttestService.shared.isSupported }

        /// Calls DCAppAttestService.
        public func generateKey() async throws -> String {
            do { return try await DCAppAttestService.shared.generateKey() } catch { throw KeyServiceError(error) }
        }

        /// Calls DCAppAttestService.
        public func attestKey(_ keyID: String, clientDataHash: Data) async throws -> Data {
            do { return try await DCAppAttestService.shared.attestKey(keyID, clientDataHash: clientDataHash) } catch {
                throw KeyServiceError(error)
            }
        }

        /// Calls DCAppAttestService.
        public func generateAssertion(_ keyID: String, clientDataHash: Data) async throws -> Data {
            do {
                return try await DCAppAttestService.shared.generateAssertion(keyID, clientDataHash: clientDataHash)
            } catch { throw KeyServiceError(error) }
        }
    }

    extension KeyServiceError {
        init(_ error: any Error) {
            switch (error as? DCError)?.code {
            case .featureUnsupported: self = .featureUnsupported
            case .invalidInput: self = .invalidInput
            case .invalidKey: self = .invalidKey
            case .serverUnavailable: self = .serverUnavailable
            default: self = .unknownSystemFailure
            }
        }
    }
#endif
