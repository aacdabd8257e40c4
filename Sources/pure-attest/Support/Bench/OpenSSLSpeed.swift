/// Runs `openssl speed`, which measures CPU time like `bench`.
struct OpenSSLSpeed {
    let version: String

    /// For each operation, the name of the matching algorithm in `openssl speed`.
    static let algorithms = [
        "p256-verify": "ecdsap256", "p384-verify": "ecdsap384", "rsa2048-verify": "rsa2048",
        "rsa4096-verify": "rsa4096",
    ]

    init() throws(UnusableInput) {
        guard let output = Self.output(of: "openssl version"), let line = output.lines.first else {
            throw UnusableInput("--compare openssl: no openssl on PATH; install OpenSSL, or measure without --compare")
        }
        guard line.utf8.starts(with: "OpenSSL ".utf8) else {
            throw UnusableInput("--compare openssl: needs OpenSSL's speed command, not \(excerpt(line))")
        }
        version = line
    }

    /// Returns the CPU time of one verification in µs, measured over one second; `nil` if OpenSSL has no matching
    /// operation.
    func microseconds(of operation: String) throws(UnusableInput) -> Double? {
        guard let algorithm = Self.algorithms[operation] else { return nil }
        let output = Self.output(of: "openssl speed -mr -seconds 1 \(algorithm)") ?? ""
        guard let rate = Self.verificationsPerSecond(output) else {
            throw UnusableInput("--compare openssl: openssl speed printed no result for \(algorithm)")
        }
        return 1e6 / rate
    }

    /// Parses the line `+F2:…` (RSA) or `+F4:…` (ECDSA) in the output of `-mr`. Its fields are number, bits, signatures
    /// per second and verifications per second.
    static func verificationsPerSecond(_ output: String) -> Double? {
        for line in output.lines {
            let fields = line.utf8.split(separator: UInt8(ascii: ":")).map { String(decoding: $0, as: UTF8.self) }
            guard fields.count >= 5, fields[0] == "+F2" || fields[0] == "+F4", let rate = Double(fields[4]), rate > 0
            else { continue }
            return rate.isFinite ? rate : nil
        }
        return nil
    }

    private static func output(of command: String) -> String? {
        guard let pipe = unsafe popen("\(command) 2>/dev/null", "r") else { return nil }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, pipe) }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return unsafe pclose(pipe) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
