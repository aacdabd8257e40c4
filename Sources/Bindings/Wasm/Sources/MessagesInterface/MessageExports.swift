#if arch(wasm32)
    import Interface
    package import PureAttestServerMessages

    /// Begins a decision; see `DecisionMessages.begin`. Returns 0, 254 for a malformed argument or message, or 1
    /// (`inputTooLarge`) for a message over 16 MiB. With 0, `result` contains the address and the size of a message that
    /// the caller must free.
    @c(pure_attest_messages_begin)
    public func begin(
        _ handle: OpaquePointer?, _ request: UnsafeRawPointer?, _ requestCount: Int32,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        unsafe reply(of: handle, to: request, requestCount, in: result) { messages, request throws(MessageError) in
            try messages.begin(request)
        }
    }

    /// Continues the waiting decision that `number` identifies. `answer` contains the values that answer the decision's
    /// question. Returns the same values as ``begin(_:_:_:_:)``.
    @c(pure_attest_messages_answer)
    public func answer(
        _ handle: OpaquePointer?, _ number: Int32, _ answer: UnsafeRawPointer?, _ answerCount: Int32,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        unsafe reply(of: handle, to: answer, answerCount, in: result) { messages, answer throws(MessageError) in
            try messages.answer(number, answer)
        }
    }

    /// Drops a waiting decision. The caller drops a decision if the store fails or if the request is cancelled.
    @c(pure_attest_messages_drop)
    public func drop(_ handle: OpaquePointer?, _ number: Int32) { unsafe messages(handle)?.drop(number) }

    /// Returns a handle for the functions above. The object lives as long as the module.
    package func handle(of messages: DecisionMessages) -> OpaquePointer {
        unsafe OpaquePointer(Unmanaged.passRetained(messages).toOpaque())
    }

    private func messages(_ handle: OpaquePointer?) -> DecisionMessages? {
        guard let handle = unsafe handle else { return nil }
        return unsafe Unmanaged<DecisionMessages>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }

    private func reply(
        of handle: OpaquePointer?, to message: UnsafeRawPointer?, _ messageCount: Int32,
        in result: UnsafeMutableRawPointer?, _ reply: (DecisionMessages, [UInt8]) throws(MessageError) -> [UInt8]
    ) -> Int32 {
        code { () throws(Refusal) in
            let message = unsafe try bytes(message, messageCount)
            let result = unsafe try room(result, 8)
            guard let messages = unsafe messages(handle), let reply = try? reply(messages, message),
                let block = unsafe allocate(Int32(reply.count))
            else { throw .malformedArgument }
            unsafe copy(reply, to: block)
            unsafe result.storeBytes(of: UInt32(UInt(bitPattern: block)), as: UInt32.self)
            unsafe result.storeBytes(of: Int32(reply.count), toByteOffset: 4, as: Int32.self)
        }
    }
#endif
