#if !hasFeature(Embedded)
    extension DERError: CustomStringConvertible {
        /// Describes the violated rule in one sentence, whose length does not depend on the input.
        public var description: String {
            switch self {
            case .unexpectedEnd: "the DER ends inside an element"
            case .trailingBytes: "bytes follow the last element of the DER"
            case .unexpectedTag(let expected, let found) where found.notation == expected.notation:
                "DER tag \(found.notation) is \(found.isConstructed ? "constructed" : "primitive"), which its type does not allow"
            case .unexpectedTag(let expected, let found):
                "expected DER tag \(expected.notation), found \(found.notation)"
            case .nonMinimalTag: "a DER tag is not in its shortest form"
            case .tagTooLarge: "a DER tag number is too large"
            case .reservedTag: "DER tag 0 is reserved"
            case .indefiniteLength: "a length is indefinite, which DER forbids"
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
            case .invalidUnusedBitCount: "a BIT STRING has an invalid number of unused bits"
            case .nonZeroUnusedBits: "an unused bit of a BIT STRING is set"
            case .emptyObjectIdentifier: "an OBJECT IDENTIFIER is empty"
            case .nonMinimalObjectIdentifier: "an arc of an OBJECT IDENTIFIER is not in its shortest form"
            case .truncatedObjectIdentifier: "the last arc of an OBJECT IDENTIFIER is truncated"
            case .constructedString: "a string is constructed, which DER forbids"
            case .invalidTimeForm: "a time is not in the form of RFC 5280"
            case .impossibleTime: "a time does not exist"
            case .inputTooLarge: "the BER is too large"
            case .invalidStringPart: "a part of an OCTET STRING is not an OCTET STRING"
            }
        }
    }

    extension DERTag {
        /// The tag in ASN.1 notation (X.680 §31.2). Brackets enclose class and number, except for universal tags.
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
