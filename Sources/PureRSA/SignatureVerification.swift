extension RSA.Signing.PublicKey {
    /// RSASSA-PKCS1-V1_5-VERIFY (RFC 8017 §8.2.2) of a digest. `algorithm` is the last arc of the hash function's
    /// object identifier, after 2.16.840.1.101.3.4.2.
    ///
    /// Builds the expected encoding and compares all octets with the signed encoding, which is never parsed. Forged
    /// signatures for small exponents use parts that a parser would skip: padding, bytes after the digest, parameters
    /// (Bleichenbacher, CRYPTO 2006 rump session; CVE-2006-4339). A DigestInfo without NULL, which RFC 8017 §9.2 never
    /// creates, is also rejected.
    func isValid(_ signature: RSA.Signing.RSASignature, digest: Span<UInt8>, algorithm: UInt8) -> Bool {
        // Step 1: the signature must have as many octets as the modulus.
        guard signature.octets.count == signatureByteCount else { return false }
        // Step 2 a, b, with §5.2.2 step 1: s is at most n − 1.
        guard
            let s = MontgomeryModulus.number(bigEndian: signature.octets.span), modulusNumber.isReduced(s)
        else { return false }
        // §5.2.2 step 2. Step 2 c can't fail: m < n has no more octets than n.
        let m = modulusNumber.power(s, publicExponent)
        // Steps 3 and 4.
        return isEncoding(m, digest: digest, algorithm: algorithm)
    }

    /// Returns whether m is the EMSA-PKCS1-v1_5 encoding (RFC 8017 §9.2): 00 01 FF … FF 00, DigestInfo, digest. Bounds:
    /// a modulus has at least 256 octets, and at most 1 + 19 + 64 octets follow the run of FF octets. So step 3 cannot
    /// fail, and the encoding has at least 170 octets FF.
    func isEncoding(_ m: MontgomeryModulus.Number, digest: Span<UInt8>, algorithm: UInt8) -> Bool {
        let byteCount = signatureByteCount
        let digestStart = byteCount - digest.count, infoStart = digestStart - digestInfoSize
        for i in 0..<byteCount {
            let expected: UInt8 =
                if i >= digestStart {
                    digest[i - digestStart]
                } else if i >= infoStart {
                    digestInfo(i - infoStart, digestSize: UInt8(truncatingIfNeeded: digest.count), algorithm: algorithm)
                } else {
                    i == 0 || i == infoStart - 1 ? 0x00 : i == 1 ? 0x01 : 0xFF
                }
            let place = byteCount - 1 - i
            guard octet(place, of: m[place >> 3]) == expected else { return false }
        }
        return true
    }
}

/// The number of octets of a DigestInfo before the digest.
private var digestInfoSize: Int { 19 }

/// Returns one octet of the DER of `DigestInfo` before the digest (RFC 8017 §9.2 note 1). Only the lengths and the last
/// arc vary.
private func digestInfo(_ index: Int, digestSize: UInt8, algorithm: UInt8) -> UInt8 {
    switch index {
    case 1: digestSize + 17
    case 14: algorithm
    case 18: digestSize
    default: digestInfoPattern[index]
    }
}

private let digestInfoPattern: InlineArray<19, UInt8> = [
    0x30, 0, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0, 0x05, 0x00, 0x04, 0,
]
