// One line for people: which rule of RFC 8949, or which limit, is broken.

#if !hasFeature(Embedded)
    extension CBORError: CustomStringConvertible {
        /// The rule in a sentence.
        public var description: String {
            switch self {
            case .unexpectedEnd: "the CBOR ends inside a data item"
            case .trailingBytes: "bytes follow the CBOR data item"
            case .reservedAdditionalInformation(let value):
                "a CBOR head has additional information \(value), which means nothing there"
            case .nonMinimalHead: "a CBOR head is not in its shortest form"
            case .indefiniteLength: "a CBOR item has no definite length"
            case .unexpectedBreak: "a CBOR break is where none belongs"
            case .invalidChunk: "a chunk of a CBOR string is of another kind"
            case .invalidSimpleValue(let value): "CBOR simple value \(value) is not in its only form"
            case .invalidUTF8: "a CBOR text string is not UTF-8"
            case .duplicateMapKey: "a key is in a CBOR map twice"
            case .depthLimitExceeded: "CBOR items are nested too deep"
            case .itemLimitExceeded: "there are too many CBOR items"
            case .sizeLimitExceeded: "the CBOR is too large"
            }
        }
    }
#endif
