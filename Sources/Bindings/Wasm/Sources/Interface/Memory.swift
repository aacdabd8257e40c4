#if arch(wasm32)
    import Runtime

    /// Allocates `count` bytes for an argument or a result, or returns null.
    @c(pure_attest_allocate)
    public func allocate(_ count: Int32) -> UnsafeMutableRawPointer? {
        guard count >= 0 else { return nil }
        var block: UnsafeMutableRawPointer?
        guard unsafe posixMemalign(&block, 16, UInt(bitPattern: Int(count))) == 0 else { return nil }
        return unsafe block
    }

    /// Frees a block that ``allocate(_:)`` returned.
    @c(pure_attest_deallocate)
    public func deallocate(_ block: UnsafeMutableRawPointer?) { unsafe free(block) }
#endif
