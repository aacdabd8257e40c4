#if os(Linux) && !DEBUG
    import AllocationCounting
    import PureRSA
    import RSATestKeys
    import PureSHA2
    import Testing
    import VectorSupport

    /// In an optimized build, a verification allocates nothing on the heap.
    @Suite(.serialized) struct HeapAllocationTests {
        @Test(arguments: [TestKey.bits2048, .bits4096])
        func verificationDoesNotAllocate(_ key: TestKey) throws {
            let publicKey = try key.publicKey()
            let signature = try RSA.Signing.RSASignature(rawRepresentation: key.sign([1], .sha256))
            let digest = SHA256.hash(data: [1]), other = SHA256.hash(data: [2])
            var right = 0
            let count = AllocationCounter.count {
                for _ in 0..<10 {
                    if publicKey.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5) { right += 1 }
                    if !publicKey.isValidSignature(signature, for: other, padding: .insecurePKCS1v1_5) { right += 1 }
                }
            }
            #expect(right == 20)
            #expect(count == 0)
        }

        /// A key stores at most two numbers of 512 octets, however long the input is.
        @Test func readingAKeyAllocatesTwoNumbers() throws {
            let (long, exponent) = ([UInt8](repeating: 0xFF, count: 1 << 20), [UInt8](arrayLiteral: 3))
            #expect(AllocationCounter.count { _ = try? RSA.Signing.PublicKey(n: long, e: exponent) } <= 1)
        }
    }
#endif
