import PureDER
import PureX509

/// The nameConstraints of a certificate (RFC 5280 §4.2.1.10), or the caller's initial-permitted-subtrees and
/// initial-excluded-subtrees (§6.1.1). Every name of a subject must be outside the excluded subtrees. It must also be
/// in a permitted subtree if there are permitted subtrees for its form.
public struct NameConstraints: Sendable {
    let permitted: SubtreeSet
    let excluded: SubtreeSet

    /// Reads the value of the extension.
    ///
    /// Rejects constraints that cannot be compared:
    /// - a dNSName with a wildcard, or with a leading or trailing dot
    /// - a malformed mailbox
    /// - a network with a non-contiguous mask
    /// - a `minimum` or `maximum`
    public init(derEncoded value: ArraySlice<UInt8>) throws(PathError) {
        self = try wrapping { () throws(X509Error) in try NameConstraints(reading: value) }
    }

    private init(reading value: ArraySlice<UInt8>) throws(X509Error) {
        try checkNameConstraints(value)
        var reader = try FieldReader.entering(.sequence, of: value, .nameConstraints)
        permitted = try Self.readSubtrees(0, &reader)
        excluded = try Self.readSubtrees(1, &reader)
    }

    private static func readSubtrees(_ number: UInt32, _ reader: inout FieldReader) throws(X509Error) -> SubtreeSet {
        var subtrees = SubtreeSet()
        guard let contents = try reader.readIfPresent(.context(number)) else { return subtrees }
        var list = FieldReader(contents, .nameConstraints)
        while !list.isAtEnd {
            var subtree = try list.enter(.sequence)
            let base = try subtree.readElement()
            guard let form = NameForm(base.tag) else { throw .invalidGeneralName(.nameConstraints) }
            subtrees[form].append(try GeneralSubtree(form, base.content))
        }
        return subtrees
    }
}

struct SubtreeSet: Sendable {
    private var byForm = [[GeneralSubtree]](repeating: [], count: NameForm.allCases.count)

    subscript(form: NameForm) -> [GeneralSubtree] {
        get { byForm[form.rawValue] }
        _modify { yield &byForm[form.rawValue] }
    }

    mutating func formUnion(_ other: SubtreeSet) {
        for index in byForm.indices { byForm[index] += other.byForm[index] }
    }
}

/// The base of a `GeneralSubtree`. `minimum` must be 0 and `maximum` must be absent, so neither is stored.
enum GeneralSubtree: Sendable {
    /// A host name and all names below it. An empty host name covers every name.
    case dNSName(ArraySlice<UInt8>)
    /// One mailbox.
    case mailbox(Mailbox)
    /// A single host, for constraints on mailboxes or URIs.
    case host(ArraySlice<UInt8>)
    /// All hosts below a domain, but not the domain itself. In the encoding, the domain has a leading dot.
    case domain(ArraySlice<UInt8>)
    case directory(ComparableName)
    case network(address: ArraySlice<UInt8>, mask: ArraySlice<UInt8>)
    /// A name form that is not implemented. All names of this form are rejected.
    case unprocessed

    init(_ form: NameForm, _ content: ArraySlice<UInt8>) throws(X509Error) {
        switch form {
        case .dNSName:
            guard content.isEmpty || HostName.isValid(content) else { throw .invalidValue(.nameConstraints) }
            self = .dNSName(content)
        case .rfc822Name:
            if content.contains(UInt8(ascii: "@")) {
                guard let mailbox = Mailbox(content) else { throw .invalidValue(.nameConstraints) }
                self = .mailbox(mailbox)
            } else {
                self = try Self.hostOrDomain(content)
            }
        case .uniformResourceIdentifier: self = try Self.hostOrDomain(content)
        case .directoryName: self = .directory(try ComparableName(content, .nameConstraints))
        case .iPAddress:
            let count = content.count / 2
            let (address, mask) = (content.prefix(count), content.suffix(count))
            guard Self.isContiguous(mask) else { throw .invalidValue(.nameConstraints) }
            self = .network(address: address, mask: mask)
        case .otherName, .x400Address, .ediPartyName, .registeredID: self = .unprocessed
        }
    }

    private static func hostOrDomain(_ content: ArraySlice<UInt8>) throws(X509Error) -> GeneralSubtree {
        let isDomain = content.first == HostName.dot
        let name = isDomain ? content.dropFirst() : content
        guard HostName.isValid(name), !HostName.isAddress(name) else { throw .invalidValue(.nameConstraints) }
        return isDomain ? .domain(name) : .host(name)
    }

    /// Whether the mask consists of ones followed by zeros (RFC 4632 §3.1).
    private static func isContiguous(_ mask: ArraySlice<UInt8>) -> Bool {
        let tail = mask.drop { $0 == 0xFF }
        guard let first = tail.first else { return true }
        return (~first & (~first &+ 1)) == 0 && tail.dropFirst().allSatisfy { $0 == 0 }
    }

    /// Compares the subtree with a name of the same form. A wildcard name is permitted only if the subtree contains all
    /// names that the wildcard matches, and excluded if the subtree contains any of them.
    func contains(_ name: SubjectName, isExcluded: Bool) -> NameMatch {
        switch (self, name.value) {
        case (.dNSName(let base), .host(let host)):
            Self.match(base.isEmpty || HostName.areEqual(host, base) || HostName.isBelow(host, base))
        case (.dNSName(let base), .wildcard(let host)):
            // "*" matches exactly one label. So of the names that "*.example.com" matches, only "a.example.com" is in
            // the subtree of "a.example.com". This match is enough to exclude the wildcard name, but not to permit it.
            Self.match(
                base.isEmpty || HostName.isBelow(host, base)
                    || isExcluded && HostName.parent(of: base).map { HostName.areEqual($0, host.dropFirst(2)) } == true)
        case (.mailbox(let base), .mailbox(let mailbox)):
            // §7.5: the local part is case-sensitive, and the host is case-insensitive.
            Self.match(base.local == mailbox.local && HostName.areEqual(mailbox.host, base.host))
        case (.host(let base), .mailbox(let mailbox)): Self.match(HostName.areEqual(mailbox.host, base))
        case (.domain(let base), .mailbox(let mailbox)): Self.match(HostName.isBelow(mailbox.host, base))
        case (.host(let base), .host(let host)): Self.match(HostName.areEqual(host, base))
        case (.domain(let base), .host(let host)): Self.match(HostName.isBelow(host, base))
        case (.directory(let base), .directory(let directory)): directory.isWithin(base)
        case (.network(let network, let mask), .address(let address)): Self.match(Self.isWithin(address, network, mask))
        default: .undecided
        }
    }

    private static func match(_ isSame: Bool) -> NameMatch { isSame ? .same : .different }

    /// Whether the network contains the address. A network never contains addresses of the other IP version.
    private static func isWithin(
        _ address: ArraySlice<UInt8>, _ network: ArraySlice<UInt8>, _ mask: ArraySlice<UInt8>
    ) -> Bool {
        guard address.count == network.count else { return false }
        var difference: UInt8 = 0
        for offset in 0..<address.count {
            difference |=
                (address[address.startIndex + offset] ^ network[network.startIndex + offset])
                & mask[mask.startIndex + offset]
        }
        return difference == 0
    }
}
