#if !hasFeature(Embedded)
    extension RSAError: CustomStringConvertible {
        /// Describes the error in one sentence.
        public var description: String {
            switch self {
            case .invalidSignatureLength: "the signature does not have 256 to 512 octets"
            case .unsupportedModulusSize: "the modulus does not have 2048 to 4096 bits"
            case .evenModulus: "the modulus is even"
            case .unsupportedExponent: "the exponent is not an odd number from 3 to below 2³³"
            case .unsupportedKeyAlgorithm: "the key's algorithm is not rsaEncryption"
            case .parametersNotNull: "the parameters of rsaEncryption are not NULL"
            case .malformedDER(let error): "\(error)"
            case .malformedPEM(let error): "\(error)"
            }
        }
    }
#endif
