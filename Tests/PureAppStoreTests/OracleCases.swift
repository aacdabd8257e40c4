import Foundation
import PureAppStore
import PureBytes
import PureDER
import PureX509

@testable import PureAppStoreTesting

/// A case for the Python oracle, with the verdict of PureAppStore. See `Tests/Checks/AppStoreOracle`.
struct OracleCase: Encodable {
    let name, kind, jws: String
    /// The trusted roots as Base64 of DER.
    let roots: [String]
    let bundleID: String
    let appAppleID: Int64?
    let environment: String
    let now: Int64
    let usesCurrentTime: Bool
    /// "accepted", or the description of the error.
    let verdict: String
}

extension SignedDataReport.Kind {
    var name: String { "\(self)" }
}

/// Collects cases; each method verifies the cases that it adds.
struct OracleCases {
    private(set) var cases: [OracleCase] = []
    let store = TestAppStoreTests.store
    let signed = TestAppStoreTests.signed

    /// Adds data with the settings of its verifier. If `roots` is `nil`, the Apple root is trusted.
    mutating func add(
        _ name: String, _ kind: SignedDataReport.Kind, _ text: [UInt8], roots: [[UInt8]]? = nil,
        bundleID: String = "com.example.app", appAppleID: Int64 = 42, environment: AppStoreEnvironment = .sandbox,
        at time: UnixTime = now, usesCurrentTime: Bool = false
    ) throws {
        var verifier =
            if let roots {
                try SignedDataVerifier(
                    bundleIDUTF8: bundleID.utf8, appAppleID: appAppleID, environment: environment,
                    testRoots: roots.map { try Certificate(derEncoded: $0) })
            } else {
                try SignedDataVerifier(bundleID: bundleID, appAppleID: appAppleID, environment: environment)
            }
        verifier.certificateTime = usesCurrentTime ? .verification : .signedDate
        let verdict: String
        do throws(AppStoreError) {
            switch kind {
            case .transaction: _ = try verifier.verifyAndDecodeTransaction(signedTransaction: text, at: time)
            case .renewalInfo: _ = try verifier.verifyAndDecodeRenewalInfo(signedRenewalInfo: text, at: time)
            case .appTransaction: _ = try verifier.verifyAndDecodeAppTransaction(signedAppTransaction: text, at: time)
            case .notification: _ = try verifier.verifyAndDecodeNotification(signedPayload: text, at: time)
            }
            verdict = "accepted"
        } catch { verdict = "\(error)" }
        cases.append(
            OracleCase(
                name: "\(kind.name) \(name)", kind: kind.name, jws: String(decoding: text, as: UTF8.self),
                roots: (roots ?? [AppleRootCAG3.derEncoded]).map { String(decoding: Base64.encode($0), as: UTF8.self) },
                bundleID: bundleID, appAppleID: appAppleID, environment: "\(environment)", now: time.secondsSince1970,
                usesCurrentTime: usesCurrentTime, verdict: verdict))
    }

    mutating func addSigned(_ name: String, _ kind: SignedDataReport.Kind, _ text: [UInt8]) throws {
        try add(name, kind, text, roots: [store.root])
    }

    func content(
        _ kind: SignedDataReport.Kind, environment: String = "Sandbox", appAppleID: Int64? = 42,
        signedDate: Int64? = nil, more: String = ""
    ) -> [UInt8] {
        let (bundleID, date) = ("com.example.app", signedDate ?? signed)
        return switch kind {
        case .transaction:
            AppStoreContent.transaction(bundleID: bundleID, environment: environment, signedDate: date, more: more)
        case .renewalInfo: AppStoreContent.renewalInfo(environment: environment, signedDate: date, more: more)
        case .appTransaction:
            AppStoreContent.appTransaction(
                bundleID: bundleID, appAppleID: appAppleID, environment: environment, signedDate: date, more: more)
        case .notification:
            AppStoreContent.notification(
                type: "DID_RENEW", bundleID: bundleID, appAppleID: appAppleID, environment: environment,
                signedDate: date, more: more)
        }
    }
}

// MARK: Groups of cases

extension OracleCases {
    /// Adds App Store objects and Apple's test resources, once under the Apple root and once under the mock root.
    mutating func addObjects() throws {
        let roots = try AppStoreObject.testRoots().map { [UInt8]($0.derEncoded) }
        for object in AppStoreObject.all {
            for environment in [AppStoreEnvironment.sandbox, .production] {
                try add(
                    "\(object.name) \(environment)", object.reportKind, object.text, bundleID: object.bundleID,
                    appAppleID: 1234, environment: environment)
            }
            try add(
                "\(object.name) now", object.reportKind, object.text, bundleID: object.bundleID, usesCurrentTime: true)
            try add(
                "\(object.name) test root", object.reportKind, object.text, roots: roots, bundleID: object.bundleID)
        }
    }

    /// Adds valid data, and data with each fault, both on its own and inside a notification.
    mutating func addFaults() throws {
        for kind in SignedDataReport.Kind.allCases {
            try addSigned("good", kind, store.sign(content(kind)))
            for fault in SignedDataFault.allCases {
                try addSigned("\(fault)", kind, store.sign(content(kind), fault: fault))
            }
        }
        let (transaction, renewal) = (content(.transaction), content(.renewalInfo))
        try addSigned("inner", .notification, notification(store.sign(transaction), store.sign(renewal)))
        for fault in SignedDataFault.allCases {
            try addSigned(
                "inner transaction \(fault)", .notification, notification(store.sign(transaction, fault: fault), nil))
            try addSigned(
                "inner renewal \(fault)", .notification,
                notification(store.sign(transaction), store.sign(renewal, fault: fault)))
        }
    }

