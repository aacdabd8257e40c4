#if arch(wasm32)
    import Interface
    import MessagesInterface
    import PureAttestServerMessages

    /// Creates a relying party that uses a verifier. Later changes of the verifier's options do not affect the party.
    /// For the format of `settings`, see `DecisionMessages.init(verifier:settings:reasonNumber:)`. Returns a handle for
    /// `pure_attest_messages_begin`, or null for malformed settings.
    @c(pure_attest_party_create)
    public func createParty(
        _ verifier: OpaquePointer?, _ settings: UnsafeRawPointer?, _ settingsCount: Int32
    ) -> OpaquePointer? {
        var party: DecisionMessages?
        _ = code { () throws(Refusal) in
            let verifier = unsafe try Interface.verifier(orNull: verifier).make().verifier
            let settings = unsafe try bytes(settings, settingsCount)
            party = try? DecisionMessages(verifier: verifier, settings: settings) { Refusal($0).code }
        }
        return unsafe party.map { unsafe handle(of: $0) }
    }
#endif
