import Foundation
import PureAttestClient
import Security
@main struct Check {
    static func main() async throws {
        let (storage, other) = (KeychainStorage(service: "a"), KeychainStorage(service: "b"))
        try check(storage.load() == nil)
        for text in ["first", "second"] {
            try storage.save(Data(text.utf8))
            try check(storage.load() == Data(text.utf8) && other.load() == nil)
        }
        let kept = keychain
        keychain = nil
        // A locked Keychain must not look like an empty Keychain.
        try check(failure { try storage.load() } is KeychainStorage.Failure)
        try check(failure { try storage.save(Data()) } is KeychainStorage.Failure)
        keychain = kept

        let service = AppleKeyService()
        try check(service.isSupported)
        let key = try await service.generateKey()
        try check(key == "key")
        let expected: [KeyServiceError] = [
            .unknownSystemFailure, .featureUnsupported, .invalidInput, .invalidKey, .serverUnavailable,
            .unknownSystemFailure,
        ]
        for (code, error) in expected.enumerated() {
            for call in [service.attestKey, service.generateAssertion] {
                do {
                    _ = try await call("key", Data([UInt8(code)]))
                    try check(false)
                } catch let thrown as KeyServiceError { try check(thrown == error) }
            }
        }
        let object = try await service.attestKey("key", clientDataHash: Data())
        try check(object == Data())
        // The CryptoKit stub returns a hash of zeros, which makes the DeviceCheck stub throw error code 0.
        do {
            _ = try await captureObjectFile(in: URL(fileURLWithPath: "/"), appID: "A.b", environment: "development")
            try check(false)
        } catch let thrown as KeyServiceError { try check(thrown == .unknownSystemFailure) }
        let client = AttestClient(origin: "http://127.0.0.1:1")
        try check(client.isSupported)
        print("Apple's adapters: type-checked and run over stubs")
    }

    static func failure<T>(_ body: () throws -> T) -> (any Error)? {
        do { _ = try body() } catch { return error }
        return nil
    }

    struct Failed: Error { let line: Int }
    static func check(_ holds: Bool, line: Int = #line) throws {
        guard holds else { throw Failed(line: line) }
    }
}
