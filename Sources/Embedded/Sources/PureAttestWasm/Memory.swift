import Runtime

/// `count` bytes for the host to write an argument to or read a result from, or null.
@_expose(wasm, "allocate")
@c(pure_attest_allocate)
public func allocate(_ count: Int32) -> UnsafeMutableRawPointer? {
    guard count >= 0 else { return nil }
    var block: UnsafeMutableRawPointer?
    guard unsafe posixMemalign(&block, 16, UInt(bitPattern: Int(count))) == 0 else { return nil }
    return unsafe block
}

/// Gives back what ``allocate(_:)`` returned.
@_expose(wasm, "deallocate")
@c(pure_attest_deallocate)
public func deallocate(_ block: UnsafeMutableRawPointer?) { unsafe free(block) }

/// The bytes that the host wrote to an allocated block; none for a negative count.
func bytes(_ start: UnsafeRawPointer, _ count: Int32) -> [UInt8] {
    unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: max(0, Int(count))))
}

/// Copies a result to a block that the host allocated with at least that size.
func copy(_ bytes: some Collection<UInt8>, to block: UnsafeMutableRawPointer) {
    unsafe UnsafeMutableRawBufferPointer(start: block, count: bytes.count).copyBytes(from: bytes)
}
