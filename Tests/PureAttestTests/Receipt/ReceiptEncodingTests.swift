import PureAttest
import PureDER
import Testing

/// Checks the statement in Receipts.md that the bytes of a receipt do not identify the receipt.
@Suite struct ReceiptEncodingTests {
    /// The outer encoding is not signed, so the same receipt may use DER or indefinite lengths.
    @Test(arguments: ReceiptTests.cases)
    func otherEncodingsOfOneReceiptVerify(_ test: ReceiptTests.Case) throws {
        let receipt = try test.unverified().verify(at: test.time)
        let der = try BERNormalizer.normalize(receipt.bytes)
        // The DER header of the receipt is 30 82 followed by two length octets.
        #expect(der.starts(with: [0x30, 0x82]))
        let indefinite = [0x30, 0x80] + der.dropFirst(4) + [0, 0]
        let key = try test.object.verify().key
        for bytes in [der, indefinite] {
            let other = try test.object.verifier().receipt(bytes, of: key).verify(at: test.time, maximumAge: nil)
            #expect(other.bytes.elementsEqual(bytes))
            #expect(other.payload.creationTime == receipt.payload.creationTime)
            #expect(other.payload.token == receipt.payload.token)
        }
        #expect(der != indefinite)
    }
}
