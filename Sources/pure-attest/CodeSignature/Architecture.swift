/// A processor architecture, as stored in a Mach-O header and in the list of a fat file.
struct Architecture: Hashable {
    var type: UInt32
    /// The subtype, with flags in the high byte (`CPU_SUBTYPE_MASK`, mach/machine.h). The flags state the version of
    /// pointer authentication, or 64-bit libraries. In genuine files, the flag for 64-bit libraries may differ between
    /// the header and the list.
    var subtype: UInt32

    /// Ignores the flags.
    func isSameProcessor(as other: Architecture) -> Bool {
        type == other.type && subtype & 0x00ff_ffff == other.subtype & 0x00ff_ffff
    }

    /// The name that `lipo` uses; for an unknown processor, the two numbers.
    var name: String {
        let subtype = subtype & 0x00ff_ffff
        switch (type, subtype) {
        case (0x0100_000c, 0): return "arm64"
        case (0x0100_000c, 1): return "arm64v8"
        case (0x0100_000c, 2): return "arm64e"
        case (0x0200_000c, 0), (0x0200_000c, 1): return "arm64_32"
        case (0x0100_0007, 3): return "x86_64"
        case (0x0100_0007, 8): return "x86_64h"
        case (7, 3): return "i386"
        case (12, 6): return "armv6"
        case (12, 9): return "armv7"
        case (12, 11): return "armv7s"
        case (12, 12): return "armv7k"
        case (18, 0): return "ppc"
        case (0x0100_0012, 0): return "ppc64"
        default: return "cpu \(type) subtype \(subtype)"
        }
    }
}
