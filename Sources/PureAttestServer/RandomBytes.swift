import PureAttestServerCore
import PureBytes

/// Returns the random bytes of a challenge or a session, from the system's cryptographically secure generator
/// (`getrandom`, `arc4random_buf`, `BCryptGenRandom`).
func freshBytes() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(RelyingPartyRules.randomByteCount)
    // Reads eight bytes at a time, because each read is a system call.
    while bytes.count < RelyingPartyRules.randomByteCount { bytes += bigEndian(generator.next()) }
    return bytes
}
