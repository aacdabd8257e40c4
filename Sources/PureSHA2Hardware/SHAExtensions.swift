#if HardwareSHA && arch(x86_64)

    import _Builtin_intrinsics.intel.cpuid

    /// Whether this processor has the instructions of ``takeIn(_:_:_:)``: SHA (Intel SDM volume 2A, "CPUID", leaf 7,
    /// EBX bit 29) and SSSE3 (leaf 1, ECX bit 9). Computed once, because in a virtual machine the hypervisor answers,
    /// which takes microseconds.
    ///
    /// This code is compiled with the same flags but uses only integers. A test runs it on a processor without either.
    package let processorHasSHAExtensions: Bool = {
        var a: UInt32 = 0, b: UInt32 = 0, c: UInt32 = 0, d: UInt32 = 0
        // Safe: the call writes only to the four numbers and reads no leaf beyond the highest.
        guard unsafe __get_cpuid_count(1, 0, &a, &b, &c, &d) == 1, c >> 9 & 1 == 1 else { return false }
        guard unsafe __get_cpuid_count(7, 0, &a, &b, &c, &d) == 1 else { return false }
        return b >> 29 & 1 == 1
    }()

#endif
