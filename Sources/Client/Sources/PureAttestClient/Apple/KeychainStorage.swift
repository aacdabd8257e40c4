#if canImport(Security)
    import Foundation
    import Security

    /// One item of the Keychain. It outlives the app's removal, unlike the key: the device then says `invalidKey`, and the key is replaced.
    public struct KeychainStorage: AttestStorage {
        private let service: String

        /// - Parameter service: the item's name; another one for each server.
        public init(service: String = "PureAttestClient") { self.service = service }

        /// A failed call of the Keychain.
        public struct Failure: Error {
            /// What it returned.
            public let status: OSStatus
        }

        /// The item's value; `nil` if there is none.
        public func load() throws -> Data? {
            var query = item
            query[kSecReturnData as String] = true
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess else { throw Failure(status: status) }
            return result as? Data
        }

        /// Replaces the item's value, or makes the item.
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
                // Nothing of it goes to another device, where there is no such key.
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecUseDataProtectionKeychain as String: true,
            ]
        }
    }
#endif
