import AppStoreServerLibrary
import Foundation

/// Measures Apple's App Store Server Library for Swift, with the same protocol as `peers`. The environment variable
/// PUREATTEST_OBJECTS contains the output of `peers --objects`.
@main
struct Worker {
    private struct Objects: Decodable {
        let appStoreRoot: Data
        let bundleID: String
        let transaction: String
    }

    static func main() async throws {
        let given = ProcessInfo.processInfo.environment["PUREATTEST_OBJECTS"] ?? ""
        let objects = try JSONDecoder().decode(Objects.self, from: Data(given.utf8))
        let verifier = try SignedDataVerifier(
            rootCertificates: [objects.appStoreRoot], bundleId: objects.bundleID, appAppleId: nil,
            environment: .sandbox,
            enableOnlineChecks: false)
        @Sendable func isValid(_ text: String) async -> Bool {
            if case .valid = await verifier.verifyAndDecodeTransaction(signedTransaction: text) { true } else { false }
        }
        let measurement = Measurement("app-store-server-library-swift/transaction") { iterations in
            for _ in 0..<iterations {
                guard await isValid(objects.transaction) else { throw WrongResult(name: "transaction") }
            }
            return iterations
        }
        // Checks that the library really verifies: it must reject a forged signature.
        guard await !isValid(objects.transaction.dropLast(6) + "AAAAAA") else { throw WrongResult(name: "a forgery") }
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count == 2, words[0] == measurement.name, let seconds = Double(words[1]) else {
                throw WrongResult(name: line)
            }
            print(
                String(decoding: try JSONEncoder().encode(try await measurement.run(seconds: seconds)), as: UTF8.self))
            fflush(nil)
        }
    }
}
