/// Returns `count` bytes of the system's cryptographically secure generator (`getrandom`, `arc4random_buf`,
/// `BCryptGenRandom`).
func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for _ in 0..<count { bytes.append(generator.next()) }
    return bytes
}
