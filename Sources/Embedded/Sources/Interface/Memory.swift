#if arch(wasm32)
    import Runtime

    /// `count` bytes for the host to write an argument to or read a result from, or null.
    @c(pure_attest_allocate)
    public func allocate(_ count: Int32) -> UnsafeMutableRawPointer? {
        guard count >= 0 else { return nil }
        var block: UnsafeMutableRawPointer?
        guard unsafe posixMemalign(&block, 16, UInt(bitPattern: Int(count))) == 0 else { return nil }
        return unsafe block
    }

    /// Gives back what ``allocate(_:)`` returned.
    @c(pure_attest_deallocate)
    public func deallocate(_ block: UnsafeMutableRawPointer?) { unsafe free(block) }
#endif
