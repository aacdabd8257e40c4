import PureDER
public import PureX509

/// The name under which a server was called, to be found among the alternative names of its certificate (RFC 9525).
///
/// A common name is never looked at (§2).
public struct ServerIdentity: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
        case dNSName([UInt8])
        case address([UInt8])
    }

    private let value: Value

    /// A name of a host in ASCII, labels of internationalised names as A-labels ("xn--…"); one dot at the end does not count.
    ///
    /// `nil` if it is none: a label is empty or too long, or has other characters than letters, digits and hyphens, or the last one
    /// is a number, as of an address.
    public init?(dNSName: some Collection<UInt8>) {
        var name = ArraySlice(Array(dNSName))
        if name.last == HostName.dot { name.removeLast() }
        guard HostName.isLDHName(name), !HostName.isAddress(name) else { return nil }
        value = .dNSName(Array(name))
    }

    /// An address of 4 octets, or of 16; `nil` for any other number.
    public init?(address: some Collection<UInt8>) {
        guard address.count == 4 || address.count == 16 else { return nil }
        value = .address(Array(address))
    }

    /// RFC 9525 §6: whether one of the certificate's alternative names is this one.
    ///
    /// A wildcard is the whole first label and stands for one label (§6.3). Addresses are compared with iPAddress only (§6.4).
    public func matches(_ certificate: Certificate) -> Bool {
        guard let names = certificate.extension(.subjectAlternativeName)?.value else { return false }
        var outer = DERReader(names)
        guard var reader = try? outer.enter(.sequence) else { return false }
        while let name = try? reader.readElement() {
            switch (value, name.tag) {
            case (.dNSName(let host), .contextPrimitive(2)): if Self.matches(host[...], name.content) { return true }
            case (.address(let address), .contextPrimitive(7)): if name.content.elementsEqual(address) { return true }
            default: break
            }
        }
        return false
    }

    /// What is equal to `host`, which is well-formed, is so too.
    private static func matches(_ host: ArraySlice<UInt8>, _ presented: ArraySlice<UInt8>) -> Bool {
        guard let parent = HostName.wildcardParent(of: presented) else {
            return HostName.areEqual(host, presented)
        }
        return HostName.parent(of: host).map { HostName.areEqual($0, parent) } == true
    }
}
