import _Volatile

#if hasFeature(Embedded)
    /// The peak depth of the stack, measured by painting it first.
    public enum Stack {
        private static let paintWord: UInt32 = 0x5aa5_5aa5

        /// Fills the stack with the paint word, except a margin for the current calls.
        static func paint() {
            var address = Machine.stackLimit
            while address < Machine.stackTop - 1_024 {
                unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: address).store(paintWord)
                address += 4
            }
        }

        /// The number of bytes between the stack's top and the lowest written word.
        private static var peak: UInt32 {
            var address = Machine.stackLimit
            while address < Machine.stackTop,
                unsafe VolatileMappedRegister<UInt32>(unsafeBitPattern: address).load() == paintWord
            {
                address += 4
            }
            return UInt32(Machine.stackTop - address)
        }

        /// Writes a line with the peak depth, and the allocated bytes of the heap, which frees none.
        public static func report() {
            write("peak stack ")
            write(peak)
            write(" bytes, heap ")
            write(UInt32(Heap.used))
            write(" bytes\n")
        }
    }
#endif
