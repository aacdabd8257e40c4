import PureDER
import PureX509

/// The forms of a `GeneralName` (RFC 5280 §4.2.1.6). The raw values are the tag numbers.
enum NameForm: Int, CaseIterable {
    case otherName = 0
    case rfc822Name = 1
    case dNSName = 2
    case x400Address = 3
    case directoryName = 4
    case ediPartyName = 5
    case uniformResourceIdentifier = 6
    case iPAddress = 7
    case registeredID = 8

    init?(_ tag: DERTag) {
        switch tag {
        case .context(0): self = .otherName
        case .contextPrimitive(1): self = .rfc822Name
        case .contextPrimitive(2): self = .dNSName
        case .context(3): self = .x400Address
        case .context(4): self = .directoryName
        case .context(5): self = .ediPartyName
        case .contextPrimitive(6): self = .uniformResourceIdentifier
        case .contextPrimitive(7): self = .iPAddress
        case .contextPrimitive(8): self = .registeredID
        default: return nil
        }
    }
}

/// A name of a certificate's subject, decoded for comparison with name constraints.
struct SubjectName {
    enum Value {
        case mailbox(Mailbox)
        case host(ArraySlice<UInt8>)
        /// The whole name, including "*.".
        case wildcard(ArraySlice<UInt8>)
        case directory(ComparableName)
        case address(ArraySlice<UInt8>)
        /// A name that is not well-formed, or whose form is not implemented.
        case incomparable
    }

    let form: NameForm
    let value: Value

    init(_ form: NameForm, _ content: ArraySlice<UInt8>, _ field: CertificateField) throws(X509Error) {
        self.form = form
        switch form {
        case .rfc822Name: value = Mailbox(content).map { .mailbox($0) } ?? .incomparable
        case .dNSName:
            if let parent = HostName.wildcardParent(of: content), HostName.isValid(parent) {
                value = .wildcard(content)
            } else {
                value = HostName.isValid(content) ? .host(content) : .incomparable
            }
        case .uniformResourceIdentifier: value = ResourceIdentifier.host(of: content).map { .host($0) } ?? .incomparable
        case .directoryName: value = .directory(try ComparableName(content, field))
        case .iPAddress: value = Self.isMapped(content) ? .incomparable : .address(content)
        case .otherName, .x400Address, .ediPartyName, .registeredID: value = .incomparable
        }
    }

    /// Whether an address is IPv4-mapped IPv6 (RFC 4291 §2.5.5.2), which implementations interpret differently.
    private static func isMapped(_ address: ArraySlice<UInt8>) -> Bool {
        address.prefix(10).allSatisfy { $0 == 0 } && address.dropFirst(10).prefix(2) == [0xFF, 0xFF]
    }

    private init(incomparable form: NameForm) {
        self.form = form
        value = .incomparable
    }
}

extension SubjectName {
    /// Returns all names of a certificate's subject to which name constraints apply (RFC 5280 §4.2.1.10):
    /// - the subject, if it is not empty
    /// - the alternative names
    /// - the subject's emailAddress attributes, unless an alternative name is an rfc822Name
    ///
    /// This function is stricter than the RFC, which constrains emailAddress attributes only if there is no
    /// subjectAltName. Neither this function nor ``ServerIdentity`` treats a common name as a host name.
    static func all(of certificate: Certificate) throws(X509Error) -> [SubjectName] {
        var names: [SubjectName] = []
        var hasMailbox = false
        if let alternativeNames = certificate.extension(.subjectAlternativeName)?.value {
            var reader = try FieldReader.entering(.sequence, of: alternativeNames, .subjectAlternativeName)
            while !reader.isAtEnd {
                let name = try reader.readElement()
                guard let form = NameForm(name.tag) else { throw .invalidGeneralName(.subjectAlternativeName) }
                names.append(try SubjectName(form, name.content, .subjectAlternativeName))
                if form == .rfc822Name { hasMailbox = true }
                // RFC 9598 §6: constraints on rfc822Name also apply to SmtpUTF8Mailbox. This module cannot compare a
                // SmtpUTF8Mailbox, so it rejects such a name if rfc822Name is constrained.
                if form == .otherName, try FieldReader.startsWithSmtpUTF8Mailbox(name.content) {
                    names.append(SubjectName(incomparable: .rfc822Name))
                }
            }
        }
        guard certificate.subject.count > Certificate.emptyNameSize else { return names }
        names.append(try SubjectName(.directoryName, certificate.subject, .subject))
        guard !hasMailbox else { return names }
        var mailboxes: [DERElement] = []
        try DistinguishedName.read(certificate.subject, .subject) { type, value in
            if type == .emailAddress { mailboxes.append(value) }
        }
        for mailbox in mailboxes {
            // A PrintableString has no "@" (X.680 §41.4).
            let isText = mailbox.tag == .ia5String || mailbox.tag == .utf8String
            names.append(
                isText
                    ? try SubjectName(.rfc822Name, mailbox.content, .subject) : SubjectName(incomparable: .rfc822Name))
        }
        return names
    }
}

extension FieldReader {
    fileprivate static func startsWithSmtpUTF8Mailbox(_ contents: ArraySlice<UInt8>) throws(X509Error) -> Bool {
        var reader = FieldReader(contents, .subjectAlternativeName)
        return try reader.readObjectIdentifier() == .smtpUTF8Mailbox
    }
}

extension ASN1ObjectIdentifier {
    /// emailAddress, 1.2.840.113549.1.9.1 (RFC 5280 appendix A.1).
    @inline(__always) fileprivate static var emailAddress: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_09_01) }
    /// id-on-SmtpUTF8Mailbox, 1.3.6.1.5.5.7.8.9 (RFC 9598 §3).
    @inline(__always) fileprivate static var smtpUTF8Mailbox: Self { Self(encodedAs: 0x2B_06_01_05_05_07_08_09) }
}
