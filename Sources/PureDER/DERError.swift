/// The rule that an encoding violates. Sections refer to X.690 (02/2021) unless a case cites a different source.
///
/// The enum is indirect, so throwing functions return only a pointer-sized error. Only throwing allocates memory.
@nonexhaustive
public indirect enum DERError: Error, Hashable, Sendable {
    /// The input ends inside an element.
    case unexpectedEnd
    /// Bytes follow the last expected element of a structure.
    case trailingBytes
    /// The next element does not have the tag `expected`. If there is no next element, the error is ``unexpectedEnd``.
    case unexpectedTag(expected: DERTag, found: DERTag)
    /// A tag number is not in its shortest form (§8.1.2.4.2 c, §8.1.2.2).
    case nonMinimalTag
    /// A tag number exceeds ``DERTag/maximumNumber``.
    case tagTooLarge
    /// The tag is universal 0, which is reserved for BER's end-of-contents octets (§8.1.2, table 1 of X.680).
    case reservedTag
    /// A length is indefinite, which only BER allows (§10.1).
    case indefiniteLength
    /// A length is not in its shortest form (§10.1).
    case nonMinimalLength
    /// A length exceeds ``DERHeader/maximumLength``.
    case lengthTooLarge
    /// Structures are nested more than ``DERReader/maximumDepth`` deep.
    case tooDeep
    /// The contents of a BOOLEAN are not one octet with the value 00 or FF (§8.2, §11.1).
    case invalidBoolean
    /// An INTEGER has no contents (§8.3.1).
    case emptyInteger
    /// An INTEGER starts with a redundant octet (§8.3.2).
    case nonMinimalInteger
    /// An INTEGER is negative, but the structure allows only non-negative numbers.
    case negativeInteger
    /// An INTEGER does not fit into the requested type.
    case integerOutOfRange
    /// A NULL has contents (§8.8.2).
    case invalidNull
    /// A BIT STRING lacks the octet that counts its unused bits (§8.6.2.1).
    case emptyBitString
    /// A BIT STRING declares more than 7 unused bits, or declares unused bits but is empty (§8.6.2.2, §8.6.2.3).
    case invalidUnusedBitCount
    /// An unused bit of a BIT STRING is 1 (§11.2.1).
    case nonZeroUnusedBits
    /// An OBJECT IDENTIFIER has no contents (§8.19.2: at least one subidentifier).
    case emptyObjectIdentifier
    /// A subidentifier of an OBJECT IDENTIFIER starts with 0x80 (§8.19.2).
    case nonMinimalObjectIdentifier
    /// The last subidentifier of an OBJECT IDENTIFIER is truncated (§8.19.2).
    case truncatedObjectIdentifier
    /// A string has the constructed form (§10.2), which BER allows and DER forbids. ``BERNormalizer`` joins the parts
    /// of OCTET STRINGs, and throws this error for all other constructed strings.
    case constructedString
    /// A time is not of the form `YYMMDDHHMMSSZ` or `YYYYMMDDHHMMSSZ` (RFC 5280 §4.1.2.5.1, §4.1.2.5.2).
    case invalidTimeForm
    /// The month, day, hour, minute or second of a time is out of range.
    case impossibleTime

    // MARK: BER

    /// The input of ``BERNormalizer`` is longer than ``BERNormalizer/maximumInputSize``.
    case inputTooLarge
    /// A part of a constructed OCTET STRING is not an OCTET STRING (§8.7.3.2).
    case invalidStringPart
}
