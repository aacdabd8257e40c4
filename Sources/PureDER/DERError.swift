/// The rule that an encoding breaks. Rules are those of X.690 (02/2021) unless a case names another source.
///
/// Indirect: what every throwing call hands up, and copies where it fails, stays small; a payload is made when it is thrown.
@nonexhaustive
public indirect enum DERError: Error, Hashable, Sendable {
    /// The input ends before the element does.
    case unexpectedEnd
    /// Bytes follow the last element of a structure.
    case trailingBytes
    /// Another element stands where `expected` must. An absent one is ``unexpectedEnd``.
    case unexpectedTag(expected: DERTag, found: DERTag)
    /// A tag number is not in its shortest form (§8.1.2.4.2 c, §8.1.2.2).
    case nonMinimalTag
    /// A tag number exceeds ``DERTag/maximumNumber``.
    case tagTooLarge
    /// Universal tag 0 is reserved for BER's end-of-contents octets (§8.1.2, table 1 of X.680).
    case reservedTag
    /// A length of the indefinite form, which only BER has (§10.1).
    case indefiniteLength
    /// A length is not in its shortest form (§10.1).
    case nonMinimalLength
    /// A length exceeds ``DERHeader/maximumLength``.
    case lengthTooLarge
    /// Structures are nested more than ``DERReader/maximumDepth`` deep.
    case tooDeep
    /// A BOOLEAN is not one octet 00 or FF (§8.2, §11.1).
    case invalidBoolean
    /// An INTEGER has no contents (§8.3.1).
    case emptyInteger
    /// An INTEGER starts with a redundant octet (§8.3.2).
    case nonMinimalInteger
    /// An INTEGER is negative where the structure allows none.
    case negativeInteger
    /// An INTEGER does not fit the type that it is read as.
    case integerOutOfRange
    /// A NULL has contents (§8.8.2).
    case invalidNull
    /// A BIT STRING has no octet that counts its unused bits (§8.6.2.1).
    case emptyBitString
    /// A BIT STRING declares more than 7 unused bits, or any without contents (§8.6.2.2, §8.6.2.3).
    case invalidUnusedBitCount
    /// An unused bit of a BIT STRING is 1 (§11.2.1).
    case nonZeroUnusedBits
    /// An OBJECT IDENTIFIER has no contents (§8.19.2: one subidentifier or more).
    case emptyObjectIdentifier
    /// A subidentifier of an OBJECT IDENTIFIER starts with 0x80 (§8.19.2).
    case nonMinimalObjectIdentifier
    /// The last subidentifier of an OBJECT IDENTIFIER does not end (§8.19.2).
    case truncatedObjectIdentifier
    /// A string is constructed, of parts (§10.2). ``BERNormalizer`` joins the parts of an OCTET STRING and reads no other
    /// string in parts, which BER allows.
    case constructedString
    /// A time is not written as `YYMMDDHHMMSSZ` or `YYYYMMDDHHMMSSZ` (RFC 5280 §4.1.2.5.1, §4.1.2.5.2).
    case invalidTimeForm
    /// A time names a month, day, hour, minute or second that does not exist.
    case impossibleTime

    // MARK: BER

    /// The input of ``BERNormalizer`` is longer than ``BERNormalizer/maximumInputSize``.
    case inputTooLarge
    /// A part of a constructed OCTET STRING is not an OCTET STRING (§8.7.3.2).
    case invalidStringPart
}
