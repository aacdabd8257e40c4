public import PureDER
import PureX509

extension VerificationReport {
    /// A likely cause.
    public typealias Cause = Phrase<CauseCode>
    /// What should have been there, or was.
    public typealias Value = Phrase<ValueCode>

    /// What is said, as a code and what stands in its text, in order.
    public struct Phrase<Code: Hashable & Sendable>: Hashable, Sendable {
        /// What is said.
        public let code: Code
        /// What stands in the text.
        public let parameters: [Parameter]

        init(_ code: Code, _ parameters: [Parameter] = []) {
            self.code = code
            self.parameters = parameters
        }

        init(_ code: Code, _ parameter: Parameter) { self.init(code, [parameter]) }
    }

    /// What stands in a text. All of it is safe to log, if text is shown without what controls a terminal.
    public enum Parameter: Hashable, Sendable {
        /// A number.
        case number(Int64)
        /// Text from the object, in UTF-8 if it is one: up to 400 bytes.
        case text([UInt8])
        /// Names of Apple's in ASCII.
        case words([UInt8])
        /// The first four bytes of a hash, and how many it has: enough to tell two apart in a log.
        case hash([UInt8], count: Int)
        /// A moment.
        case time(UnixTime)
        /// A distance in time, in seconds; the greatest number stands for more than there are.
        case duration(Int64)
        /// One of Apple's two.
        case environment(Environment)
        /// A build.
        case build(CodeDirectoryHash)
        /// The version of a system.
        case version(SystemVersion)
        /// A name without a common name.
        case unnamed
        /// What was hashed: the challenge of an attestation.
        case challenge
        /// What was hashed: the client data of an assertion.
        case clientData
        /// One of several, of which the first are listed.
        case anyOf([Parameter], more: Int)
    }
}

extension [VerificationReport.Cause] {
    /// Up to two causes without parameters.
    ///
    /// No literals: with them a function in WebAssembly had another literal of its own, by a fault of Swift 6.3.1
    /// (`Sources/Embedded/outlined-constants.py`).
    static func of(_ first: VerificationReport.CauseCode?, _ second: VerificationReport.CauseCode? = nil) -> Self {
        var causes: Self = []
        if let first { causes.append(.init(first)) }
        if let second { causes.append(.init(second)) }
        return causes
    }
}

extension VerificationReport.Phrase where Code == VerificationReport.ValueCode {
    /// A parameter by itself.
    static func plain(_ parameter: VerificationReport.Parameter) -> Self { .init(.plain, parameter) }

    static func number(_ number: some BinaryInteger) -> Self { plain(.number(Int64(truncatingIfNeeded: number))) }

    static func text(_ utf8: some Collection<UInt8>) -> Self { plain(.text(from: utf8)) }

    static func hash(_ hash: some Collection<UInt8>) -> Self { plain(.hash(of: hash)) }

    static func environment(_ environment: Environment) -> Self { plain(.environment(environment)) }
}

extension VerificationReport.Parameter {
    static func text(from utf8: some Collection<UInt8>) -> Self { .text([UInt8](utf8.prefix(400))) }

    static func hash(of hash: some Collection<UInt8>) -> Self { .hash([UInt8](hash.prefix(4)), count: hash.count) }

    /// The time from one moment to another.
    static func duration(from start: UnixTime, to end: UnixTime) -> Self {
        let (seconds, overflow) = end.secondsSince1970.subtractingReportingOverflow(start.secondsSince1970)
        return .duration(overflow ? .max : seconds)
    }

    /// The first four of what a policy lists.
    static func listed<T>(_ items: [T], _ parameter: (T) -> Self) -> Self {
        var first: [Self] = []
        for item in items.prefix(4) { first.append(parameter(item)) }
        return .anyOf(first, more: items.count - first.count)
    }

    /// The common name in an encoded name.
    static func commonName(of name: ArraySlice<UInt8>) -> Self {
        guard let name = try? DistinguishedName(derEncoded: name) else { return .unnamed }
        // id-at-commonName (RFC 5280 appendix A.1): 2.5.4.3.
        let commonName = name.attributes.last { $0.type == ASN1ObjectIdentifier(encodedAs: 0x55_0403) }
        return commonName.map { text(from: $0.value.content) } ?? .unnamed
    }
}
