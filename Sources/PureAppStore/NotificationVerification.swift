import PureBytes
public import PureDER
import PureJSON
import PureJWS
public import PureX509Paths

extension SignedDataVerifier {
    /// Verifies each JWS inside a notification. Apple's libraries leave this verification to the caller.
    func verifyingInnerData(
        of notification: VerifiedNotification, _ responses: [OCSPResponse], at time: UnixTime
    ) throws(AppStoreError) -> VerifiedNotification {
        var notification = notification
        switch notification.content {
        case .summary, .externalPurchaseToken: break
        case .appData(var data):
            data.appTransaction = try inner(data.signedAppTransaction, responses, at: time) { .appTransaction($0) }
            notification.content = .appData(data)
        case .data(var data):
            // Apple has signed `null` in place of renewal information. `null` states nothing, so it is not verified.
            let signedRenewalInfo = data.signedRenewalInfo.flatMap { isNull($0) ? nil : $0 }
            data.transaction = try inner(data.signedTransaction, responses, at: time) { .transaction($0) }
            data.renewalInfo = try inner(signedRenewalInfo, responses, at: time) { .renewalInfo($0) }
            notification.content = .data(data)
        }
        return notification
    }

    /// Verifies a JWS inside a notification. `wrap` adds the name of the failed JWS to an error.
    private func inner<Content: AppStoreContent>(
        _ text: SignedText?, _ responses: [OCSPResponse], at time: UnixTime, wrap: (AppStoreError) -> AppStoreError
    ) throws(AppStoreError) -> Content? {
        guard let text else { return nil }
        do { return try verify(text.utf8, as: Content.self, responses, at: time) } catch { throw wrap(error) }
    }

    private func isNull(_ text: SignedText) -> Bool {
        guard let jws = try? JSONWebSignature(compactSerialization: text.utf8) else { return false }
        return isEqual(jws.unverifiedPayload[...], "null")
    }

    /// Verifies a notification, given as the body of the App Store's request: `{"signedPayload":"…"}`.
    public func verifyAndDecodeNotification(
        body: some Collection<UInt8>, ocspResponses: [OCSPResponse] = [], at time: UnixTime
    ) throws(AppStoreError) -> VerifiedNotification {
        guard body.count <= JSONWebSignature.maximumSize else { throw .signature(.tooLarge) }
        return try verifyAndDecodeNotification(
            signedPayload: Self.signedPayload(inBody: [UInt8](body)), ocspResponses: ocspResponses, at: time)
    }

    package static func signedPayload(inBody body: [UInt8]) throws(AppStoreError) -> ArraySlice<UInt8> {
        let members = try PayloadMembers(decoding: body)
        // Only version 1 (responseBodyV1) has this member.
        guard members.object.value("notification_type") == nil else { throw .notificationVersion1 }
        return try members.requiredText("signedPayload").utf8
    }
}
