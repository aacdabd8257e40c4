#if !hasFeature(Embedded)
    extension ByteReaderError: CustomStringConvertible {
        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .unexpectedEnd: "the input ends inside a value"
            }
        }
    }

    extension HexError: CustomStringConvertible {
        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .oddLength: "the number of hexadecimal digits is odd"
            case .invalidCharacter(let offset): "invalid hexadecimal digit at byte \(offset)"
            }
        }
    }

    extension Base64Error: CustomStringConvertible {
        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .invalidLength: "invalid Base64 length"
            case .invalidCharacter(let offset): "invalid Base64 at byte \(offset)"
            case .nonZeroPaddingBits: "the last Base64 character has non-zero padding bits"
            }
        }
    }

    extension PEMError: CustomStringConvertible {
        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .noBlock: "the text has no PEM block"
            case .severalBlocks: "the text has several PEM blocks; expected one"
            case .unexpectedLabel: "a PEM block has an unexpected label"
            case .invalidBoundary(let line): "line \(line) is an invalid BEGIN or END line of PEM"
            case .labelMismatch(let line): "the END label at line \(line) differs from its BEGIN label"
            case .invalidLine(let line):
                "line \(line) is not Base64 of 64 characters (1 to 64 on a block's last line)"
            case .missingEnd(let line): "the PEM block that begins at line \(line) has no END line"
            }
        }
    }
#endif
