#if canImport(Security)
    import Foundation
    import Security

    /// Saves the client's state in one Keychain item. When the app is removed, the item remains, but the App Attest key
    /// is deleted. After a reinstallation the device therefore reports `invalidKey`, and the client replaces the key.
    public struct KeychainStorage: AttestStorage {
        private let service: String

        /// - Parameter service: the name of the Keychain item. Use a different name for each server.
        public init(service: String = "PureAttestClient") { self.service = service }

        /// The error of a failed Keychain call.
        public struct Failure: Error {
            /// The Keychain's status.
            public let status: OSStatus
        }

        /// Returns the item's value, or `nil` if the item does not exist.
        public func load() throws -> Data? {
            var query = item
            query[kSecReturnData as String] = true
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess else { throw Failure(status: status) }
            return result as? Data
        }

        /// Replaces the item's value, or creates the item.
        public func save(_ data: Data) throws {
            let change: [String: Any] = [kSecValueData as String: data]
            var status = SecItemUpdate(item as CFDictionary, change as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(item.merging(change) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw Failure(status: status) }
        }

        private var item: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                // `ThisDeviceOnly`, because no other device has the App Attest key.
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecUseDataProtectionKeychain as String: true,
            ]
        }
    }
#endif
