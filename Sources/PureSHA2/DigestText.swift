import PureBytes

// These properties produce text for people and files. No verification uses the text.

#if !hasFeature(Embedded)
    extension Digest {
        /// The bytes in hexadecimal, lower case.
        public var hexString: String { hexEncodedString(self) }

        /// The function's name and the bytes: "SHA256 digest: ba7816bf…".
        public var description: String { "\(functionName) digest: \(hexString)" }

        fileprivate var functionName: String {
            switch sha2 {
            case .sha256: "SHA256"
            case .sha384: "SHA384"
            case .sha512: "SHA512"
            }
        }
    }

    extension SHA256Digest: CustomStringConvertible {}
    extension SHA384Digest: CustomStringConvertible {}
    extension SHA512Digest: CustomStringConvertible {}

    extension HashedAuthenticationCode: CustomStringConvertible {
        /// The bytes in hexadecimal, lower case.
        public var hexString: String { hexEncodedString(self) }

        /// The function's name and the bytes: "HMAC with SHA256: f7bc83f4…".
        public var description: String { "HMAC with \(digest.functionName): \(hexString)" }
    }
#endif
