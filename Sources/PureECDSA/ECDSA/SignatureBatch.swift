#if !hasFeature(Embedded)

    public import PureSHA2

    #if ProcessorExtensions && arch(x86_64)
        import PureProcessor
    #endif

    extension P256.Signing {
        /// A signature of a batch, with its digest and its public key.
        public struct SignatureToVerify: Sendable {
            enum Key {
                case point(PublicKey)
                case multiples(PublicKeyMultiples)
                case table(PrecomputedPublicKey)
            }

            let signature: ECDSASignature
            /// The leftmost 256 bits of the digest. P-256 does not use the other bits (FIPS 186-5 §6.4.2 step 2).
            let digest: InlineArray<32, UInt8>
            let key: Key

            /// Creates an item from the arguments of `PublicKey.isValidSignature(_:for:)`.
            public init(_ signature: ECDSASignature, for digest: some Digest, publicKey: PublicKey) {
                self.init(signature, digest, .point(publicKey))
            }

            /// Creates an item from the arguments of `PrecomputedPublicKey.isValidSignature(_:for:)`.
            public init(_ signature: ECDSASignature, for digest: some Digest, publicKey: PrecomputedPublicKey) {
                self.init(signature, digest, .table(publicKey))
            }

            package init(_ signature: ECDSASignature, for digest: some Digest, publicKey: PublicKeyMultiples) {
                self.init(signature, digest, .multiples(publicKey))
            }

            private init(_ signature: ECDSASignature, _ digest: some Digest, _ key: Key) {
                self.signature = signature
                // Not `digest[$0]`, which this generic function would call 32 times through the protocol.
                switch digest.sha2 {
                case .sha256(let digest): self.digest = digest.bytes
                case .sha384(let digest): self.digest = InlineArray { digest[$0] }
                case .sha512(let digest): self.digest = InlineArray { digest[$0] }
                }
                self.key = key
            }

            var isValid: Bool {
                switch key {
                case .point(let key):
                    P256Curve.isValid(signature.scalars, digest: digest.span, publicKey: key.point)
                case .multiples(let key):
                    P256Curve.isValid(signature.scalars, digest: digest.span, publicKey: key.points)
                case .table(let key):
                    P256Curve.isValid(signature.scalars, digest: digest.span, publicKey: key.table)
                }
            }
        }

        /// Verifies signatures, each with its own key and digest. One invalid signature does not affect the others.
        ///
        /// With the package's trait `ProcessorExtensions`, an x86-64 processor with AVX-512 IFMA verifies up to eight
        /// signatures at once. All other signatures are verified one by one, with the same verdicts.
        ///
        /// Time: variable, because signatures, digests and keys are not secret.
        ///
        /// - Returns: Whether each signature is valid, in the order of `signatures`.
        public static func areValidSignatures(_ signatures: [SignatureToVerify]) -> [Bool] {
            #if ProcessorExtensions && arch(x86_64)
                if processorHasIFMA, signatures.count >= fewestLanes {
                    return areValidSignatures(signatures, by: IFMALanes())
                }
            #endif
            return signatures.map(\.isValid)
        }
    }

#endif
