import PureX509
import Testing

@Suite struct ConstantTests {
    @Test func limits() {
        #expect(Certificate.maximumEncodedSize == 102_400)
        #expect(Certificate.maximumExtensionCount == 64)
        #expect(Certificate.maximumSerialNumberSize == 20)
        #expect(BasicConstraints.maximumPathLength == 255)
        #expect(SignedData.maximumCertificateCount == 8)
    }

    /// RFC 5280 §4.2.1.3: bit n, counted from the first, has number n.
    @Test func keyUsageBits() {
        let usages: [KeyUsage] = [
            .digitalSignature, .contentCommitment, .keyEncipherment, .dataEncipherment, .keyAgreement, .keyCertSign,
            .cRLSign, .encipherOnly, .decipherOnly,
        ]
        for (bit, usage) in usages.enumerated() { #expect(usage.rawValue == 1 << UInt16(bit)) }
    }
}
