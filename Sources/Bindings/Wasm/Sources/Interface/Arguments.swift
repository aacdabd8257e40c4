#if arch(wasm32)
    import Runtime
#endif

/// Copies the bytes of an argument, after checking the pointer and the count as far as possible.
///
/// Before it reads any byte, this function rejects a negative count, a null pointer with a positive count, and more
/// bytes than `limit`. On wasm32, it also rejects an argument outside the memory. On other platforms, the caller must
/// pass a valid pointer, as in every C interface.
package func bytes(
    _ start: UnsafeRawPointer?, _ count: Int32, limit: Int = maximumMessageSize
) throws(Refusal) -> [UInt8] {
    guard let count = Int(exactly: count), count >= 0 else { throw .malformedArgument }
    guard count <= limit else { throw .inputTooLarge }
    guard count > 0 else { return [] }
    guard let start = unsafe start, unsafe isReadable(start, count) else { throw .malformedArgument }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
}

/// Checks that a pointer may receive a result of `count` bytes.
package func room(_ start: UnsafeMutableRawPointer?, _ count: Int) throws(Refusal) -> UnsafeMutableRawPointer {
    guard let start = unsafe start, unsafe isReadable(start, count) else { throw .malformedArgument }
    return unsafe start
}

/// The maximum size of a message, challenge or App ID: 16 MiB.
package let maximumMessageSize = 1 << 24

/// The size of a key identifier, which is a SHA-256 digest.
var keyIDSize: Int { 32 }

private func isReadable(_ start: UnsafeRawPointer, _ count: Int) -> Bool {
    #if arch(wasm32)
        UInt64(UInt(bitPattern: start)) + UInt64(count) <= memorySize
    #else
        true
    #endif
}

/// Copies a result to memory that the caller provided. The memory must be large enough.
package func copy(_ bytes: some Collection<UInt8>, to room: UnsafeMutableRawPointer, at offset: Int = 0) {
    unsafe UnsafeMutableRawBufferPointer(start: room + offset, count: bytes.count).copyBytes(from: bytes)
}
