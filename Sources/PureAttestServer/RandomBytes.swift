/// Returns the random bytes of a challenge or a session, from the system's cryptographically secure generator
/// (`getrandom`, `arc4random_buf`, `BCryptGenRandom`).
func freshBytes() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(RelyingPartyRules.randomByteCount)
    for _ in 0..<RelyingPartyRules.randomByteCount { bytes.append(generator.next()) }
    return bytes
}
