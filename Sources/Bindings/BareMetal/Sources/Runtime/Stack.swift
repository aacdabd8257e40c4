import _Volatile

#if hasFeature(Embedded)
    /// Measures the peak depth of the stack: fills the stack with a known word, and later looks for overwritten words.
    public enum Stack {
        private static let paintWord: UInt32 = 0x5aa5_5aa5

        /// Fills the unused stack with the paint word, except for a margin below the current stack frames.
        static func paint() {
            var address = Machine.stackLimit
            while address < Machine.stackTop - 1_024 {
                unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: address).store(paintWord)
                address += 4
            }
        }

        /// The number of bytes between the stack's top and the lowest overwritten word.
        private static var peak: UInt32 {
            var address = Machine.stackLimit
            while address < Machine.stackTop,
                unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: address).load() == paintWord
            {
                address += 4
            }
            return UInt32(Machine.stackTop - address)
        }

        /// Writes a line with the peak stack depth and the number of bytes allocated on the heap.
        public static func report() {
            write("peak stack ")
            write(peak)
            write(" bytes, heap ")
            write(UInt32(Heap.used))
            write(" bytes\n")
        }
    }
#endif
