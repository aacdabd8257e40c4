import Foundation
import PureAppStore
import PureBytes
import PureDER

/// A transaction from `Vectors/app-store`, signed by Apple's App Store.
struct GenuineTransaction {
    let jws: String
    let bundleID: String
    /// The last certificate in `x5c`: Apple Root CA - G3. The peers may trust this certificate, because PureAttest
    /// accepts the transaction under its own copy of Apple's root.
    let root: Data

    init(repository: URL) throws {
        struct Object: Decodable { let name, jws: String }
        struct Header: Decodable { let x5c: [String] }
        struct Payload: Decodable { let bundleId: String }
        let file = repository.appending(path: "Vectors/app-store/objects.json")
        let objects = try JSONDecoder().decode([Object].self, from: Data(contentsOf: file))
        guard let object = objects.first(where: { $0.name == "mingos-transaction" }) else {
            throw WrongResult(name: "mingos-transaction")
        }
        jws = object.jws
        let parts = try jws.split(separator: ".").map {
            Data(try [UInt8](base64Encoded: String($0), as: .urlSafeUnpadded))
        }
        bundleID = try JSONDecoder().decode(Payload.self, from: parts[1]).bundleId
        let certificates = try JSONDecoder().decode(Header.self, from: parts[0]).x5c
        root = Data(try [UInt8](base64Encoded: certificates.last ?? ""))
    }
}

/// Measures the verification of a transaction. Apple's intermediate issued the transaction's signing certificate.
func transactions(repository: URL) throws -> [Measurement] {
    let genuine = try GenuineTransaction(repository: repository)
    let verifier = try SignedDataVerifier(bundleID: genuine.bundleID, appAppleID: nil, environment: .sandbox)
    let jws = Array(genuine.jws.utf8)
    return [
        // Each verification time depends on the previous result, so the compiler cannot hoist the call out of the loop.
        Measurement("pure/transaction") { iterations in
            var time = UnixTime(secondsSince1970: 1_795_651_200)
            for _ in 0..<iterations {
                let transaction = try verifier.verifyAndDecodeTransaction(signedTransaction: jws, at: time)
                let size = Int64(transaction.bundleID.utf8.count)
                time = UnixTime(secondsSince1970: time.secondsSince1970 + size)
            }
            return iterations
        }
    ]
}
