#if arch(wasm32)
    import Interface
    import PureAttestServerMessages

    /// Creates a relying party that uses a verifier. Later changes of the verifier's options do not affect the party.
    /// For the format of `settings`, see `RelyingPartyMessages.init`. Returns a handle, or null for malformed settings.
    @c(pure_attest_party_create)
    public func createParty(
        _ verifier: OpaquePointer?, _ settings: UnsafeRawPointer?, _ settingsCount: Int32
    ) -> OpaquePointer? {
        var party: RelyingPartyMessages?
        _ = code { () throws(Refusal) in
            let verifier = unsafe try Interface.verifier(orNull: verifier).make().verifier
            let settings = unsafe try bytes(settings, settingsCount)
            party = try? RelyingPartyMessages(verifier: verifier, settings: settings) { Refusal($0).code }
        }
        guard let party else { return nil }
        return unsafe OpaquePointer(Unmanaged.passRetained(party).toOpaque())
    }

    /// Begins a decision; see `RelyingPartyMessages.begin`. Returns 0, or 254 for a malformed argument or message. With
    /// 0, `result` contains the address and the size of a message that the caller must free.
    @c(pure_attest_party_begin)
    public func begin(
        _ handle: OpaquePointer?, _ request: UnsafeRawPointer?, _ requestCount: Int32,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        unsafe reply(to: request, requestCount, in: result) { request throws(MessageError) in
            try unsafe party(handle).begin(request)
        }
    }

    /// Continues the waiting decision that `number` identifies. `answer` contains the values that answer the decision's
    /// question. Returns the same values as ``begin(_:_:_:_:)``.
    @c(pure_attest_party_answer)
    public func answer(
        _ handle: OpaquePointer?, _ number: Int32, _ answer: UnsafeRawPointer?, _ answerCount: Int32,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        unsafe reply(to: answer, answerCount, in: result) { answer throws(MessageError) in
            try unsafe party(handle).answer(number, answer)
        }
    }

    /// Drops a waiting decision. The caller drops a decision if the store fails or if the request is cancelled.
    @c(pure_attest_party_drop)
    public func drop(_ handle: OpaquePointer?, _ number: Int32) { unsafe try? party(handle).drop(number) }

    private func party(_ handle: OpaquePointer?) throws(MessageError) -> RelyingPartyMessages {
        guard let handle = unsafe handle else { throw .malformed }
        return unsafe Unmanaged<RelyingPartyMessages>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }
#endif
