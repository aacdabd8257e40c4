import PureAppStore
import PureAppStoreTesting
import PureBytes
import PureDER

extension SignedDataFault {
    /// The identifier that `pure-attest faults` lists: `appStore.` and the raw value.
    var id: String { "appStore.\(rawValue)" }

    init?(id: String) {
        guard let fault = Self.allCases.first(where: { $0.id == id }) else { return nil }
        self = fault
    }
}

struct TransactionSimulation {
    static let options: [Option] = [
        .value(
            "--bundle-id", "ID", .text, "The app's bundle ID (default: com.example.app).\nNot with --kind renewal-info."
        ).only(with: "transaction"),
        .value(
            "--kind", "NAME", .words(SignedDataReport.Kind.allCases.map(\.word)),
            "transaction (default), renewal-info, app-transaction or\nnotification."
        ).only(with: "transaction"),
        .value(
            "--product", "ID", .text,
            "The product, an auto-renewable subscription (default:\ncom.example.monthly). Not with --kind app-transaction."
        ).only(with: "transaction"),
        .value(
            "--original-id", "ID", .text,
            "The original transaction (default: 2000000000000001).\nNot with --kind app-transaction."
        ).only(with: "transaction"),
        .value(
            "--store", "NAME", .words(["production", "sandbox"]), "The App Store's environment (default: sandbox)."
        ).only(with: "transaction"),
        .value(
            "--apple-id", "N", .number(1...UInt64(Int64.max)),
            "The app's Apple ID, which notifications and app transactions\nof production have."
        ).only(with: "transaction"),
        refundedOption.only(with: "transaction"),
    ]
    private static let refundedOption = Option.flag(
        "--refunded",
        "The purchase was refunded; a notification says so.\nOnly with --kind transaction and notification.")

    private let store: TestAppStore
    private let kind: SignedDataReport.Kind
    private let text: [UInt8]
    private let time: UnixTime

    init(_ arguments: Arguments, seed: UInt64, time: UnixTime) throws(UnusableInput) {
        self.time = time
        let store = TestAppStore(seed: seed)
        self.store = store
        let kind: SignedDataReport.Kind = try arguments.choice("--kind", \.word) ?? .transaction
        self.kind = kind
        if let unused = Self.optionsWithoutEffect(on: kind).first(where: arguments.isGiven) {
            throw UnusableInput("\(unused) has no effect with --kind \(kind.word)")
        }
        let fault = try arguments.word("--fault").map { id throws(UnusableInput) in
            guard let fault = SignedDataFault(id: id) else {
                throw UnusableInput("the fault \(id) is not for transaction, whose faults begin with appStore.")
            }
            return fault
        }
        let bundleID = try Self.text("--bundle-id", in: arguments) ?? "com.example.app"
        let productID = try Self.text("--product", in: arguments) ?? "com.example.monthly"
        let originalID = try Self.text("--original-id", in: arguments) ?? "2000000000000001"
        let environment = try arguments.word("--store") == "production" ? "Production" : "Sandbox"
        let appAppleID: Int64? = try arguments.number("--apple-id")
        let isRefunded = arguments.flag(Self.refundedOption)
        let signedDate = time.secondsSince1970 * 1_000
        let expiresDate = signedDate + 30 * 86_400_000
        let refund = isRefunded ? #","revocationDate":\#(signedDate),"revocationReason":0"# : ""
        let transaction = AppStoreContent.transaction(
            bundleID: bundleID, productID: productID, originalTransactionID: originalID, environment: environment,
            signedDate: signedDate, expiresDate: expiresDate, more: refund)
        let renewalInfo = AppStoreContent.renewalInfo(
            originalTransactionID: originalID, productID: productID, environment: environment, signedDate: signedDate)
        let content =
            switch kind {
            case .transaction: transaction
            case .renewalInfo: renewalInfo
            case .appTransaction:
                AppStoreContent.appTransaction(
                    bundleID: bundleID, appAppleID: appAppleID, environment: environment, signedDate: signedDate)
            case .notification:
                AppStoreContent.notification(
                    type: isRefunded ? "REFUND" : "SUBSCRIBED", subtype: isRefunded ? nil : "INITIAL_BUY",
                    bundleID: bundleID, appAppleID: appAppleID, environment: environment, signedDate: signedDate,
                    signedTransaction: store.sign(transaction), signedRenewalInfo: store.sign(renewalInfo))
            }
        text = fault.map { store.sign(content, fault: $0) } ?? store.sign(content)
    }

    private static func optionsWithoutEffect(on kind: SignedDataReport.Kind) -> [String] {
        switch kind {
        case .transaction: ["--apple-id"]
        case .renewalInfo: ["--bundle-id", "--apple-id", refundedOption.name]
        case .appTransaction: ["--product", "--original-id", refundedOption.name]
        case .notification: []
        }
    }

    /// Returns the value of an option. Throws unless the value consists of one or more visible ASCII characters that
    /// need no escape in JSON.
    private static func text(_ option: String, in arguments: Arguments) throws(UnusableInput) -> String? {
        guard let text = arguments.value(option) else { return nil }
        guard !text.isEmpty,
            text.utf8.allSatisfy({ (0x21..<0x7f).contains($0) && $0 != UInt8(ascii: "\"") && $0 != 0x5c })
        else { throw UnusableInput("\(option) takes an identifier such as com.example.app, not \(excerpt(text))") }
        return text
    }

    /// Writes the JWS (for a notification, also the request body), the root and the OCSP responses. Returns the number
    /// of cases.
    func write(to folder: OutputFolder) throws(UnusableInput) -> Int {
        try folder.write("\(kind.word).jws", text)
        if kind == .notification {
            let payload = String(decoding: text, as: UTF8.self)
            try folder.write("notification.json", .object([("signedPayload", .string(payload))]))
        }
        try folder.write("app-store-root.pem", PEM.encode(store.root, label: .certificate))
        let end = time.adding(86_400)
        try folder.write("leaf.ocsp", store.ocspResponse(about: .leaf, from: time, to: end))
        try folder.write("intermediate.ocsp", store.ocspResponse(about: .intermediate, from: time, to: end))
        return 1
    }
}
