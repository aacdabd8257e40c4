#if os(Linux)
    import AllocationCounting
    import PureECDSA
    import PureSHA2
    import ReferenceModel
    import Testing
    import VectorSupport

    /// Runs only in optimized builds, because a debug build boxes values that the optimizer keeps on the stack.
    @Suite(.serialized) struct HeapAllocationTests {
        private static let isOptimized: Bool = {
            #if DEBUG
                false
            #else
                true
            #endif
        }()

        /// The counter also counts allocations that the measured call frees before it returns.
        @Test func counterSeesAllocations() {
            #expect(AllocationCounter.count { _ = blackHole([UInt8](repeating: 7, count: blackHole(100))) } >= 1)
            #expect(AllocationCounter.count { _ = blackHole(Box()) } >= 1)
            #expect(AllocationCounter.count { _ = blackHole(7) } == 0)
        }

        @Test(.enabled(if: isOptimized, "needs an optimised build"))
        func verificationDoesNotAllocateOnP256() throws {
            var builder = EdgeSignatureBuilder(.p256)
            let edge = builder.signature("any", digest: builder.digest(count: 32))
            let key = try P256.Signing.PublicKey(x963Representation: edge.publicKey.x963(on: .p256))
            let precomputed = P256.Signing.PrecomputedPublicKey(key)
            let multiples = P256.Signing.PublicKeyMultiples(key)
            let signature = try P256.Signing.ECDSASignature(derRepresentation: derSignature(edge.r, edge.s))
            let other = try P256.Signing.ECDSASignature(derRepresentation: derSignature(edge.s, edge.r))
            let digest = SHA256Digest(edge.digest)
            expectNoAllocation(true) { key.isValidSignature(signature, for: digest) }
            expectNoAllocation(true) { precomputed.isValidSignature(signature, for: digest) }
            expectNoAllocation(true) { multiples.isValidSignature(signature, for: digest) }
            expectNoAllocation(false) { key.isValidSignature(other, for: digest) }
            expectNoAllocation(false) { precomputed.isValidSignature(other, for: digest) }
        }

        @Test(.enabled(if: isOptimized, "needs an optimised build"))
        func verificationDoesNotAllocateOnP384() throws {
            var builder = EdgeSignatureBuilder(.p384)
            let edge = builder.signature("any", digest: builder.digest(count: 48))
            let key = try P384.Signing.PublicKey(x963Representation: edge.publicKey.x963(on: .p384))
            let precomputed = P384.Signing.PrecomputedPublicKey(key)
            let signature = try P384.Signing.ECDSASignature(derRepresentation: derSignature(edge.r, edge.s))
            let digest = SHA384Digest(edge.digest)
            expectNoAllocation(true) { key.isValidSignature(signature, for: digest) }
            expectNoAllocation(true) { precomputed.isValidSignature(signature, for: digest) }
        }

        private func expectNoAllocation(_ verdict: Bool, _ verify: () -> Bool) {
            var right = 0
            let count = AllocationCounter.count {
                for _ in 0..<10 where verify() == verdict { right += 1 }
            }
            #expect(right == 10)
            #expect(count == 0)
        }
    }

    private final class Box {}

    /// Hides a value from the optimizer. The optimizer must compute the argument and cannot know the result.
    @inline(never)
    @_optimize(none)
    private func blackHole<Value>(_ value: Value) -> Value { value }
#endif
