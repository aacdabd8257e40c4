public import PureDER
import PureX509

extension VerificationReport {
    /// A likely cause.
    public typealias Cause = Phrase<CauseCode>
    /// A value that was expected or received.
    public typealias Value = Phrase<ValueCode>

    /// A statement: a code and the parameters of its text.
    public struct Phrase<Code: Hashable & Sendable>: Hashable, Sendable {
        /// The code of the statement.
        public let code: Code
        /// The parameters of the text, in order.
        public let parameters: [Parameter]

        init(_ code: Code, _ parameters: [Parameter] = []) {
            self.code = code
            self.parameters = parameters
        }

        init(_ code: Code, _ parameter: Parameter) { self.init(code, [parameter]) }
    }

    /// A parameter of a text. To log a parameter safely, escape the control characters in its text.
    public enum Parameter: Hashable, Sendable {
        /// A number.
        case number(Int64)
        /// Text from the object, up to 400 bytes, not necessarily valid UTF-8.
        case text([UInt8])
        /// Apple's name of a platform, a system build or a kind of release, in ASCII.
        case words([UInt8])
        /// The first four bytes of a hash, and the whole length of the hash in bytes. Four bytes are enough to
        /// distinguish two hashes in a log.
        case hash([UInt8], count: Int)
        /// A moment.
        case time(UnixTime)
        /// A duration in seconds. `Int64.max` means that the duration overflowed.
        case duration(Int64)
        /// One of Apple's two environments.
        case environment(Environment)
        /// A build.
        case build(CodeDirectoryHash)
        /// The version of a system.
        case version(SystemVersion)
        /// An X.509 name without a common name.
        case unnamed
        /// The hashed data: the challenge of an attestation.
        case challenge
        /// The hashed data: the client data of an assertion.
        case clientData
        /// Alternatives: the first values of a list, and the number of values that follow them in the list.
        case anyOf([Parameter], more: Int)
    }
}

extension [VerificationReport.Cause] {
    /// Returns up to two causes, which have no parameters.
    ///
    /// Uses no array literals, because Swift 6.3.1 compiles them to a wrong literal in a WebAssembly function
    /// (`Sources/Bindings/Wasm/outlined-constants.py`).
    static func of(_ first: VerificationReport.CauseCode?, _ second: VerificationReport.CauseCode? = nil) -> Self {
        var causes: Self = []
        if let first { causes.append(.init(first)) }
        if let second { causes.append(.init(second)) }
        return causes
    }
}

extension VerificationReport.Phrase where Code == VerificationReport.ValueCode {
    static func plain(_ parameter: VerificationReport.Parameter) -> Self { .init(.plain, parameter) }

    static func number(_ number: some BinaryInteger) -> Self { plain(.number(Int64(truncatingIfNeeded: number))) }

    static func text(_ utf8: some Collection<UInt8>) -> Self { plain(.text(from: utf8)) }

    static func hash(_ hash: some Collection<UInt8>) -> Self { plain(.hash(of: hash)) }

    static func environment(_ environment: Environment) -> Self { plain(.environment(environment)) }
}

extension VerificationReport.Parameter {
    static func text(from utf8: some Collection<UInt8>) -> Self { .text([UInt8](utf8.prefix(400))) }

    static func hash(of hash: some Collection<UInt8>) -> Self { .hash([UInt8](hash.prefix(4)), count: hash.count) }

    static func duration(from start: UnixTime, to end: UnixTime) -> Self {
        let (seconds, overflow) = end.secondsSince1970.subtractingReportingOverflow(start.secondsSince1970)
        return .duration(overflow ? .max : seconds)
    }

    /// Returns the first four items of a policy's list.
    static func listed<T>(_ items: [T], _ parameter: (T) -> Self) -> Self {
        var first: [Self] = []
        for item in items.prefix(4) { first.append(parameter(item)) }
        return .anyOf(first, more: items.count - first.count)
    }

    static func commonName(of name: ArraySlice<UInt8>) -> Self {
        guard let name = try? DistinguishedName(derEncoded: name) else { return .unnamed }
        let commonName = name.attributes.last { $0.type == .commonName }
        return commonName.map { text(from: $0.value.content) } ?? .unnamed
    }
}
