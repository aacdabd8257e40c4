// The qemu machines that run the images: start, output and stop.
import _Volatile

#if arch(arm)
    /// The board mps2-an386.
    enum Machine {
        static let heapStart: UInt = 0x2010_0000, stackLimit: UInt = 0x2030_0000, stackTop: UInt = 0x2040_0000
        static let objects: UInt = 0x2100_0000

        /// Writes to CMSDK UART 0 (ARM DDI 0479D §4.3). Control bit 0 enables sending; state bit 0 is set until its
        /// only byte is sent.
        static func write(_ byte: UInt8) {
            let control = unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4000_4008)
            let state = unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4000_4004)
            let data = unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4000_4000)
            unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4000_4010).store(16)
            control.store(1)
            while state.load() & 1 != 0 {}
            data.store(UInt32(byte))
        }

        /// Requests a reset (AIRCR.SYSRESETREQ, ARM DDI 0403E §B3.2.6), which ends qemu with `-no-reboot`.
        static func stop() -> Never {
            unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xe000_ed0c).store(0x05fa_0004)
            while true {}
        }
    }
#elseif arch(arm64)
    /// The board virt with its secure devices.
    enum Machine {
        static let heapStart: UInt = 0x5800_0000, stackLimit: UInt = 0x5ff0_0000, stackTop: UInt = 0x6000_0000
        static let objects: UInt = 0x5000_0000

        /// Writes to a PL011: its first register sends.
        static func write(_ byte: UInt8) {
            unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x0900_0000).store(UInt32(byte))
        }

        /// Sets output 0 of the secure PL061 (ARM DDI 0190B §3.2.1), which turns the board off.
        static func stop() -> Never {
            unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x090b_0400).store(1)
            unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x090b_0004).store(1)
            while true {}
        }
    }
#elseif arch(riscv32)
    /// The board virt.
    enum Machine {
        static let heapStart: UInt = 0x8040_0000, stackLimit: UInt = 0x8070_0000, stackTop: UInt = 0x8080_0000
        static let objects: UInt = 0x8100_0000

        /// Writes to a 16550: its first register sends.
        static func write(_ byte: UInt8) {
            unsafe VolatileMappedRegister<UInt8>(unsafeBitPattern: 0x1000_0000).store(byte)
        }

        /// Ends qemu by SiFive's "test finisher".
        static func stop() -> Never {
            unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x0010_0000).store(0x5555)
            while true {}
        }
    }
#endif

#if hasFeature(Embedded)
    @_extern(c, "image_main")
    private func imageMain()

    /// The entry point of the machine, named by the linker scripts.
    @c(reset)
    public func reset() {
        Stack.paint()
        imageMain()
        Machine.stop()
    }

    /// Handles a trap or fault. Hostile input must never lead here; the test searches for this line.
    @c(fault)
    public func fault() {
        write("TRAP\n")
        Machine.stop()
    }

    /// Writes ASCII text.
    public func write(_ text: StaticString) {
        var address = unsafe UInt(bitPattern: text.utf8Start)
        for _ in 0..<text.utf8CodeUnitCount {
            Machine.write(unsafe byte(at: address))
            address += 1
        }
    }

    /// Writes a number in decimal.
    public func write(_ number: UInt32) {
        if number >= 10 { write(number / 10) }
        Machine.write(48 + UInt8(truncatingIfNeeded: number % 10))
    }

    #if arch(arm64)
        /// Two instructions of the linker script: the generic timer's count.
        @_extern(c, "timer_count")
        private func timerCount() -> UInt64
    #endif

    /// Returns the executed instructions, if the machine counts them, or 0.
    ///
    /// With qemu's `-icount shift=4` an instruction takes 16 ns, the period of the timer.
    public func instructionCount() -> UInt32 {
        #if arch(arm64)
            UInt32(truncatingIfNeeded: timerCount())
        #else
            0
        #endif
    }

    /// The objects that were loaded beside the image, in sequence: each a length in four big-endian bytes, then its
    /// bytes.
    public struct LoadedObjects {
        private var address = Machine.objects

        /// Starts with the first object.
        public init() {}

        /// Returns the next object.
        public mutating func next() -> [UInt8] {
            let count = number(byteCount: 4)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(Int(count))
            for _ in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number(byteCount: 1))) }
            return bytes
        }

        /// Returns the next object as a big-endian number of at most eight bytes.
        public mutating func nextNumber() -> Int64 { next().reduce(0) { $0 << 8 | Int64($1) } }

        /// Reads a big-endian number.
        private mutating func number(byteCount: Int) -> UInt32 {
            var number: UInt32 = 0
            for _ in 0..<byteCount {
                number = number << 8 | UInt32(unsafe byte(at: address))
                address += 1
            }
            return number
        }
    }

    @unsafe
    func byte(at address: UInt) -> UInt8 {
        unsafe VolatileMappedRegister<UInt8>(unsafeBitPattern: address).load()
    }
#endif
