// One line for people: which rule of the encoding is broken.

#if !hasFeature(Embedded)
    extension DERError: CustomStringConvertible {
        /// The rule in a sentence, the same length whatever was read.
        public var description: String {
            switch self {
            case .unexpectedEnd: "the DER ends before the element does"
            case .trailingBytes: "bytes follow the last element of the DER"
            case .unexpectedTag(let expected, let found) where found.notation == expected.notation:
                "DER tag \(found.notation) is \(found.isConstructed ? "constructed" : "primitive"), which its type is not"
            case .unexpectedTag(let expected, let found):
                "DER tag \(found.notation) where tag \(expected.notation) belongs"
            case .nonMinimalTag: "a DER tag is not in its shortest form"
            case .tagTooLarge: "the number of a DER tag is too large"
            case .reservedTag: "DER tag 0 is reserved"
            case .indefiniteLength: "a length of the indefinite form, which DER does not have"
            case .nonMinimalLength: "a DER length is not in its shortest form"
            case .lengthTooLarge: "a DER length is too large"
            case .tooDeep: "DER structures are nested too deep"
            case .invalidBoolean: "a BOOLEAN is not one octet, 00 or FF"
            case .emptyInteger: "an INTEGER is empty"
            case .nonMinimalInteger: "an INTEGER is not in its shortest form"
            case .negativeInteger: "an INTEGER is negative"
            case .integerOutOfRange: "an INTEGER is too large"
            case .invalidNull: "a NULL has contents"
            case .emptyBitString: "a BIT STRING is empty"
            case .invalidUnusedBitCount: "a BIT STRING has more unused bits than it can have"
            case .nonZeroUnusedBits: "an unused bit of a BIT STRING is set"
            case .emptyObjectIdentifier: "an OBJECT IDENTIFIER is empty"
            case .nonMinimalObjectIdentifier: "an arc of an OBJECT IDENTIFIER is not in its shortest form"
            case .truncatedObjectIdentifier: "the last arc of an OBJECT IDENTIFIER does not end"
            case .constructedString: "a string is in parts, which DER does not allow"
            case .invalidTimeForm: "a time is not in the form of RFC 5280"
            case .impossibleTime: "a time does not exist"
            case .inputTooLarge: "the BER is too large"
            case .invalidStringPart: "a part of an OCTET STRING is none"
            }
        }
    }

    extension DERTag {
        /// As ASN.1 writes tags, X.680 §31.2: the number, in brackets with its class unless that is universal.
        fileprivate var notation: String {
            switch tagClass {
            case .universal: "\(number)"
            case .application: "[APPLICATION \(number)]"
            case .contextSpecific: "[\(number)]"
            case .private: "[PRIVATE \(number)]"
            }
        }
    }
#endif
