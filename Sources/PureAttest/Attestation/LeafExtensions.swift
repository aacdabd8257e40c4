import PureDER
import PureX509

/// Apple's extensions in a leaf certificate, which the certificate's signature covers.
enum LeafExtensions {
    /// Returns the octets from `SEQUENCE { [tag] { OCTET STRING } }`, and rejects every other structure. The nonce has
    /// tag 1, and the access control list has tag 3.
    static func octets(in value: ArraySlice<UInt8>, tag: UInt32) throws(DERError) -> ArraySlice<UInt8> {
        var reader = DERReader(value)
        var sequence = try reader.enter(.sequence)
        try reader.finish()
        var tagged = try sequence.enter(.context(tag))
        try sequence.finish()
        let octets = try tagged.readOctetString()
        try tagged.finish()
        return octets
    }

    /// Returns the App ID in plain text, from field 1204 of the key's properties. Returns `nil` if the field is
    /// missing.
    static func appID(of leaf: Certificate) -> [UInt8]? {
        (try? LeafFields(of: leaf, in: .keyProperties))?[1204].octets.map { [UInt8]($0) }
    }
}

/// The access control list of a key on a Mac with Full Security and System Integrity Protection. Apple documents it in
/// "Validating apps that connect to your server".
///
/// `base64 -d` of `MEAMAjExMDowCQwCb2uhAwEB/zAJDAJvYaEDAQH/MAsMBG9kZWyhAwEB/zAVDARvc2duoAYMBHJzZWMwBaYDAgEB`.
let macOSAccessControlList: [UInt8] = [
    0x30, 0x40, 0x0c, 0x02, 0x31, 0x31, 0x30, 0x3a, 0x30, 0x09, 0x0c, 0x02, 0x6f, 0x6b, 0xa1, 0x03, 0x01, 0x01, 0xff,
    0x30, 0x09, 0x0c, 0x02, 0x6f, 0x61, 0xa1, 0x03, 0x01, 0x01, 0xff, 0x30, 0x0b, 0x0c, 0x04, 0x6f, 0x64, 0x65, 0x6c,
    0xa1, 0x03, 0x01, 0x01, 0xff, 0x30, 0x15, 0x0c, 0x04, 0x6f, 0x73, 0x67, 0x6e, 0xa0, 0x06, 0x0c, 0x04, 0x72, 0x73,
    0x65, 0x63, 0x30, 0x05, 0xa6, 0x03, 0x02, 0x01, 0x01,
]
