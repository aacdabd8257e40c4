import PureDER
public import PureX509

/// A server's host name or IP address, compared with alternative names (RFC 9525) but not with common names (§2).
public struct ServerIdentity: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
        case dNSName([UInt8])
        case address([UInt8])
    }

    private let value: Value

    /// Creates an identity from an ASCII host name. Internationalised labels must be A-labels ("xn--…"). Ignores one
    /// trailing dot.
    ///
    /// Returns `nil` if the name is invalid:
    /// - A label is empty or too long.
    /// - A label starts or ends with a hyphen, or contains characters other than letters, digits and hyphens.
    /// - The last label is a number, as in an IP address.
    public init?(dNSName: some Collection<UInt8>) {
        var name = ArraySlice(Array(dNSName))
        if name.last == HostName.dot { name.removeLast() }
        guard HostName.isLDHName(name), !HostName.isAddress(name) else { return nil }
        value = .dNSName(Array(name))
    }

    /// Creates an identity from an IP address. Returns `nil` unless the address has 4 or 16 octets.
    public init?(address: some Collection<UInt8>) {
        guard address.count == 4 || address.count == 16 else { return nil }
        value = .address(Array(address))
    }

    /// Whether an alternative name of the certificate matches this identity (RFC 9525 §6).
    ///
    /// A wildcard must be the whole first label, and matches exactly one label (§6.3). IP addresses are compared only
    /// with iPAddress names (§6.4).
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

    /// Does not validate `presented`, because `host` is well-formed, and a name that equals `host` is well-formed too.
    private static func matches(_ host: ArraySlice<UInt8>, _ presented: ArraySlice<UInt8>) -> Bool {
        guard let parent = HostName.wildcardParent(of: presented) else {
            return HostName.areEqual(host, presented)
        }
        return HostName.parent(of: host).map { HostName.areEqual($0, parent) } == true
    }
}
