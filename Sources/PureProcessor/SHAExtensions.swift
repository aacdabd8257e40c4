#if ProcessorExtensions && arch(x86_64)

    /// Whether this processor has the instructions of PureSHA2Hardware: SHA (leaf 7, EBX bit 29) and SSSE3 (leaf 1, ECX
    /// bit 9). Computed once, because in a virtual machine the hypervisor answers CPUID, which takes microseconds. This
    /// module is compiled without flags for these instructions, so it runs on every processor. Tests run this module on
    /// some processors that lack the instructions.
    package let processorHasSHAExtensions: Bool = {
        guard let leaf1 = cpuid(1), let leaf7 = cpuid(7) else { return false }
        return leaf1.ecx.has(1 << 9) && leaf7.ebx.has(1 << 29)
    }()

#endif
