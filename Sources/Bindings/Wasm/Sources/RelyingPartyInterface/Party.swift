#if arch(wasm32)
    import Interface
    import PureAttest
    import PureAttestServerCore

    /// The object behind a shell's handle: the rules, and the decisions that wait for an answer.
    final class Party {
        let rules: RelyingPartyRules
        private var waiting: [(number: Int32, resume: (inout WireReader) throws(MessageError) -> Step)] = []
        private var last: Int32 = 0

        init(_ rules: RelyingPartyRules) { self.rules = rules }

        /// Returns the message for a step: 0 with the outcome's values, 1 with a rejection's, or the number of a waiting
        /// decision with its question's.
        func message(for step: Step) -> [UInt8] {
            switch step {
            case .accepted(let values): return ([.number(0)] + values).message
            case .refused(let refusal):
                return ([.number(1)] + refusal.values(rules.configuration.answerPolicy)).message
            case .question(let values, let resume):
                // Numbers repeat only after 2³¹ questions.
                last = last < .max ? last + 1 : 2
                if last < 2 { last = 2 }
                waiting.append((last, resume))
                return ([.number(Int64(last))] + values).message
            }
        }

        /// Ends the wait of a decision.
        func take(_ number: Int32) -> ((inout WireReader) throws(MessageError) -> Step)? {
            guard let index = waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return waiting.remove(at: index).resume
        }
    }

    /// Creates a relying party on a verifier, whose later options have no effect on it. `settings`: ``Settings``.
    ///
    /// - Returns: a handle, or null for malformed settings.
    @c(pure_attest_party_create)
    public func createParty(
        _ verifier: OpaquePointer?, _ settings: UnsafeRawPointer?, _ settingsCount: Int32
    ) -> OpaquePointer? {
        var party: Party?
        _ = code { () throws(Interface.Refusal) in
            let verifier = unsafe try Interface.verifier(orNull: verifier).make().verifier
            let settings = unsafe try bytes(settings, settingsCount)
            party = try answering { () throws(MessageError) in Party(try Settings(settings).rules(verifier)) }
        }
        guard let party else { return nil }
        return unsafe OpaquePointer(Unmanaged.passRetained(party).toOpaque())
    }

    /// Begins a decision (``begin(_:by:)``).
    ///
    /// - Returns: 0, with the address and size of a message in `result`, which the caller frees; otherwise 254.
    @c(pure_attest_party_begin)
    public func begin(
        _ handle: OpaquePointer?, _ request: UnsafeRawPointer?, _ requestCount: Int32,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        unsafe reply(handle, request, requestCount, result) { (party, request) throws(MessageError) in
            try begin(request, by: party.rules)
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
            guard let resume = party.take(number) else { throw .malformed }
            var reader = WireReader(answer)
            return try resume(&reader)
        }
    }

    /// Drops a waiting decision, because the store is out of order.
    @c(pure_attest_party_drop)
    public func drop(_ handle: OpaquePointer?, _ number: Int32) {
        guard let handle = unsafe handle else { return }
        _ = unsafe party(handle).take(number)
    }

    private func party(_ handle: OpaquePointer) -> Party {
        unsafe Unmanaged<Party>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }

    private func reply(
        _ handle: OpaquePointer?, _ message: UnsafeRawPointer?, _ messageCount: Int32,
        _ result: UnsafeMutableRawPointer?, _ next: (Party, [UInt8]) throws(MessageError) -> Step
    ) -> Int32 {
        code { () throws(Interface.Refusal) in
            guard let handle = unsafe handle else { throw .malformedArgument }
            let party = unsafe party(handle)
            let message = unsafe try bytes(message, messageCount)
            let result = unsafe try room(result, 8)
            let reply = party.message(for: try answering { () throws(MessageError) in try next(party, message) })
            guard let block = unsafe allocate(Int32(reply.count)) else { throw .malformedArgument }
            unsafe copy(reply, to: block)
            unsafe result.storeBytes(of: UInt32(UInt(bitPattern: block)), as: UInt32.self)
            unsafe result.storeBytes(of: Int32(reply.count), toByteOffset: 4, as: Int32.self)
        }
    }

    private func answering<Value>(
        _ body: () throws(MessageError) -> Value
    ) throws(Interface.Refusal) -> Value {
        do throws(MessageError) { return try body() } catch { throw .malformedArgument }
    }
#endif
