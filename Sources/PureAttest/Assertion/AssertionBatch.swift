#if !hasFeature(Embedded)

    @_spi(Steps) import PureBytes
    import PureECDSA
    package import PureSignedContent

    /// Assertions whose signatures are verified together. Each takes the steps of ``AssertionVerifier`` and gets the same
    /// verdict.
    package struct AssertionBatch {
        private let verifier: AssertionVerifier
        /// The verdict on each assertion, if its signature is valid.
        private var verdicts: [Result<VerifiedAssertion, PureAttestError>] = []
        /// The signatures that were reached, and the indices of their assertions.
        private var signatures: [P256.Signing.SignatureToVerify] = []
        private var indices: [Int] = []

        package init(of verifier: AssertionVerifier) {
            self.verifier = verifier
        }

        /// Takes every step of an assertion but the verification of its signature.
        ///
        /// A later step may fail too. The signature comes first in Apple's order, so ``verified()`` replaces that failure
        /// if the signature is invalid.
        package mutating func append(
            _ assertion: [UInt8], challenge: [UInt8], signed: SignedContent, key: AttestedKey, at time: UnixTime?
        ) {
            let index = verdicts.count
            verdicts.append(
                Result { () throws(PureAttestError) in
                    let assertion = try InputLimits.slice(assertion, upTo: InputLimits.assertion)
                    let clientData = signed.signedBytes(challenge: challenge[...], keyID: key.keyID)
                    var runner = FirstFailure<VerificationReport.Check, PureAttestError>()
                    let found = try verifier.takeSteps(
                        of: assertion, clientData: clientData, challenge: challenge[...], signed: signed, key: key,
                        at: time, by: &runner
                    ) { signature, digest in
                        signatures.append(key.signatureToVerify(signature, for: digest))
                        indices.append(index)
                        return true
                    }
                    return VerifiedAssertion(found, clientData: clientData)
                })
        }

        /// Verifies the signatures and returns the verdicts, in the order of the assertions.
        package consuming func verified() -> [Result<VerifiedAssertion, PureAttestError>] {
            for (index, isValid) in zip(indices, P256.Signing.areValidSignatures(signatures)) where !isValid {
                verdicts[index] = .failure(.invalidSignature)
            }
            return verdicts
        }
    }

#endif
