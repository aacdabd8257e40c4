#if arch(wasm32)
    import Runtime
#endif

/// Copies the bytes of an argument, and checks pointer and count as far as possible.
///
/// Rejects a negative count, null with a count above 0, and more bytes than `limit` before it reads anything. On wasm32
/// it also rejects bytes outside the memory. Elsewhere the caller must pass a valid pointer, as in every C interface.
package func bytes(
    _ start: UnsafeRawPointer?, _ count: Int32, limit: Int = maximumMessageSize
) throws(Refusal) -> [UInt8] {
    guard let count = Int(exactly: count), count >= 0 else { throw .malformedArgument }
    guard count <= limit else { throw .inputTooLarge }
    guard count > 0 else { return [] }
    guard let start = unsafe start, unsafe isReadable(start, count) else { throw .malformedArgument }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
}

/// Checks the room for a result of `count` bytes.
package func room(_ start: UnsafeMutableRawPointer?, _ count: Int) throws(Refusal) -> UnsafeMutableRawPointer {
    guard let start = unsafe start, unsafe isReadable(start, count) else { throw .malformedArgument }
    return unsafe start
}

/// The maximum size of a message, challenge or App ID: 16 MiB.
package let maximumMessageSize = 1 << 24

/// The size of a key identifier, a SHA-256.
var keyIDSize: Int { 32 }

private func isReadable(_ start: UnsafeRawPointer, _ count: Int) -> Bool {
    #if arch(wasm32)
        UInt64(UInt(bitPattern: start)) + UInt64(count) <= memorySize
    #else
        true
    #endif
}

/// Copies a result to room of at least its size.
package func copy(_ bytes: some Collection<UInt8>, to room: UnsafeMutableRawPointer, at offset: Int = 0) {
    unsafe UnsafeMutableRawBufferPointer(start: room + offset, count: bytes.count).copyBytes(from: bytes)
}
