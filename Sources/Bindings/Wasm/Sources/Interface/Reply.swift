#if arch(wasm32)
    /// Passes a message to a shell's partner, and its reply back to the shell.
    ///
    /// - Parameters:
    ///   - message: the message, with its size.
    ///   - result: room for the reply's address and size, 8 bytes. The caller frees the reply.
    ///   - partner: returns the reply; an error is a malformed message.
    /// - Returns: 0, or 254.
    package func reply<Failure: Error>(
        to message: UnsafeRawPointer?, _ messageCount: Int32, in result: UnsafeMutableRawPointer?,
        _ partner: ([UInt8]) throws(Failure) -> [UInt8]
    ) -> Int32 {
        code { () throws(Refusal) in
            let message = unsafe try bytes(message, messageCount)
            let result = unsafe try room(result, 8)
            let reply: [UInt8]
            do throws(Failure) { reply = try partner(message) } catch { throw .malformedArgument }
            guard let block = unsafe allocate(Int32(reply.count)) else { throw .malformedArgument }
            unsafe copy(reply, to: block)
            unsafe result.storeBytes(of: UInt32(UInt(bitPattern: block)), as: UInt32.self)
            unsafe result.storeBytes(of: Int32(reply.count), toByteOffset: 4, as: Int32.self)
        }
    }
#endif
