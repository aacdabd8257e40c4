#if !hasFeature(Embedded)
    extension ECDSAError: CustomStringConvertible {
        /// Describes the error in one sentence.
        public var description: String {
            switch self {
            case .invalidLength: "its length does not match the curve"
            case .invalidPointFormat: "the point's first octet does not name an accepted form"
            case .coordinateOutOfRange: "a coordinate is not less than the field's prime"
            case .pointNotOnCurve: "the point is not on the curve"
            case .scalarOutOfRange: "r or s is not between 1 and the order of the curve"
            case .unsupportedKeyAlgorithm: "the key is not an elliptic curve key"
            case .unsupportedCurve: "the key does not name this curve"
            case .malformedDER(let error): "\(error)"
            case .malformedPEM(let error): "\(error)"
            }
        }
    }
#endif
