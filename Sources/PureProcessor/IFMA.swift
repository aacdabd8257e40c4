#if ProcessorExtensions && arch(x86_64)

    import _Builtin_intrinsics.intel

    /// Whether this processor has the instructions of PureECDSALanes, and the system saves their registers: AVX-512
    /// with IFMA, and what else the compiler may use (Intel SDM volume 1, §15.2 to 15.4). Computed once.
    package let processorHasIFMA: Bool = {
        guard let leaf1 = cpuid(1), let leaf7 = cpuid(7), let leafD = cpuid(0xD, 1) else { return false }
        // FMA, SSE4.2, POPCNT, OSXSAVE, AVX, F16C.
        return leaf1.ecx.has(1 << 12 | 1 << 20 | 1 << 23 | 1 << 27 | 1 << 28 | 1 << 29)
            // AVX2, BMI2, and of AVX-512: F, DQ, IFMA, BW, VL.
            && leaf7.ebx.has(1 << 5 | 1 << 8 | 1 << 16 | 1 << 17 | 1 << 21 | 1 << 30 | 1 << 31)
            && leafD.eax.has(1 << 1)  // XSAVEC
            && enabledState == vectorState
    }()

    /// Of XCR0: SSE, AVX, opmask, and the upper halves of ZMM registers.
    private let vectorState: UInt64 = 0xE6

    /// XCR0 & ``vectorState``. XSAVEC writes it, with bit 63 set, to XCOMP_BV at octet 520 (SDM volume 1, §13.10).
    /// XGETBV, which reads XCR0 itself, cannot be imported.
    private var enabledState: UInt64 {
        // Safe: the state of these components takes 2,432 octets (SDM volume 1, §13.4), aligned to 64.
        unsafe withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 64) { area in
            unsafe area.initializeMemory(as: UInt8.self, repeating: 0)
            guard let start = area.baseAddress else { return 0 }
            unsafe _xsavec64(start, vectorState)
            return unsafe area.load(fromByteOffset: 520, as: UInt64.self) & ~(1 << 63)
        }
    }

#endif
