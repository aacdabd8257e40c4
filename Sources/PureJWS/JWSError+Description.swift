#if !hasFeature(Embedded)
    extension JWSError: CustomStringConvertible {
        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .tooLarge: "the JWS is longer than \(JSONWebSignature.maximumSize) bytes"
            case .notCompactSerialization: "the text is not three parts between two periods"
            case .malformedBase64(let field, let error): "\(field): \(error)"
            case .malformedHeader(let error): "the JWS header is malformed: \(error)"
            case .headerNotObject: "the JWS header is not a JSON object"
            case .invalidParameter(let parameter): "\(parameter) in the JWS header has the wrong type"
            case .unsupportedParameter(let parameter): "\(parameter) in the JWS header is not accepted"
            case .algorithmMismatch(let expected): "the JWS header does not name the algorithm \(expected)"
            case .malformedSignature(let error): "the signature is malformed: \(error)"
            case .invalidSignature: "the key did not sign this header and payload"
            case .certificatesMissing: "the JWS header has no certificates (x5c)"
            case .certificateCount(let count): "the JWS header has \(count) certificates; two or three are accepted"
            case .malformedCertificate(let index, let error): "certificate \(index) of x5c is malformed: \(error)"
            case .certificateChain(let error): "the certificate chain is rejected: \(error)"
            case .untrustedRoot: "the third certificate of x5c is not a trusted root"
            case .keyOfOtherAlgorithm(let expected): "the leaf certificate's key is not for \(expected)"
            case .malformedKeyJSON(let error): "the JWK is malformed: \(error)"
            case .malformedKey: "a member of the JWK is missing or has the wrong type"
            case .unsupportedKey: "the JWK is not an elliptic-curve key on P-256 or P-384"
            case .privateKey: "the JWK contains a private key; publish only the public key"
            case .keyNotForVerification: "the JWK's use, key_ops or alg does not allow verification"
            case .invalidPublicKey(let error): "the JWK's public key is invalid: \(error)"
            case .malformedKeySet: "the JWK Set is not an object with an array of keys"
            case .keyNotFound: "the JWK Set does not have exactly one usable key with the header's kid"
            }
        }
    }

    extension JWSField: CustomStringConvertible {
        /// The field in words.
        public var description: String {
            switch self {
            case .header: "the JWS header"
            case .payload: "the JWS payload"
            case .signature: "the JWS signature"
            case .certificate(let index): "certificate \(index) of x5c"
            case .coordinate: "a coordinate of the JWK"
            }
        }
    }

    extension JWSParameter: CustomStringConvertible {
        /// The member's name.
        public var description: String { "\(name)" }
    }

    extension JWSAlgorithm: CustomStringConvertible {
        /// The value of `alg`.
        public var description: String { "\(name)" }
    }
#endif
