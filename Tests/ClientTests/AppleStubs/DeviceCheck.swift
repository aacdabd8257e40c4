// Declares the parts of DeviceCheck that the adapter uses. The first byte of `clientDataHash` selects the error.
import Foundation

/// The stub of `DC_EXTERN NSErrorDomain const DCErrorDomain` and `DCError.Code`.
public struct DCError: Error {
    /// The codes.
    public enum Code: Int, Sendable {
        case unknownSystemFailure, featureUnsupported, invalidInput, invalidKey, serverUnavailable
    }
    /// Its code.
    public let code: Code
    /// An error.
    public init(_ code: Code) { self.code = code }
}

open class DCAppAttestService: NSObject {
    open class var shared: DCAppAttestService { DCAppAttestService() }
    open var isSupported: Bool { true }
    open func generateKey() async throws -> String { "key" }
    open func attestKey(_ keyId: String, clientDataHash: Data) async throws -> Data { try fail(clientDataHash) }
    open func generateAssertion(_ keyId: String, clientDataHash: Data) async throws -> Data { try fail(clientDataHash) }

    private func fail(_ hash: Data) throws -> Data {
        guard let byte = hash.first else { return hash }
        guard let code = DCError.Code(rawValue: Int(byte)) else { throw CocoaError(.featureUnsupported) }
        throw DCError(code)
    }
}
