import PureAttest
import PureAttestServerCore
import PureBytes
import PureDER

/// The settings of a relying party that the shell passes. Each setting is a name and its values.
struct Settings {
    private var currentKey: SessionKey?
    private var formerKeys: [SessionKey] = []
    var configuration = RelyingPartyConfiguration()

    init(_ message: [UInt8]) throws(MessageError) {
        // Embedded Swift cannot compute public key multiples. Native builds do not compute them here either, so that
        // both builds make the same decisions.
        configuration.publicKeyMultiples = .never
        var reader = WireReader(message)
        while !reader.isAtEnd { try read(try reader.bytes(), &reader) }
    }

    func rules(_ verifier: AppAttestVerifier) throws(MessageError) -> RelyingPartyRules {
        guard let currentKey else { throw .malformed }
        return RelyingPartyRules(
            verifier: verifier, sessionKeys: SessionKeys(current: currentKey, former: formerKeys),
            configuration: configuration, android: nil)
    }

    private mutating func read(_ name: [UInt8], _ reader: inout WireReader) throws(MessageError) {
        func isNamed(_ text: StaticString) -> Bool { isEqual(name[...], text) }
        if isNamed("sessionKey") {
            guard let key = SessionKey(idASCII: try reader.bytes(), secret: try reader.bytes()) else {
                throw .malformed
            }
            if currentKey == nil { currentKey = key } else { formerKeys.append(key) }
        } else if isNamed("challengeLifetime") {
            configuration.challengeLifetime = try reader.number()
        } else if isNamed("sessionLifetime") {
            configuration.sessionLifetime = try reader.number()
        } else if isNamed("sessionUse") {
            configuration.sessionUse = try reader.choice()
        } else if isNamed("maximumClientData") {
            configuration.maximumClientData = Int(clamping: try reader.number())
        } else if isNamed("maximumAttempts") {
            configuration.maximumAttempts = Int(clamping: try reader.number())
        } else if isNamed("verifiesFirstReceipt") {
            configuration.verifiesFirstReceipt = try reader.flag()
        } else if isNamed("answerPolicy") {
            configuration.answerPolicy = try reader.choice()
        } else if isNamed("budget") {
            configuration.budget = Budget(
                days: try reader.number(), requests: try reader.number(), units: try reader.number(),
                of: try reader.choice())
        } else if isNamed("share") {
            configuration.enrolment.rollout = .share(perThousand: UInt32(clamping: try reader.number()))
        } else if isNamed("gradual") {
            configuration.enrolment.rollout = .gradual(from: try reader.time(), until: try reader.time())
        } else if isNamed("keysPerSecond") {
            configuration.enrolment.keysPerSecond = try reader.optionalNumber().map { UInt32(clamping: $0) }
        } else if isNamed("rolloutName") {
            configuration.enrolment.rolloutNameUTF8 = try reader.bytes()
        } else if isNamed("limit") {
            try setLimit(&reader)
        } else {
            throw .malformed
        }
    }
}

extension Settings {
    /// If the rate is absent, requests are unlimited.
    private mutating func setLimit(_ reader: inout WireReader) throws(MessageError) {
        let (name, burst, perMinute) = (try reader.bytes(), try reader.optionalNumber(), try reader.optionalNumber())
        var rate: RateLimit?
        if let burst, let perMinute {
            rate = RateLimit(burst: UInt32(clamping: burst), perMinute: UInt32(clamping: perMinute))
        }
        guard let limit = Limit.allCases.first(where: { isEqual(name[...], $0.name) }) else { throw .malformed }
        configuration.limits[limit] = rate
    }
}

extension WireReader {
    /// Reads the index of an enumeration case. generate-bindings writes the names of the cases for the shell.
    package mutating func choice<Choice: CaseIterable>() throws(MessageError) -> Choice
    where Choice.AllCases == [Choice] {
        guard let index = Int(exactly: try number()), Choice.allCases.indices.contains(index) else { throw .malformed }
        return Choice.allCases[index]
    }
}
