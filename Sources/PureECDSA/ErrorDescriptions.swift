// One line for people: what is wrong with the key or the signature.

#if !hasFeature(Embedded)
    extension ECDSAError: CustomStringConvertible {
        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .invalidLength: "it has another length than the curve asks for"
            case .invalidPointFormat: "the first octet of the point is none of an accepted form"
            case .coordinateOutOfRange: "a coordinate is not less than the field's prime"
            case .pointNotOnCurve: "the point is not on the curve"
            case .scalarOutOfRange: "r or s is not between 1 and the order of the curve"
            case .unsupportedKeyAlgorithm: "the key is not of an elliptic curve"
            case .unsupportedCurve: "the key does not name this curve"
            case .malformedDER(let error): "\(error)"
            case .malformedPEM(let error): "\(error)"
            }
        }
    }
#endif
