#if ProcessorExtensions && arch(x86_64)

    import _Builtin_intrinsics.intel.cpuid

    /// Returns the registers of CPUID for a leaf (Intel SDM volume 2A, "CPUID"), or `nil` if the processor lacks the
    /// leaf.
    func cpuid(_ leaf: UInt32, _ subleaf: UInt32 = 0) -> (eax: UInt32, ebx: UInt32, ecx: UInt32)? {
        var a: UInt32 = 0, b: UInt32 = 0, c: UInt32 = 0, d: UInt32 = 0
        // The unsafe call is safe, because it writes only to the four variables and reads only supported leaves.
        guard unsafe __get_cpuid_count(leaf, subleaf, &a, &b, &c, &d) == 1 else { return nil }
        return (a, b, c)
    }

    extension UInt32 {
        func has(_ bits: UInt32) -> Bool { self & bits == bits }
    }

#endif
