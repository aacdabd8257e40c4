import PureAttest
import Testing

/// The COSE key in the authenticator data must equal the certified key in both coordinates. Apple, attestation step 9.
@Suite struct CredentialKeyTests {
    /// Tests the first and the last octet of x and of y in the encoding `04 x y`.
    @Test(arguments: [1, 32, 33, 64])
    func coordinates(_ index: Int) throws {
        var x963 = TestDevice.key.x963
        x963[index] ^= 1
        var device = TestDevice()
        device.credentialKey = CBOR.map([
            (CBOR.unsigned(1), CBOR.unsigned(2)), (CBOR.unsigned(3), CBOR.negative(-7)),
            (CBOR.negative(-1), CBOR.unsigned(1)), (CBOR.negative(-2), CBOR.bytes(x963[1...32])),
            (CBOR.negative(-3), CBOR.bytes(x963[33...])),
        ])
        #expect(throws: PureAttestError.credentialKeyMismatch) { try device.verify() }
    }
}
