import PureBytes

/// SHA-1 (FIPS 180-4 §6.1), only to identify issuers, keys and responders as in RFC 6960 §4.1.1 and §4.2.1.
///
/// SHA-1 never hashes signed data, because collisions are practical (Stevens and others, "The first collision for full
/// SHA-1", 2017). A collision of identifiers can only select a wrong certificate or key. The response must still have a
/// valid signature by the issuer or a delegated responder, and signatures use SHA-2.
///
/// The running time depends only on the message length. All inputs are public.
enum SHA1 {
    static var byteCount: Int { 20 }

    static func hash(_ message: ArraySlice<UInt8>) -> [UInt8] {
        // FIPS 180-4 §5.1.1: appends a one bit, as few zero bits as possible, and the length in bits (64-bit number).
        var padded = [UInt8](message)
        padded.append(0x80)
        while padded.count % 64 != 56 { padded.append(0) }
        padded += bigEndian(UInt64(message.count) << 3)
        // FIPS 180-4 §5.3.1
        var state: InlineArray<5, UInt32> = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for block in stride(from: 0, to: padded.count, by: 64) { compress(&state, padded[block..<block + 64]) }
        var hash: [UInt8] = []
        for i in state.indices { hash += bigEndian(state[i]) }
        return hash
    }

    /// Updates the state with a block of 64 octets (FIPS 180-4 §6.1.2).
    private static func compress(_ state: inout InlineArray<5, UInt32>, _ block: ArraySlice<UInt8>) {
        // Step 1: the message schedule.
        var w = InlineArray<80, UInt32>(repeating: 0)
        for t in 0..<16 {
            var word: UInt32 = 0
            for i in 0..<4 { word = word << 8 | UInt32(block[block.startIndex + 4 * t + i]) }
            w[t] = word
        }
        for t in 16..<80 { w[t] = rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1) }
        // Steps 2 and 3.
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for t in 0..<80 {
            let (f, k) = round(t, b, c, d)
            let sum = rotl(a, 5) &+ f &+ e &+ k &+ w[t]
            (e, d, c, b, a) = (d, c, rotl(b, 30), a, sum)
        }
        // Step 4.
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
    }

    /// Returns the function f of FIPS 180-4 §4.1.1 in round `t`, and the constant K of FIPS 180-4 §4.2.1.
    private static func round(_ t: Int, _ x: UInt32, _ y: UInt32, _ z: UInt32) -> (f: UInt32, k: UInt32) {
        switch t {
        case ..<20: (x & y ^ ~x & z, 0x5A82_7999)
        case ..<40: (x ^ y ^ z, 0x6ED9_EBA1)
        case ..<60: (x & y ^ x & z ^ y & z, 0x8F1B_BCDC)
        default: (x ^ y ^ z, 0xCA62_C1D6)
        }
    }

    /// ROTL of FIPS 180-4 §3.2.
    private static func rotl(_ x: UInt32, _ n: UInt32) -> UInt32 { x << n | x >> (32 - n) }
}
