#if !hasFeature(Embedded)
    extension CBORError: CustomStringConvertible {
        /// Describes the violated rule in one sentence.
        public var description: String {
            switch self {
            case .unexpectedEnd: "the CBOR ends inside a data item"
            case .trailingBytes: "bytes follow the CBOR data item"
            case .reservedAdditionalInformation(let value):
                "a CBOR head has the invalid additional information \(value)"
            case .nonMinimalHead: "a CBOR head is not in its shortest form"
            case .indefiniteLength: "a CBOR item has an indefinite length"
            case .unexpectedBreak: "unexpected CBOR break"
            case .invalidChunk: "a chunk of a CBOR string has a different type"
            case .invalidSimpleValue(let value): "CBOR simple value \(value) is not in its only valid form"
            case .invalidUTF8: "a CBOR text string is not UTF-8"
            case .duplicateMapKey: "a CBOR map has a duplicate key"
            case .depthLimitExceeded: "CBOR items are nested too deep"
            case .itemLimitExceeded: "there are too many CBOR items"
            case .sizeLimitExceeded: "the CBOR is too large"
            }
        }
    }
#endif
