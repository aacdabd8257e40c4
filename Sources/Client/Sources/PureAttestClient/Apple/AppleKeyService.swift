#if canImport(DeviceCheck)
    import DeviceCheck
    import Foundation

    /// DCAppAttestService.
    public struct AppleKeyService: AttestKeyService {
        /// The system's service.
        public init() {}

        /// As DCAppAttestService has it.
        public var isSupported: Bool { DCAppAttestService.shared.isSupported }

        /// As DCAppAttestService does it.
        public func generateKey() async throws -> String {
            do { return try await DCAppAttestService.shared.generateKey() } catch { throw KeyServiceError(error) }
        }

        /// As DCAppAttestService does it.
        public func attestKey(_ keyID: String, clientDataHash: Data) async throws -> Data {
            do { return try await DCAppAttestService.shared.attestKey(keyID, clientDataHash: clientDataHash) } catch {
                throw KeyServiceError(error)
            }
        }

        /// As DCAppAttestService does it.
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
