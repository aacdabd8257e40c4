// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// (The ABI defines the names and the behaviour of these functions.)

// C library functions that the Embedded Swift runtime and compiler-generated code call.
import _Volatile

#if hasFeature(Embedded)
    /// A heap that never frees memory. An image stops after one run, so it does not need to free anything.
    enum Heap {
        /// The access is safe, because the image has only one thread and no interrupts.
        nonisolated(unsafe) private static var next = Machine.heapStart

        /// Returns the address of a block aligned to at least 16 bytes, or `nil` if the heap is full.
        static func allocate(_ size: UInt, alignment: UInt) -> UInt? {
            let mask = max(alignment, 16) - 1
            let address = unsafe (next + mask) & ~mask
            guard address < Machine.stackLimit, size <= Machine.stackLimit - address else { return nil }
            unsafe next = address + size
            return address
        }

        /// In bytes.
        static var used: UInt { unsafe next - Machine.heapStart }
    }

    @c(posix_memalign)
    public func posixMemalign(_ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: UInt, _ size: UInt)
        -> Int32
    {
        guard let address = Heap.allocate(size, alignment: alignment) else { return 12 }
        unsafe result.pointee = unsafe UnsafeMutableRawPointer(bitPattern: address)
        return 0
    }

    /// Replaces `free`, through the linker option `--wrap=free`.
    @c(__wrap_free)
    public func free(_ block: UnsafeMutableRawPointer?) {}

    @c(memset)
    public func memset(_ target: UnsafeMutableRawPointer, _ value: Int32, _ count: UInt) -> UnsafeMutableRawPointer {
        unsafe fill(target, value, count)
        return unsafe target
    }

    @c(memcpy)
    public func memcpy(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt)
        -> UnsafeMutableRawPointer
    {
        unsafe copy(target, source, count)
        return unsafe target
    }

    @c(memmove)
    public func memmove(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt)
        -> UnsafeMutableRawPointer
    {
        unsafe move(target, source, count)
        return unsafe target
    }

    // These functions use volatile accesses, because LLVM would turn a plain loop in `memset` into a call of `memset`
    // itself. The functions in this file do not call `memset` or similar functions. LLVM would replace such a call with
    // a call to the EABI function, which may be the caller itself.

    #if _pointerBitWidth(_64)
        private typealias Word = UInt64
    #else
        private typealias Word = UInt32
    #endif
    private var wordSize: UInt { UInt(Word.bitWidth / 8) }

    /// Writes words if the address is aligned, and the remaining bytes singly.
    @unsafe
    private func fill(_ target: UnsafeMutableRawPointer, _ value: Int32, _ count: UInt) {
        let address = UInt(bitPattern: target), byte = UInt8(truncatingIfNeeded: value)
        var i: UInt = 0
        if address % wordSize == 0 {
            let word = Word(byte) &* (.max / 255)
            while count - i >= wordSize {
                unsafe VolatileMappedRegister<Word>(unsafeBitPattern: address + i).store(word)
                i += wordSize
            }
        }
        while i < count {
            unsafe store(byte, at: address + i)
            i += 1
        }
    }

    /// Copies in ascending order of addresses: words if both addresses are aligned, and the remaining bytes singly.
    @unsafe
    private func copy(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt) {
        let to = UInt(bitPattern: target), from = UInt(bitPattern: source)
        var i: UInt = 0
        if (to | from) % wordSize == 0 {
            while count - i >= wordSize {
                let word = unsafe VolatileMappedRegister<Word>(unsafeBitPattern: from + i).load()
                unsafe VolatileMappedRegister<Word>(unsafeBitPattern: to + i).store(word)
                i += wordSize
            }
        }
        while i < count {
            unsafe store(byte(at: from + i), at: to + i)
            i += 1
        }
    }

    /// Copies like `copy`, but the regions may overlap.
    @unsafe
    private func move(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt) {
        let to = UInt(bitPattern: target), from = UInt(bitPattern: source)
        guard to > from else { return unsafe copy(target, source, count) }
        var i = count
        while i > 0 {
            i -= 1
            unsafe store(byte(at: from + i), at: to + i)
        }
    }

    @unsafe
    private func store(_ value: UInt8, at address: UInt) {
        unsafe VolatileMappedRegister<UInt8>(unsafeBitPattern: address).store(value)
    }

    // The same functions under their ARM EABI names (ARM IHI 0043 §4.3.4).
    #if arch(arm)
        @c(__aeabi_memclr)
        public func aeabiMemclr(_ target: UnsafeMutableRawPointer, _ count: UInt) {
            unsafe fill(target, 0, count)
        }
        @c(__aeabi_memclr4)
        public func aeabiMemclr4(_ target: UnsafeMutableRawPointer, _ count: UInt) {
            unsafe fill(target, 0, count)
        }
        @c(__aeabi_memclr8)
        public func aeabiMemclr8(_ target: UnsafeMutableRawPointer, _ count: UInt) {
            unsafe fill(target, 0, count)
        }
        @c(__aeabi_memcpy)
        public func aeabiMemcpy(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt) {
            unsafe copy(target, source, count)
        }
        @c(__aeabi_memcpy4)
        public func aeabiMemcpy4(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt) {
            unsafe copy(target, source, count)
        }
        @c(__aeabi_memcpy8)
        public func aeabiMemcpy8(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt) {
            unsafe copy(target, source, count)
        }
        @c(__aeabi_memmove)
        public func aeabiMemmove(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt) {
            unsafe move(target, source, count)
        }
        @c(__aeabi_memmove4)
        public func aeabiMemmove4(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt) {
            unsafe move(target, source, count)
        }
        @c(__aeabi_memmove8)
        public func aeabiMemmove8(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt) {
            unsafe move(target, source, count)
        }
        @c(__aeabi_memset4)
        public func aeabiMemset4(_ target: UnsafeMutableRawPointer, _ count: UInt, _ value: Int32) {
            unsafe fill(target, value, count)
        }
        @c(__aeabi_memset8)
        public func aeabiMemset8(_ target: UnsafeMutableRawPointer, _ count: UInt, _ value: Int32) {
            unsafe fill(target, value, count)
        }
        @c(__aeabi_memset)
        public func aeabiMemset(_ target: UnsafeMutableRawPointer, _ count: UInt, _ value: Int32) {
            unsafe fill(target, value, count)
        }
    #endif
#endif
