import _Volatile

#if arch(arm) || arch(riscv32)
    /// How deep the stack went, by painting it first.
    public enum Stack {
        private static let paintWord: UInt32 = 0x5aa5_5aa5

        /// Fills the stack below a margin for what runs now.
        static func paint() {
            var address = Machine.stackLimit
            while address < Machine.stackTop - 1_024 {
                unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: address).store(paintWord)
                address += 4
            }
        }

        /// Bytes between the stack's top and the lowest word that was written.
        public static var peak: UInt32 {
            var address = Machine.stackLimit
            while address < Machine.stackTop,
                unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: address).load() == paintWord
            {
                address += 4
            }
            return UInt32(Machine.stackTop - address)
        }

        /// Bytes of heap that were given out, none of which this runtime takes back.
        public static var heap: UInt32 { UInt32(Heap.used) }
    }
#endif
