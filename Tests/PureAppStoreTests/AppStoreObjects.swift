import Foundation
import PureAppStore
import PureDER
import PureX509
import Testing
import VectorSupport

/// An object of the App Store or of Apple's test resources, from `Vectors/app-store`.
struct AppStoreObject: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let kind: String
    let genuine: Bool
    let jws: String

    var testDescription: String { name }
    var text: [UInt8] { Array(jws.utf8) }

    var reportKind: SignedDataReport.Kind {
        switch kind {
        case "transaction": .transaction
        case "renewalInfo": .renewalInfo
        case "appTransaction": .appTransaction
        default: .notification
        }
    }

    var payload: [String: Any] {
        let part = jws.split(separator: ".")[1].replacing("-", with: "+").replacing("_", with: "/")
        let padded = part + String(repeating: "=", count: (4 - part.count % 4) % 4)
        let value = Data(base64Encoded: String(padded)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
        return value as? [String: Any] ?? [:]
    }

    var bundleID: String {
        payload["bundleId"] as? String ?? (payload["data"] as? [String: Any])?["bundleId"] as? String ?? "com.example"
    }

    static let all =
        (try? JSONDecoder().decode([AppStoreObject].self, from: VectorDirectory.committedFile("app-store/objects.json")))
        ?? []

    static func named(_ name: String) -> AppStoreObject? { all.first { $0.name == name } }

    static func testRoots() throws -> [Certificate] {
        try [Certificate](pemEncoded: VectorDirectory.committedFile("app-store/test-root.pem"))
    }
}

/// 2026-11-26T00:00:00Z
let now = UnixTime(secondsSince1970: 1_795_651_200)