    private func notification(_ transaction: [UInt8], _ renewal: [UInt8]?) -> [UInt8] {
        store.sign(
            AppStoreContent.notification(
                type: "DID_RENEW", bundleID: "com.example.app", appAppleID: 42, signedDate: signed,
                signedTransaction: transaction, signedRenewalInfo: renewal))
    }

    /// Adds valid data for the wrong app, environment, kind, App Store or time.
    mutating func addOtherData() throws {
        for kind in SignedDataReport.Kind.allCases {
            let text = store.sign(content(kind))
            for bundleID in ["com.example.ap", "com.example.app2", "com.Example.app", ""] {
                try add("app \(bundleID)", kind, text, roots: [store.root], bundleID: bundleID)
            }
            for environment in AppStoreEnvironment.allCases {
                for stated in ["Sandbox", "Production", "Xcode", "LocalTesting", "sandbox"] {
                    try add(
                        "\(stated) for \(environment)", kind, store.sign(content(kind, environment: stated)),
                        roots: [store.root], environment: environment)
                }
                for id in [nil, 43] as [Int64?] {
                    let name = "\(id.map { "\($0)" } ?? "no Apple ID") for \(environment)"
                    try add(
                        name, kind, store.sign(content(kind, environment: "\(environment)", appAppleID: id)),
                        roots: [store.root], environment: environment)
                }
            }
            for other in SignedDataReport.Kind.allCases where other != kind {
                try addSigned("in place of \(other.name)", other, text)
            }
            let stranger = TestAppStore(seed: 39)
            try addSigned("of another App Store", kind, stranger.sign(content(kind)))
            try add("of two App Stores", kind, text, roots: [stranger.root, store.root])
            try add("Apple's root", kind, text)
            try addDates(kind)
        }
    }

    private mutating func addDates(_ kind: SignedDataReport.Kind) throws {
        // The certificates are valid from 2020 to the end of 2049.
        let (start, end): (Int64, Int64) = (1_577_836_800_000, 2_524_607_999_000)
        let late = UnixTime(secondsSince1970: end / 1_000 + 400)
        for date in [start - 1, start, end, end + 999, end + 1_000, 0, -1, .min + 1_000, .max] {
            try add(
                "signed at \(date)", kind, store.sign(content(kind, signedDate: date)), roots: [store.root], at: late)
        }
        for second in [300, 301] as [Int64] {
            let date = (now.secondsSince1970 + second) * 1_000 + 999
            try addSigned("signed in \(second) s", kind, store.sign(content(kind, signedDate: date)))
        }
        try add(
            "expired now", kind, store.sign(content(kind)), roots: [store.root], at: late, usesCurrentTime: true)
    }

    /// Adds data with a changed byte: in genuine text, in the content before it is signed, or in the third certificate.
    mutating func addChanges() throws {
        var random = FixedRandom(state: 7)
        guard let genuine = AppStoreObject.named("mingos-transaction") else { throw CocoaError(.fileNoSuchFile) }
        try add("genuine", .transaction, genuine.text, bundleID: genuine.bundleID)
        for count in 0..<300 {
            var text = genuine.text
            let index = random.below(text.count)
            text[index] ^= [1, 2, 0x20][count % 3]
            try add("genuine, changed at \(index)", .transaction, text, bundleID: genuine.bundleID)
        }
        for kind in SignedDataReport.Kind.allCases {
            for _ in 0..<75 {
                var json = content(kind)
                let index = random.below(json.count)
                json[index] ^= 1 << UInt8(random.below(8))
                try addSigned("content changed at \(index)", kind, store.sign(json))
            }
        }
        for _ in 0..<100 {
            var draft = store.draft(content(.transaction))
            let index = random.below(draft.root.count)
            draft.root[index] ^= 1 << UInt8(random.below(8))
            try addSigned("root changed at \(index)", .transaction, draft.encoded())
        }
    }

    /// Adds content that only PureAppStore rejects, such as members of the wrong type and content beyond its limits.
    mutating func addStricterRules() throws {
        let deep = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
        for more in [
            #","appAccountToken":7"#, #","revocationDate":"1""#, #","isUpgraded":1"#, #","offerType":1.5"#,
            #","revocationDate":null"#, #","offerType":1.0"#, #","expiresDate":1.5"#, ",\"x\":\(deep)",
            ",\"x\":" + deep.dropFirst().dropLast(),
            ",\"x\":[" + String(repeating: "0,", count: 16_384) + "0]", #","x":1e999"#, #","x":-0"#, #","x":01"#,
            #","x":"\ud800""#, #","x":"\ud83d\ude00""#, #","X":1,"x":1"#, #","\u0078":1,"x":1"#, #","x":NaN"#,
        ] {
            try addSigned("with \(more.prefix(24))", .transaction, store.sign(content(.transaction, more: more)))
        }
        let spaces = String(repeating: " ", count: 200_000)
        try addSigned("256 KiB", .transaction, store.sign(content(.transaction, more: spaces)))
    }
}

/// A linear congruential generator (Knuth's MMIX) with a fixed seed, so that the cases never change.
private struct FixedRandom {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
