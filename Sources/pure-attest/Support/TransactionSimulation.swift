import PureAppStore
import PureAppStoreTesting
import PureBytes
import PureDER

extension SignedDataFault {
    /// The identifier `appStore.` plus the raw value, as `pure-attest faults` lists it.
    var id: String { "appStore.\(rawValue)" }

    init?(id: String) {
        guard let fault = Self.allCases.first(where: { $0.id == id }) else { return nil }
        self = fault
    }
}

/// The App Store part of `simulate`.
struct TransactionSimulation {
    static let options: [Option] = [
        .value("--bundle-id", "ID", .text, "The app's bundle ID (default: com.example.app).").only(with: "transaction"),
        .value(
            "--kind", "NAME", .words(SignedDataReport.Kind.allCases.map(\.word)),
            "transaction (default), renewal-info, app-transaction or\nnotification."
        ).only(with: "transaction"),
    ]

    private let store: TestAppStore
    private let kind: SignedDataReport.Kind
    private let text: [UInt8]
    private let time: UnixTime

    init(_ arguments: Arguments, seed: UInt64, time: UnixTime) throws(UnusableInput) {
        self.time = time
        let store = TestAppStore(seed: seed)
        self.store = store
        kind = try arguments.word("--kind").flatMap(SignedDataReport.Kind.init(word:)) ?? .transaction
        let fault = try arguments.word("--fault").map { id throws(UnusableInput) in
            guard let fault = SignedDataFault(id: id) else {
                throw UnusableInput("the fault \(id) is not for transaction, whose faults begin with appStore.")
            }
            return fault
        }
        let bundleID = arguments.value("--bundle-id") ?? "com.example.app"
        // Characters of a bundle ID; no others need to be escaped in JSON.
        guard !bundleID.isEmpty,
            bundleID.utf8.allSatisfy({ (0x21..<0x7f).contains($0) && $0 != UInt8(ascii: "\"") && $0 != 0x5c })
        else {
            throw UnusableInput("--bundle-id takes a bundle ID such as com.example.app, not \(excerpt(bundleID))")
        }
        let signedDate = time.secondsSince1970 * 1_000
        let expiresDate = signedDate + 30 * 86_400_000
        let transaction = AppStoreContent.transaction(
            bundleID: bundleID, signedDate: signedDate, expiresDate: expiresDate)
        let renewalInfo = AppStoreContent.renewalInfo(signedDate: signedDate)
        let content =
            switch kind {
            case .transaction: transaction
            case .renewalInfo: renewalInfo
            case .appTransaction:
                AppStoreContent.appTransaction(bundleID: bundleID, appAppleID: nil, signedDate: signedDate)
            case .notification:
                AppStoreContent.notification(
                    type: "SUBSCRIBED", subtype: "INITIAL_BUY", bundleID: bundleID, appAppleID: nil,
                    signedDate: signedDate, signedTransaction: store.sign(transaction),
                    signedRenewalInfo: store.sign(renewalInfo))
            }
        text = fault.map { store.sign(content, fault: $0) } ?? store.sign(content)
    }

    /// Writes the JWS, the root and OCSP responses; returns the number of cases.
    func write(to folder: OutputFolder) throws(UnusableInput) -> Int {
        try folder.write("\(kind.word).jws", text)
        if kind == .notification {
            let body = JSON.object([("signedPayload", .string(String(decoding: text, as: UTF8.self)))])
            try folder.write("notification.json", Array((body.text + "\n").utf8))
        }
        try folder.write("app-store-root.pem", PEM.encode(store.root, label: .certificate))
        let end = time.adding(86_400)
        try folder.write("leaf.ocsp", store.ocspResponse(about: .leaf, from: time, to: end))
        try folder.write("intermediate.ocsp", store.ocspResponse(about: .intermediate, from: time, to: end))
        return 1
    }
}
