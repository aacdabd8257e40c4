// Start-up, output and power-off of the qemu machines that run the images.
import _Volatile

#if arch(arm)
    /// The qemu board mps2-an386.
    enum Machine {
        static let heapStart: UInt = 0x2010_0000, stackLimit: UInt = 0x2030_0000, stackTop: UInt = 0x2040_0000
        static let objects: UInt = 0x2100_0000

        /// Writes a byte to CMSDK UART 0 (ARM DDI 0479D §4.3). Bit 0 of the control register enables the transmitter.
        /// Bit 0 of the state register is set while the one-byte transmit buffer is full.
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
    /// The qemu board virt, with its secure devices.
    enum Machine {
        static let heapStart: UInt = 0x5800_0000, stackLimit: UInt = 0x5ff0_0000, stackTop: UInt = 0x6000_0000
        static let objects: UInt = 0x5000_0000

        /// Writes a byte to a PL011, whose first register is the data register.
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
    /// The qemu board virt.
    enum Machine {
        static let heapStart: UInt = 0x8040_0000, stackLimit: UInt = 0x8070_0000, stackTop: UInt = 0x8080_0000
        static let objects: UInt = 0x8100_0000

        /// Writes a byte to a 16550, whose first register is the transmit register.
        static func write(_ byte: UInt8) {
            unsafe VolatileMappedRegister<UInt8>(unsafeBitPattern: 0x1000_0000).store(byte)
        }

        /// Ends qemu through SiFive's "test finisher" device.
        static func stop() -> Never {
            unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x0010_0000).store(0x5555)
            while true {}
        }
    }
#endif

#if hasFeature(Embedded)
    @_extern(c, "image_main")
    private func imageMain()

    /// The machine's entry point, which the linker scripts name.
    @c(reset)
    public func reset() {
        Stack.paint()
        imageMain()
        Machine.stop()
    }

    /// Reports a trap or fault with a line of output, and stops. Hostile input must never cause a trap. The test
    /// detects a trap, because the expected verdict is then missing from the output.
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
        /// Reads the generic timer's count. The linker script defines this function with two instructions.
        @_extern(c, "timer_count")
        private func timerCount() -> UInt64
    #endif

    /// Returns the number of executed instructions, or 0 if the machine does not count instructions.
    ///
    /// With qemu's option `-icount shift=4`, each instruction takes 16 ns. The timer's period is also 16 ns, so the
    /// timer counts instructions.
    public func instructionCount() -> UInt32 {
        #if arch(arm64)
            UInt32(truncatingIfNeeded: timerCount())
        #else
            0
        #endif
    }

    /// The objects that were loaded beside the image, in sequence. Each object is a length in four bytes (big-endian),
    /// followed by that number of bytes.
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

        /// Returns the next object as a number. The object must be at most eight bytes long, in big-endian order.
        public mutating func nextNumber() -> Int64 { next().reduce(0) { $0 << 8 | Int64($1) } }

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
