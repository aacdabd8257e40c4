#if arch(wasm32)
    import Interface
    import PureAttestServerMessages

    /// Creates a relying party on a verifier, whose later options have no effect on it. `settings`:
    /// `RelyingPartyMessages.init`.
    ///
    /// - Returns: a handle, or null for malformed settings.
    @c(pure_attest_party_create)
    public func createParty(
        _ verifier: OpaquePointer?, _ settings: UnsafeRawPointer?, _ settingsCount: Int32
    ) -> OpaquePointer? {
        var party: RelyingPartyMessages?
        _ = code { () throws(Refusal) in
            let verifier = unsafe try Interface.verifier(orNull: verifier).make().verifier
            let settings = unsafe try bytes(settings, settingsCount)
            party = try answering { () throws(MessageError) in
                try RelyingPartyMessages(verifier: verifier, settings: settings) { Refusal($0).code }
            }
        }
        guard let party else { return nil }
        return unsafe OpaquePointer(Unmanaged.passRetained(party).toOpaque())
    }

    /// Begins a decision: `RelyingPartyMessages.begin`.
    ///
    /// - Returns: 0, with the address and size of a message in `result`, which the caller frees; otherwise 254.
    @c(pure_attest_party_begin)
    public func begin(
        _ handle: OpaquePointer?, _ request: UnsafeRawPointer?, _ requestCount: Int32,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        unsafe reply(handle, request, requestCount, result) { (party, request) throws(MessageError) in
            try party.begin(request)
        }
    }

    /// Goes on with the answer to a question: the waiting decision's number, and the answer's values.
    ///
    /// - Returns: as ``begin(_:_:_:_:)``.
    @c(pure_attest_party_answer)
    public func answer(
        _ handle: OpaquePointer?, _ number: Int32, _ answer: UnsafeRawPointer?, _ answerCount: Int32,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        unsafe reply(handle, answer, answerCount, result) { (party, answer) throws(MessageError) in
            try party.answer(number, answer)
        }
    }

    /// Drops a waiting decision, because the store is out of order.
    @c(pure_attest_party_drop)
    public func drop(_ handle: OpaquePointer?, _ number: Int32) {
        guard let handle = unsafe handle else { return }
        unsafe party(handle).drop(number)
    }

    private func party(_ handle: OpaquePointer) -> RelyingPartyMessages {
        unsafe Unmanaged<RelyingPartyMessages>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }

    private func reply(
        _ handle: OpaquePointer?, _ message: UnsafeRawPointer?, _ messageCount: Int32,
        _ result: UnsafeMutableRawPointer?, _ next: (RelyingPartyMessages, [UInt8]) throws(MessageError) -> [UInt8]
    ) -> Int32 {
        code { () throws(Refusal) in
            guard let handle = unsafe handle else { throw .malformedArgument }
            let party = unsafe party(handle)
            let message = unsafe try bytes(message, messageCount)
            let result = unsafe try room(result, 8)
            let reply = try answering { () throws(MessageError) in try next(party, message) }
            guard let block = unsafe allocate(Int32(reply.count)) else { throw .malformedArgument }
            unsafe copy(reply, to: block)
            unsafe result.storeBytes(of: UInt32(UInt(bitPattern: block)), as: UInt32.self)
            unsafe result.storeBytes(of: Int32(reply.count), toByteOffset: 4, as: Int32.self)
        }
    }

    private func answering<Value>(
        _ body: () throws(MessageError) -> Value
    ) throws(Refusal) -> Value {
        do throws(MessageError) { return try body() } catch { throw .malformedArgument }
    }
#endif
