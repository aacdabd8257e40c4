public import PureAttest
import PureAttestServerCore

extension DecisionMessages {
    /// Creates a relying party.
    ///
    /// `settings` is a message, in which each setting is a name and its values (`Settings.swift`). `reasonNumber`
    /// returns the shell's number for an error of the verifier.
    ///
    /// A rejection consists of its name, or of a number if the reason is an error of the verifier. Then come the step's
    /// name, the HTTP status, the code word, the seconds to wait, and the balance: requests, units, renewal time.
    public convenience init(
        verifier: AppAttestVerifier, settings: [UInt8], reasonNumber: @escaping (PureAttestError) -> Int32
    ) throws(MessageError) {
        let operations = RelyingPartyOperations(
            rules: try Settings(settings).rules(verifier), reasonNumber: reasonNumber)
        self.init { request throws(MessageError) in try operations.begin(request) }
    }
}
