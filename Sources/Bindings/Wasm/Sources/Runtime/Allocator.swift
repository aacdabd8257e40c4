#if arch(wasm32)
    import Builtin

    // This file does not define memcpy, memmove and memset, because wasm32's default features include instructions for
    // them (bulk memory). If the compiler emits a call to one of them, or to any other C function, linking fails.

    /// The heap that the Embedded Swift runtime expects from a C library, implemented with `memory.grow`.
    ///
    /// Block sizes are powers of two, from 32 bytes, and each size has a free list. New blocks are cut from the pages
    /// that were allocated last. A freed block is reused only for its own size. A repeated workload therefore needs at
    /// most the sum, over all sizes, of the peak usage of that size. The heap needs no lock, because the module has no
    /// threads.
    ///
    /// Layout of a block at `base`: … | base: UInt32 | class: UInt32 | the caller's bytes. Alignment may move the two
    /// words within the block, but they always directly precede the caller's bytes.
    private struct Heap {
        /// The address of the first free block of each size class, or 0 if the class has no free block. The first word
        /// of a free block is the address of the next free block.
        var free = InlineArray<32, UInt32>(repeating: 0)
        /// The unused part of the pages that were allocated last.
        var fresh: Range<UInt32> = 0..<0

        /// The size of a page (WebAssembly core specification, "Memory Instances").
        static let pageSize: UInt32 = 65_536
        /// The smallest block, 32 bytes: two header words, and space for the caller's bytes with 16-byte alignment.
        static let smallestClass: UInt32 = 5
        /// The largest block, 256 MB. This size is far above every input limit, and far below the 32-bit overflow.
        static let largestClass: UInt32 = 28

        /// Returns the address of a block of 2^`sizeClass` bytes, or `nil` if the host has no more memory.
        mutating func block(sizeClass: UInt32) -> UInt32? {
            let first = free[Int(sizeClass)]
            if first != 0 {
                free[Int(sizeClass)] = unsafe word(at: first).pointee
                return first
            }
            let size = UInt32(1) << sizeClass
            if fresh.upperBound - fresh.lowerBound < size {
                // The unused rest of the old pages is lost, unless the new pages follow directly.
                let pages = (size + Self.pageSize - 1) / Self.pageSize
                let grown = Int32(
                    Builtin.int_wasm_memory_grow_Int32(Int32(0)._value, Int32(bitPattern: pages)._value))
                guard grown >= 0 else { return nil }
                let start = UInt32(bitPattern: grown) &* Self.pageSize
                // The end address 4 GiB does not fit in 32 bits, so pages that end there stay unused.
                let (end, overflow) = start.addingReportingOverflow(pages * Self.pageSize)
                guard !overflow else { return nil }
                fresh = (start == fresh.upperBound ? fresh.lowerBound : start)..<end
            }
            let base = fresh.lowerBound
            fresh = base + size..<fresh.upperBound
            return base
        }

        mutating func allocate(size: UInt, alignment: UInt) -> UnsafeMutableRawPointer? {
            let alignment = max(alignment, 16)
            let limit = UInt(1) << UInt(Self.largestClass)
            guard size <= limit, alignment <= limit, size + alignment <= limit else { return nil }
            // A base is a multiple of 16, so the first aligned address after the header is 16 to `alignment` bytes
            // above the base.
            let sizeClass = max(Self.smallestClass, UInt32(UInt.bitWidth - (size + alignment - 1).leadingZeroBitCount))
            guard let base = block(sizeClass: sizeClass) else { return nil }
            let address = (base + 8 + UInt32(alignment) - 1) & ~(UInt32(alignment) - 1)
            unsafe word(at: address - 8).pointee = base
            unsafe word(at: address - 4).pointee = sizeClass
            return unsafe UnsafeMutableRawPointer(bitPattern: UInt(address))
        }

        mutating func release(_ address: UInt32) {
            let base = unsafe word(at: address - 8).pointee
            let sizeClass = unsafe word(at: address - 4).pointee
            unsafe word(at: base).pointee = free[Int(sizeClass)]
            free[Int(sizeClass)] = base
        }

        /// Returns a pointer to the word at an address in the heap. The address is aligned and inside the memory, and
        /// the memory is bound to no other type.
        private func word(at address: UInt32) -> UnsafeMutablePointer<UInt32> {
            unsafe UnsafeMutablePointer(bitPattern: UInt(address)).unsafelyUnwrapped
        }
    }

    /// The access is safe: with one thread and no interrupts, nothing else runs while the heap changes.
    nonisolated(unsafe) private var heap = Heap()

    /// Returns 0 on success, or ENOMEM (POSIX.1-2017). Returns EINVAL if the alignment is not a power of two, or not a
    /// multiple of the pointer size.
    @c(posix_memalign)
    public func posixMemalign(
        _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: UInt, _ size: UInt
    ) -> Int32 {
        let (EINVAL, ENOMEM) = (22 as Int32, 12 as Int32)
        guard alignment >= 4, alignment & (alignment - 1) == 0 else { return EINVAL }
        guard let block = unsafe heap.allocate(size: size, alignment: alignment) else { return ENOMEM }
        unsafe result.pointee = unsafe block
        return 0
    }

    /// Replaces `free` (C11 7.22.3.3). Does nothing if the pointer is null. The runtime calls `free`; the linker option
    /// `--wrap=free` redirects these calls to this function.
    @c(__wrap_free)
    public func free(_ block: UnsafeMutableRawPointer?) {
        guard let block = unsafe block else { return }
        unsafe heap.release(UInt32(UInt(bitPattern: block)))
    }

    /// The size of the module's memory. Every address below the size is readable.
    public var memorySize: UInt64 {
        UInt64(UInt32(bitPattern: Int32(Builtin.int_wasm_memory_size_Int32(Int32(0)._value)))) * UInt64(Heap.pageSize)
    }
#endif
