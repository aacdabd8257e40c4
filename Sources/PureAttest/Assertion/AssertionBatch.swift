#if !hasFeature(Embedded)

    @_spi(Steps) import PureBytes
    import PureECDSA
    package import PureSignedContent

    /// A batch of assertions whose signatures are verified together.
    package struct AssertionBatch {
        private let verifier: AssertionVerifier
        /// The verdict on each assertion, assuming that its signature is valid.
        private var verdicts: [Result<VerifiedAssertion, PureAttestError>] = []
        /// The signatures of the assertions that reached step 3, with the indices of these assertions.
        private var signatures: [P256.Signing.SignatureToVerify] = []
        private var indices: [Int] = []

        package init(of verifier: AssertionVerifier) {
            self.verifier = verifier
        }

        /// Runs every step of an assertion except the signature verification (step 3). ``verified()`` reports an
        /// invalid signature even if a later step also failed, because Apple verifies the signature before the later
        /// steps.
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

        /// Verifies the signatures and returns the verdicts, in the order in which the assertions were appended.
        package consuming func verified() -> [Result<VerifiedAssertion, PureAttestError>] {
            for (index, isValid) in zip(indices, P256.Signing.areValidSignatures(signatures)) where !isValid {
                verdicts[index] = .failure(.invalidSignature)
            }
            return verdicts
        }
    }

#endif
