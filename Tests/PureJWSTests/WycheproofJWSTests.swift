import Foundation
import PureJWS
import Testing
import VectorSupport

/// Runs Wycheproof's files for JWS and JWK. Most texts use unsupported algorithms and must be rejected.
@Suite struct WycheproofJWSTests {
    private static func groups(_ file: String) throws -> [[String: Any]] {
        let data = try VectorDirectory.committedFile("jws/\(file).json")
        let file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return try #require(file["testGroups"] as? [[String: Any]])
    }

    private static func tests(_ group: [String: Any]) throws -> [(id: Int, jws: [UInt8], isValid: Bool)] {
        try #require(group["tests"] as? [[String: Any]]).map { test in
            let id = try #require(test["tcId"] as? Int)
            let result = try #require(test["result"] as? String)
            // A few texts use the JSON serialization instead of the compact serialization.
            let value = try #require(test["jws"])
            let text =
                try value as? String
                ?? String(
                    decoding: JSONSerialization.data(withJSONObject: value), as: UTF8.self)
            return (id, Array(text.utf8), result == "valid")
        }
    }

    @Test func signatures() throws {
        var (count, accepted, verified) = (0, [Int](), 0)
        for group in try Self.groups("json_web_signature_test") {
            let member = try #require((group["public"] ?? group["private"]) as? [String: Any])
            let key = try? JSONWebKey(decoding: JSONSerialization.data(withJSONObject: member))
            // RSA keys, symmetric keys, P-521 keys and a key for encryption are unsupported.
            let isSupported = member["kty"] as? String == "EC" && member["alg"] as? String == "ES256"
            #expect((key != nil) == isSupported, "\(member)")
            for test in try Self.tests(group) {
                count += 1
                guard let key else { continue }
                verified += 1
                let isAccepted = (try? JSONWebSignature(compactSerialization: test.jws).verify(by: key.key)) != nil
                if isAccepted { accepted.append(test.id) }
                #expect(isAccepted == test.isValid, "\(test.id)")
            }
        }
        #expect(count == 401 && verified == 39 && accepted.count == 2, "\(count) \(verified) \(accepted)")
    }

    /// Both groups for ES256 have the same key, which verifies no text with a different algorithm.
    @Test func noTextVerifiesWithAnotherKey() throws {
        let groups = try Self.groups("json_web_signature_test")
        let keys = groups.compactMap { group -> JSONWebKey? in
            let member = (group["public"] ?? group["private"]) as? [String: Any] ?? [:]
            return try? JSONWebKey(decoding: JSONSerialization.data(withJSONObject: member))
        }
        #expect(keys.count == 2)
        for (index, key) in keys.enumerated() {
            var accepted = 0
            for group in groups {
                for test in try Self.tests(group)
                where (try? JSONWebSignature(compactSerialization: test.jws).verify(by: key.key)) != nil {
                    accepted += 1
                }
            }
            // The key verifies its own two texts, and two texts that Wycheproof rejects only because the keys of their
            // groups are for encryption.
            #expect(accepted == 4, "\(index)")
        }
    }

    @Test func keySets() throws {
        var (count, usable) = (0, 0)
        for group in try Self.groups("json_web_key_test") {
            let member = try #require((group["public"] ?? group["private"]) as? [String: Any])
            let json = try JSONSerialization.data(withJSONObject: member)
            let set = try? JSONWebKeySet(decoding: json)
            let key = try? JSONWebKey(decoding: json)
            if let keys = set?.keys, !keys.isEmpty { usable += 1 }
            for test in try Self.tests(group) {
                count += 1
                let jws = try? JSONWebSignature(compactSerialization: test.jws)
                let verified = set.flatMap { try? jws?.verify(by: $0) } ?? key.flatMap { try? jws?.verify(by: $0.key) }
                // In this file, only symmetric and RSA keys have valid texts.
                #expect(verified == nil, "\(test.id)")
            }
        }
        #expect(count == 26)
        // Only one key set contains an elliptic-curve key that may be used to verify.
        #expect(usable == 1)
    }
}
