import Foundation
import PureDER
import Testing
import VectorSupport

/// Tests which BER forms the conversion to DER changes, which it leaves unchanged, and which it rejects.
@Suite struct BERNormalizerTests {
    /// §8.1.3, §8.7.3, §8.1.5.
    @Test func forms() throws {
        for (ber, der): ([UInt8], [UInt8]) in [
            // Definite lengths, already DER.
            ([0x30, 0x03, 0x02, 0x01, 0x05], [0x30, 0x03, 0x02, 0x01, 0x05]),
            ([0x05, 0x00], [0x05, 0x00]),
            // Indefinite lengths, including nested elements.
            ([0x30, 0x80, 0x02, 0x01, 0x05, 0x00, 0x00], [0x30, 0x03, 0x02, 0x01, 0x05]),
            ([0x30, 0x80, 0x00, 0x00], [0x30, 0x00]),
            ([0xA0, 0x80, 0x31, 0x80, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00], [0xA0, 0x04, 0x31, 0x02, 0x05, 0x00]),
            ([0xBF, 0x8A, 0x7B, 0x80, 0x00, 0x00], [0xBF, 0x8A, 0x7B, 0x00]),
            ([0x30, 0x81, 0x07, 0x02, 0x84, 0, 0, 0, 1, 0x05], [0x30, 0x03, 0x02, 0x01, 0x05]),
            ([0x04, 0x85, 0, 0, 0, 0, 1, 0xAA], [0x04, 0x01, 0xAA]),
            // OCTET STRING in nested parts.
            ([0x24, 0x80, 0x04, 0x01, 0xAA, 0x04, 0x02, 0xBB, 0xCC, 0x00, 0x00], [0x04, 0x03, 0xAA, 0xBB, 0xCC]),
            ([0x24, 0x03, 0x04, 0x01, 0xAA], [0x04, 0x01, 0xAA]),
            ([0x24, 0x80, 0x24, 0x80, 0x04, 0x01, 0xAA, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00], [0x04, 0x01, 0xAA]),
            ([0x24, 0x80, 0x00, 0x00], [0x04, 0x00]),
            // An OCTET STRING whose contents look like end-of-contents octets.
            ([0x30, 0x80, 0x04, 0x02, 0x00, 0x00, 0x00, 0x00], [0x30, 0x04, 0x04, 0x02, 0x00, 0x00]),
            // Universal tag 31 is not a string type, so it may be constructed.
            ([0x3F, 0x1F, 0x80, 0x00, 0x00], [0x3F, 0x1F, 0x00]),
        ] {
            #expect(try BERNormalizer.normalize(ber[...]) == der, "\(ber)")
            #expect(try BERNormalizer.normalize(([0xFF] + ber)[1...]) == der)
            #expect(try BERNormalizer.normalize(der[...]) == der)
        }
        let long = [UInt8](repeating: 0xAB, count: 70_000)
        let parts = long.prefix(60_000), rest = long.dropFirst(60_000)
        let ber = [0x24, 0x80, 0x04, 0x82, 0xEA, 0x60] + parts + [0x04, 0x82, 0x27, 0x10] + rest + [0, 0]
        #expect(try BERNormalizer.normalize(ber[...]) == [0x04, 0x83, 0x01, 0x11, 0x70] + long)
    }

