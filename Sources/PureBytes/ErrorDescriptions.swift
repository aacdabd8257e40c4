// One line for people: what is wrong, and where.

#if !hasFeature(Embedded)
    extension ByteReaderError: CustomStringConvertible {
        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .unexpectedEnd: "the bytes end before the value does"
            }
        }
    }

    extension HexError: CustomStringConvertible {
        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .oddLength: "the number of hexadecimal digits is odd"
            case .invalidCharacter(let offset): "byte \(offset) of the text is no hexadecimal digit"
            }
        }
    }

    extension Base64Error: CustomStringConvertible {
        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .invalidLength: "no bytes have Base64 of this length"
            case .invalidCharacter(let offset): "byte \(offset) is no character of this variant of Base64"
            case .nonZeroPaddingBits: "the last character of the Base64 has bits that belong to no byte"
            }
        }
    }

    extension PEMError: CustomStringConvertible {
        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .noBlock: "the text has no block of PEM"
            case .severalBlocks: "the text has several blocks of PEM where one is wanted"
            case .unexpectedLabel: "a block of PEM has another label than is wanted"
            case .invalidBoundary(let line): "line \(line) is not a BEGIN or END line of PEM, though it looks like one"
            case .labelMismatch(let line): "the label of the END line \(line) is not that of its BEGIN line"
            case .invalidLine(let line):
                "line \(line) is not 64 characters of Base64, or up to 64 at the end of a block"
            case .missingEnd(let line): "the block of PEM that begins at line \(line) does not end"
            }
        }
    }
#endif
