#if os(Linux)
    import Foundation
    import Glibc
    import Synchronization

    /// Counts the calls of `malloc` that the Swift runtime makes on one thread. The runtime allocates all Swift objects
    /// with `malloc`, except types aligned to more than 16 bytes, which PureECDSA does not contain.
    ///
    /// glibc 2.34 and later have no malloc hooks, and this package contains no C code that could interpose `malloc`.
    /// The counter therefore replaces the `malloc` entry in libswiftCore's table of imported functions, which the
    /// dynamic linker fills (System V ABI, "Dynamic Linking"). The replacement counts the call and then calls `malloc`.
    public enum AllocationCounter {
        /// Counts the allocations of `body`.
        public static func count(_ body: () throws -> Void) rethrows -> Int { try measure(body).calls }

        /// Counts the allocations of `body` and the total number of bytes that it requests, including freed bytes.
        public static func measure(_ body: () throws -> Void) rethrows -> (calls: Int, bytes: Int) {
            precondition(isInstalled, "the Swift runtime's table has no malloc")
            // The lock allows one measurement at a time, because tests run concurrently.
            return try oneAtATime.withLock { _ in
                unsafe (countedCalls, countedBytes) = (0, 0)
                unsafe measuredThread = pthread_self()
                defer { unsafe measuredThread = nil }
                try body()
                return unsafe (countedCalls, countedBytes)
            }
        }

        private static let oneAtATime = Mutex(())

        /// Whether counting works on this system. The first access installs the counter.
        private static let isInstalled: Bool = {
            // Finds the first mapping of the library, which contains the ELF header: "base-end r--p 00000000 … path".
            guard
                let maps = FileHandle(forReadingAtPath: "/proc/self/maps").flatMap({ try? $0.readToEnd() }),
                let line = String(decoding: maps, as: UTF8.self).split(separator: "\n").first(where: {
                    $0.hasSuffix("/libswiftCore.so")
                }),
                let address = line.split(separator: "-").first.flatMap({ UInt(radix16: $0) }),
                let base = unsafe UnsafeMutableRawPointer(bitPattern: address)
            else { return false }
            return unsafe install(in: base)
        }()

        /// Replaces all `malloc` entries of the library loaded at `base`. Returns false if there are none.
        private static func install(in base: UnsafeMutableRawPointer) -> Bool {
            let header = unsafe base.load(as: Elf64_Ehdr.self)
            let programHeaders = unsafe (base + Int(header.e_phoff)).assumingMemoryBound(to: Elf64_Phdr.self)
            var entries: [Int64: UInt64] = [:]
            for index in 0..<Int(header.e_phnum) {
                let segment = unsafe programHeaders[index]
                guard segment.p_type == 2 /* PT_DYNAMIC */ else { continue }
                var entry = unsafe (base + Int(segment.p_vaddr)).assumingMemoryBound(to: Elf64_Dyn.self)
                while unsafe entry.pointee.d_tag != 0 {
                    unsafe entries[entry.pointee.d_tag] = unsafe entry.pointee.d_un.d_val
                    unsafe entry += 1
                }
            }
            // After loading, DT_STRTAB (5) and DT_SYMTAB (6) contain absolute addresses.
            guard
                let strings = unsafe entries[5].flatMap({ unsafe UnsafePointer<CChar>(bitPattern: UInt($0)) }),
                let symbols = unsafe entries[6].flatMap({ unsafe UnsafePointer<Elf64_Sym>(bitPattern: UInt($0)) })
            else { return false }
            var found = false
            // The relocation tables and their sizes: DT_JMPREL (23), DT_PLTRELSZ (2); DT_RELA (7), DT_RELASZ (8).
            for (table, size) in [(23, 2), (7, 8)] as [(Int64, Int64)] {
                guard
                    let count = entries[size].map({ Int($0) / MemoryLayout<Elf64_Rela>.stride }),
                    let relocations = unsafe entries[table].flatMap({
                        unsafe UnsafePointer<Elf64_Rela>(bitPattern: UInt($0))
                    })
                else { continue }
                for index in 0..<count {
                    let relocation = unsafe relocations[index]
                    // Uses only the relocation types GLOB_DAT and JUMP_SLOT of x86-64 (6, 7) and AArch64 (1025, 1026).
                    guard [6, 7, 1025, 1026].contains(relocation.r_info & 0xffff_ffff) else { continue }
                    let symbol = unsafe symbols[Int(relocation.r_info >> 32)]
                    guard unsafe strcmp(strings + Int(symbol.st_name), "malloc") == 0 else { continue }
                    let slot = unsafe base + Int(relocation.r_offset)
                    // The page is read-only after loading (RELRO), so the counter first makes it writable.
                    let page = Int(getpagesize())
                    let start = unsafe UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: slot) & ~UInt(page - 1))
                    guard unsafe mprotect(start, page, PROT_READ | PROT_WRITE) == 0 else { return false }
                    unsafe slot.storeBytes(of: countingMalloc, as: Malloc.self)
                    found = true
                }
            }
            return found
        }
    }

    private typealias Malloc = @convention(c) (_ size: Int) -> UnsafeMutableRawPointer?

    private let countingMalloc: Malloc = { size in
        if let thread = unsafe measuredThread, thread == pthread_self() {
            unsafe countedCalls += 1
            unsafe countedBytes += size
        }
        return unsafe malloc(size)
    }

    /// The thread whose allocations are counted.
    nonisolated(unsafe) private var measuredThread: pthread_t?
    nonisolated(unsafe) private var countedCalls = 0
    nonisolated(unsafe) private var countedBytes = 0

    extension UInt {
        fileprivate init?(radix16 text: some StringProtocol) { self.init(text, radix: 16) }
    }
#endif
