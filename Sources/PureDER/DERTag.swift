/// A tag (X.690 §8.1.2): class, form (primitive or constructed), and number.
///
/// Equality includes the form: the tag of a constructed OCTET STRING in BER does not equal ``octetString``.
@frozen
public struct DERTag: Hashable, Sendable {
    /// The maximum tag number that the reader accepts: 2³¹ − 1, which fits into `Int` on every platform. X.690 sets no
    /// limit. Apple uses tag numbers up to 1420.
    public static var maximumNumber: UInt32 { 0x7FFF_FFFF }

    /// A tag class (X.690 §8.1.2.2, table 1). Raw values are the top two bits of the identifier octet.
    @frozen
    public enum Class: UInt8, Hashable, Sendable {
        /// A type that X.680 defines.
        case universal = 0x00
        /// The tag's meaning depends on the application.
        case application = 0x40
        /// The tag's meaning depends on the enclosing structure.
        case contextSpecific = 0x80
        /// The tag's meaning depends on the enterprise.
        case `private` = 0xC0
    }

    /// The bit of the identifier octet that marks constructed contents.
    @usableFromInline
    static var constructedBit: UInt8 { 0x20 }

    /// Bits 8 to 6 of the identifier octet: class and constructed bit.
    @usableFromInline
    let leadingBits: UInt8

    /// The tag number within the class. Decoded tags have numbers up to ``maximumNumber``.
    public let number: UInt32

    /// Creates a tag of any class.
    @inlinable
    public init(_ tagClass: Class, _ number: UInt32, constructed: Bool) {
        leadingBits = tagClass.rawValue | (constructed ? Self.constructedBit : 0)
        self.number = number
    }

    @inlinable
    init(leadingBits: UInt8, number: UInt32) {
        self.leadingBits = leadingBits
        self.number = number
    }

    /// Whether the form is constructed, so that the contents are elements.
    @inlinable
    public var isConstructed: Bool { leadingBits & Self.constructedBit != 0 }

    /// The class.
    public var tagClass: Class {
        switch leadingBits & 0xC0 {
        case 0x00: .universal
        case 0x40: .application
        case 0x80: .contextSpecific
        default: .private
        }
    }

    /// Whether this is a constructed string, which BER allows and DER forbids (X.690 §10.2).
    ///
    /// String types are BIT STRING (§8.6.4), OCTET STRING (§8.7.3), character strings (§8.23.6), the two time types and
    /// ObjectDescriptor (§8.25). CHARACTER STRING, 29, is a SEQUENCE (§8.24).
    var isStringInParts: Bool {
        guard leadingBits == Self.constructedBit else { return false }
        switch number {
        case 3, 4, 7, 12, 18...28, 30: return true
        default: return false
        }
    }

    /// Returns the tag of `[number] EXPLICIT`, or of `[number] IMPLICIT` with a constructed type.
    @inlinable
    public static func context(_ number: UInt32) -> DERTag { DERTag(.contextSpecific, number, constructed: true) }

    /// Returns the tag of `[number] IMPLICIT` with a primitive type.
    @inlinable
    public static func contextPrimitive(_ number: UInt32) -> DERTag {
        DERTag(.contextSpecific, number, constructed: false)
    }

    /// BOOLEAN, universal 1.
    @inlinable
    public static var boolean: DERTag { DERTag(leadingBits: 0, number: 1) }
    /// INTEGER, universal 2.
    @inlinable
    public static var integer: DERTag { DERTag(leadingBits: 0, number: 2) }
    /// BIT STRING, universal 3. DER requires the primitive form (X.690 §10.2).
    @inlinable
    public static var bitString: DERTag { DERTag(leadingBits: 0, number: 3) }
    /// OCTET STRING, universal 4. DER requires the primitive form (X.690 §10.2).
    @inlinable
    public static var octetString: DERTag { DERTag(leadingBits: 0, number: 4) }
    /// NULL, universal 5.
    @inlinable
    public static var null: DERTag { DERTag(leadingBits: 0, number: 5) }
    /// OBJECT IDENTIFIER, universal 6.
    @inlinable
    public static var objectIdentifier: DERTag { DERTag(leadingBits: 0, number: 6) }
    /// ENUMERATED, universal 10, encoded like an INTEGER (X.690 §8.4).
    @inlinable
    package static var enumerated: DERTag { DERTag(leadingBits: 0, number: 10) }
    /// UTF8String, universal 12.
    @inlinable
    public static var utf8String: DERTag { DERTag(leadingBits: 0, number: 12) }
    /// SEQUENCE and SEQUENCE OF, universal 16.
    @inlinable
    public static var sequence: DERTag { DERTag(leadingBits: constructedBit, number: 16) }
    /// SET and SET OF, universal 17.
    @inlinable
    public static var set: DERTag { DERTag(leadingBits: constructedBit, number: 17) }
    /// PrintableString, universal 19.
    @inlinable
    public static var printableString: DERTag { DERTag(leadingBits: 0, number: 19) }
    /// IA5String, universal 22.
    @inlinable
    public static var ia5String: DERTag { DERTag(leadingBits: 0, number: 22) }
    /// UTCTime, universal 23.
    @inlinable
    public static var utcTime: DERTag { DERTag(leadingBits: 0, number: 23) }
    /// GeneralizedTime, universal 24.
    @inlinable
    public static var generalizedTime: DERTag { DERTag(leadingBits: 0, number: 24) }
}
