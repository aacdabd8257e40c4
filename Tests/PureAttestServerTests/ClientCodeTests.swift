import Foundation
import PureAttest
import PureSHA2
import Testing

// begin
func signedBytes(method: String, target: String, body: Data, challenge: Data, keyID: Data) -> Data {
    var bytes = Data("PureAttest request 1\0".utf8)
    for field in [Data(method.utf8), Data(target.utf8), Data(SHA256.hash(data: body)), challenge, keyID] {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: field.count >> shift)) }
        bytes += field
    }
    return bytes
}
// end

/// The app's code in the article signs what the server expects.
@Suite struct ClientCodeTests {
    @Test func theArticleHasTheFunction() throws {
        let file = URL(filePath: #filePath)
        let own = try String(contentsOf: file, encoding: .utf8)
        let function = try #require(own.firstMatch(of: /\/\/ begin\n([\s\S]*?)\/\/ end\n/)).1
        let article = file.deletingLastPathComponent()
            .appending(path: "../../Sources/PureAttestServer/PureAttestServer.docc/WalkThrough.md").standardized
        #expect(try String(contentsOf: article, encoding: .utf8).contains("```swift\n\(function)```\n"))
    }

    @Test func itMakesTheBytesOfABoundRequest() {
        for (method, target, body, challenge) in [
            ("POST", "/transfer?id=7", "{}", 92), ("GET", "/", "", 0),
            ("", "", String(repeating: "é", count: 70_000), 300),
        ] {
            let (body, challenge) = (Data(body.utf8), Data(repeating: 7, count: challenge))
            let keyID = Data(repeating: 9, count: 32)
            let request = BoundRequest(method: method, path: target, body: body, challenge: challenge)
            #expect(
                [UInt8](signedBytes(method: method, target: target, body: body, challenge: challenge, keyID: keyID))
                    == request.clientData(keyID: keyID))
        }
    }
}
