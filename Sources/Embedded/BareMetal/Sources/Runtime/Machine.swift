// The two machines of qemu that the images run on: where they start, write a line and stop.
import _Volatile

#if arch(arm)
    /// The board mps2-an386.
    enum Machine {
        static let heapStart: UInt = 0x2010_0000, stackLimit: UInt = 0x2030_0000, stackTop: UInt = 0x2040_0000
        static let objects: UInt = 0x2100_0000

        /// CMSDK UART 0 (ARM DDI 0479D §4.3): control bit 0 enables sending, state bit 0 says that its one byte is not sent yet.
        static func write(_ byte: UInt8) {
            let control = unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4000_4008)
            let state = unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4000_4004)
            let data = unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4000_4000)
            unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4000_4010).store(16)
            control.store(1)
            while state.load() & 1 != 0 {}
            data.store(UInt32(byte))
        }

        /// Asks for a reset (AIRCR.SYSRESETREQ, ARM DDI 0403E §B3.2.6), at which qemu ends with `-no-reboot`.
        static func stop() -> Never {
            unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xe000_ed0c).store(0x05fa_0004)
            while true {}
        }
    }
#elseif arch(riscv32)
    /// The board virt.
    enum Machine {
        static let heapStart: UInt = 0x8040_0000, stackLimit: UInt = 0x8070_0000, stackTop: UInt = 0x8080_0000
        static let objects: UInt = 0x8100_0000

        /// A 16550: the first register sends.
        static func write(_ byte: UInt8) {
            unsafe VolatileMappedRegister<UInt8>(unsafeBitPattern: 0x1000_0000).store(byte)
        }

        /// The "test finisher" of SiFive, which ends qemu.
        static func stop() -> Never {
            unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x0010_0000).store(0x5555)
            while true {}
        }
    }
#endif

#if arch(arm) || arch(riscv32)
    @_extern(c, "image_main")
    private func imageMain()

    /// Where the machine starts: the linker scripts lead here.
    @c(reset)
    public func reset() {
        Stack.paint()
        unsafe imageMain()
        Machine.stop()
    }

    /// A trap or a fault: hostile input must never lead here, and the test looks for the line.
    @c(fault)
    public func fault() {
        write("TRAP\n")
        Machine.stop()
    }

    /// Writes the text, ASCII.
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

    /// The objects that were loaded beside the image, one after the other: each a length in four bytes, most significant first, and as
    /// many bytes.
    public struct LoadedObjects {
        private var address = Machine.objects

        /// Starts with the first.
        public init() {}

        /// The next object.
        public mutating func next() -> [UInt8] {
            let count = number(byteCount: 4)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(Int(count))
            for _ in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number(byteCount: 1))) }
            return bytes
        }

        /// The next bytes as a number, most significant first.
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