    /// §8.1.3.2, §8.1.5, §8.6.4, §8.23.6.
    @Test func rejectsMalformedBER() {
        for (ber, error): ([UInt8], DERError) in [
            ([], .unexpectedEnd), ([0x30], .unexpectedEnd), ([0x30, 0x80], .unexpectedEnd),
            ([0x30, 0x80, 0x00], .unexpectedEnd), ([0x30, 0x80, 0x05, 0x00], .unexpectedEnd),
            ([0x30, 0x02, 0x05], .unexpectedEnd), ([0x05, 0x00, 0x00], .trailingBytes),
            ([0x30, 0x80, 0x00, 0x00, 0x00], .trailingBytes),
            // An inner element that ends after the outer element.
            ([0x30, 0x03, 0x30, 0x80, 0x05, 0x00, 0x00, 0x00], .unexpectedEnd),
            ([0x30, 0x02, 0x04, 0x01, 0xAA], .unexpectedEnd),
            // Only constructed elements have indefinite lengths.
            ([0x04, 0x80, 0xAA, 0x00, 0x00], .indefiniteLength), ([0x04, 0x80], .indefiniteLength),
            ([0x00, 0x00], .reservedTag), ([0x30, 0x02, 0x00, 0x00], .reservedTag),
            ([0x30, 0x80, 0x00, 0x01, 0xAA, 0x00, 0x00], .reservedTag),
            ([0x24, 0x80, 0x02, 0x01, 0x05, 0x00, 0x00], .invalidStringPart),
            ([0x24, 0x80, 0x80, 0x01, 0x05, 0x00, 0x00], .invalidStringPart),
            // Tag number 4 in classes other than universal.
            ([0x24, 0x80, 0x44, 0x01, 0x05, 0x00, 0x00], .invalidStringPart),
            ([0x24, 0x80, 0x84, 0x01, 0x05, 0x00, 0x00], .invalidStringPart),
            ([0x24, 0x80, 0xC4, 0x01, 0x05, 0x00, 0x00], .invalidStringPart),
            ([0x23, 0x80, 0x03, 0x01, 0x00, 0x00, 0x00], .constructedString), ([0x2C, 0x00], .constructedString),
            ([0x04, 0x84, 0x80, 0, 0, 0], .lengthTooLarge),
            ([0x30, 0x88] + [UInt8](repeating: 0xFF, count: 8), .lengthTooLarge),
            ([0x3F, 0x80, 0x01, 0x00], .nonMinimalTag),
        ] {
            #expect(throws: error, "\(ber)") { try BERNormalizer.normalize(ber[...]) }
        }
        let tooLong = [UInt8](repeating: 0, count: BERNormalizer.maximumInputSize + 1)
        #expect(throws: DERError.inputTooLarge) { try BERNormalizer.normalize(tooLong[...]) }
    }

    /// Nests sequences and strings of indefinite length to the depth limit, one level deeper, and 200,000 levels deep.
    @Test func depth() throws {
        for (open, close): ([UInt8], [UInt8]) in [([0x30, 0x80], [0, 0]), ([0x24, 0x80], [0, 0])] {
            let nested = { (depth: Int) in
                [[UInt8]](repeating: open, count: depth).flatMap { $0 }
                    + [[UInt8]](repeating: close, count: depth).flatMap { $0 }
            }
            _ = try BERNormalizer.normalize(nested(DERReader.maximumDepth)[...])
            for depth in [DERReader.maximumDepth + 1, 200_000] {
                #expect(throws: DERError.tooDeep) { try BERNormalizer.normalize(nested(depth)[...]) }
            }
        }
    }

    @Test func truncationsAndNoise() {
        let ber: [UInt8] = [0x30, 0x80, 0x24, 0x80, 0x04, 0x01, 0xAA, 0x00, 0x00, 0x02, 0x81, 0x01, 0x05, 0x00, 0x00]
        for count in 0..<ber.count { #expect(throws: DERError.self) { try BERNormalizer.normalize(ber.prefix(count)) } }
        for index in ber.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = ber
                changed[index] = byte
                guard let der = try? BERNormalizer.normalize(changed[...]) else { continue }
                #expect(try! BERNormalizer.normalize(der[...]) == der)
            }
        }
    }

    /// Apple's sample receipt has indefinite lengths and constructed strings. Normalization makes it strict DER.
    @Test func genuineReceipt() throws {
        let file = try ObjectFile(json: VectorDirectory.committedFile("app-attest/apple-guide-2026.json"))
        // SEQUENCE of indefinite length, id-signedData (RFC 5652 §5.1).
        let start: [UInt8] = [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
        let attestation = [UInt8](file.attestation)
        let index = try #require(attestation.firstRange(of: start)?.lowerBound)
        // The receipt is a CBOR byte string: 59, then its length in two bytes.
        let count = Int(attestation[index - 2]) << 8 | Int(attestation[index - 1])
        #expect(attestation[index - 3] == 0x59)
        let receipt = attestation[index..<index + count]
        let der = try BERNormalizer.normalize(receipt)
        #expect(der.count < receipt.count && der.count > 3_000)
        var reader = DERReader(der[...])
        var content = try reader.enter(.sequence)
        try reader.finish()
        #expect(try content.readObjectIdentifier().description == "1.2.840.113549.1.7.2")
        let text = String(decoding: try VectorDirectory.committedFile("x509/apple-receipt.pem"), as: UTF8.self)
        for certificate in PemFile(text).blocks.compactMap(\.bytes) {
            #expect(der.firstRange(of: certificate) != nil)
        }
    }
}
