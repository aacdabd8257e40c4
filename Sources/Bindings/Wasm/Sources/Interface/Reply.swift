#if arch(wasm32)
    /// Passes a message from the JavaScript shell to the Swift object that handles it, and returns the reply.
    ///
    /// - Parameters:
    ///   - message: the message from the shell.
    ///   - result: 8 bytes for the address and the size of the reply. The caller must free the reply.
    ///   - partner: handles the message and returns the reply. It throws if the message is malformed.
    /// - Returns: 0, or 254 for a malformed argument or message.
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
