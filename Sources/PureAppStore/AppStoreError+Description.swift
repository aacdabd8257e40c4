#if !hasFeature(Embedded)
    extension AppStoreError: CustomStringConvertible {
        /// Describes the reason in one sentence, and a remedy if the operator of the server can apply one.
        public var description: String {
            switch self {
            case .appAppleIDMissing: "a verifier for Production needs the app's Apple ID; App Store Connect shows it"
            case .localEnvironment(let environment):
                "data of \(environment) is not signed by Apple; in development, pass the key that Xcode exports"
            case .appleEnvironment(let environment): "only Apple signs data of \(environment); pass no local key"
            case .signature(let error): "\(error)"
            case .rootMissing: "the JWS header has no root certificate"
            case .leafOfOtherService: "the leaf certificate is not for App Store data"
            case .intermediateOfOtherService: "the intermediate certificate does not issue signers of App Store data"
            case .certificateStatusMissing(let position):
                "no OCSP response is about certificate \(position); fetch one, or pass none at all"
            case .certificateStatus(let position, let error): "certificate \(position): \(error)"
            case .malformedContent(let error): "the content is malformed: \(error)"
            case .contentNotObject: "the content is not a JSON object"
            case .memberMissing(let name): "the content has no member \(name)"
            case .invalidMember(let name): "the member \(name) of the content has the wrong type"
            case .otherEnvironment(let environment):
                "the data is of the environment \(environment); create a verifier for it if you accept it"
            case .unknownEnvironment: "the data names an unknown environment"
            case .otherBundleID(let bundleID): "the data is of the app \(bundleID.printable)"
            case .otherAppAppleID(let id):
                id.map { "the data is of the app with the Apple ID \($0)" } ?? "the data names no Apple ID"
            case .signedInFuture(let signed, let time): "the data was signed at \(signed), after \(time)"
            case .signedTooLongAgo(let signed, let time): "the data was signed at \(signed), too long before \(time)"
            case .notificationVersion1:
                "notifications of version 1 are not signed; select version 2 in App Store Connect"
            case .unsupportedNotificationVersion: "the notification is not of version 2.0"
            case .invalidNotificationContent:
                "the notification does not have exactly one of data, summary, externalPurchaseToken and appData"
            case .transaction(let error): "the notification's transaction: \(error)"
            case .renewalInfo(let error): "the notification's renewal information: \(error)"
            case .appTransaction(let error): "the notification's app transaction: \(error)"
            }
        }
    }

    extension SignedText {
        /// The text, with a question mark for each byte that is not printable ASCII. For logs and terminals.
        fileprivate var printable: String {
            String(decoding: utf8.map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        }
    }

    extension AppStoreEnvironment: CustomStringConvertible {
        /// The name in signed data.
        public var description: String { "\(name)" }
    }
#endif
