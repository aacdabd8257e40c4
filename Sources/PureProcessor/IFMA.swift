#if ProcessorExtensions && arch(x86_64)

    import _Builtin_intrinsics.intel

    /// Whether this processor has the instructions of PureECDSALanes, and the operating system saves the registers of
    /// these instructions. The instructions are AVX-512 with IFMA, and all other extensions that the compiler may use
    /// (Intel SDM volume 1, §15.2 to 15.4). Computed once.
    package let processorHasIFMA: Bool = {
        guard let leaf1 = cpuid(1), let leaf7 = cpuid(7), let leafD = cpuid(0xD, 1) else { return false }
        // FMA, SSE4.2, POPCNT, OSXSAVE, AVX, F16C.
        return leaf1.ecx.has(1 << 12 | 1 << 20 | 1 << 23 | 1 << 27 | 1 << 28 | 1 << 29)
            // AVX2, BMI2, and the AVX-512 extensions F, DQ, IFMA, BW and VL.
            && leaf7.ebx.has(1 << 5 | 1 << 8 | 1 << 16 | 1 << 17 | 1 << 21 | 1 << 30 | 1 << 31)
            && leafD.eax.has(1 << 1)  // XSAVEC
            && enabledState == vectorState
    }()

    /// The bits of XCR0 for SSE, AVX, opmask, the upper halves of ZMM0 to ZMM15, and ZMM16 to ZMM31.
    private let vectorState: UInt64 = 0xE6

    /// XCR0 & ``vectorState``. XSAVEC writes this value, with bit 63 set, to XCOMP_BV at octet 520 (SDM volume 1,
    /// §13.10). Swift cannot import XGETBV, which would read XCR0 directly.
    private var enabledState: UInt64 {
        // The unsafe access is safe, because the state of these components takes only 2,432 octets, aligned to 64 (SDM
        // volume 1, §13.4).
        unsafe withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 64) { area in
            unsafe area.initializeMemory(as: UInt8.self, repeating: 0)
            guard let start = area.baseAddress else { return 0 }
            unsafe _xsavec64(start, vectorState)
            return unsafe area.load(fromByteOffset: 520, as: UInt64.self) & ~(1 << 63)
        }
    }

#endif
