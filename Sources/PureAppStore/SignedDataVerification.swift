@_spi(Steps) import PureBytes
import PureDER
import PureECDSA
import PureJWS
import PureX509
import PureX509Paths

// All kinds of signed data are verified by the same list of steps. Each step is one function.

extension SignedDataVerifier {
    func verify<Content: AppStoreContent>(
        _ text: ArraySlice<UInt8>, as type: Content.Type, _ responses: [OCSPResponse], at time: UnixTime
    ) throws(AppStoreError) -> Content {
        var runner = FirstFailure<SignedDataReport.Check, AppStoreError>()
        guard let content = try takeSteps(text, as: type, responses, at: time, by: &runner) else {
            preconditionFailure("every step passed, and one of them read the content")
        }
        return content
    }

    func verifyNotification(
        _ text: ArraySlice<UInt8>, _ responses: [OCSPResponse], at time: UnixTime
    ) throws(AppStoreError) -> VerifiedNotification {
        var runner = FirstFailure<SignedDataReport.Check, AppStoreError>()
        guard let notification = try takeNotificationSteps(text, responses, at: time, by: &runner) else {
            preconditionFailure("every step passed, and the last one read the notification")
        }
        return notification
    }

    /// Runs the steps, for verdicts and reports.
    ///
    /// The content is read before its signature is verified, because the content states the signing time at which the
    /// chain is checked. Only the last steps trust the content. In a report, the result may be the content of rejected
    /// data.
    func takeSteps<Content: AppStoreContent, Runner: StepRunner<SignedDataReport.Check, AppStoreError>>(
        _ text: ArraySlice<UInt8>, as type: Content.Type, _ responses: [OCSPResponse], at time: UnixTime,
        by runner: inout Runner
    ) throws(Runner.Stop) -> Content? {
        let jws = try runner.run(.form) { () throws(AppStoreError) in try decode(text) }
        try runner.run(.algorithm, on: jws, checkAlgorithm)
        var content = try runner.run(.content, on: jws) { (jws) throws(AppStoreError) in
            try Content(PayloadMembers(decoding: jws.unverifiedPayload))
        }
        try runner.run(.environment, on: content) { (content) throws(AppStoreError) in
            try check(content.environment)
        }
        let certificates = try runner.run(.certificates, on: jws, certificates)
        try runner.run(.chain, on: certificates, content) { (certificates, content) throws(AppStoreError) in
            try checkChain(certificates, at: certificateTime == .signedDate ? content.signedDate.unixTime : time)
        }
        try runner.run(.purpose, on: certificates, checkPurpose)
        let status = try runner.run(.revocation, on: certificates) { (certificates) throws(AppStoreError) in
            try certificateStatus(of: certificates, responses, at: time)
        }
        try runner.run(.signature, on: jws, certificates, checkSignature)
        // Checks the app only after the signature, because operators act on the error for a wrong Apple ID. Forged data
        // must not cause this error.
        try runner.run(.app, on: content) { (content) throws(AppStoreError) in try check(content.app) }
        try runner.run(.date, on: content) { (content) throws(AppStoreError) in
            try check(content.signedDate.unixTime, at: time)
        }
        if let status { content?.certificateStatus = status }
        return content
    }

    /// Runs the steps of a notification, first for its own JWS and then for each JWS inside it.
    func takeNotificationSteps<Runner: StepRunner<SignedDataReport.Check, AppStoreError>>(
        _ text: ArraySlice<UInt8>, _ responses: [OCSPResponse], at time: UnixTime, by runner: inout Runner
    ) throws(Runner.Stop) -> VerifiedNotification? {
        let notification = try takeSteps(text, as: VerifiedNotification.self, responses, at: time, by: &runner)
        return try runner.run(.innerData, on: notification) { (notification) throws(AppStoreError) in
            try verifyingInnerData(of: notification, responses, at: time)
        }
    }

    private func decode(_ text: ArraySlice<UInt8>) throws(AppStoreError) -> JSONWebSignature {
        do { return try JSONWebSignature(compactSerialization: text) } catch { throw .signature(error) }
    }

    /// Checks that the algorithm is ES256. Apple: "The algorithm used for signing, ES256".
    private func checkAlgorithm(of jws: borrowing JSONWebSignature) throws(AppStoreError) {
        do { try jws.checkAlgorithm(.es256) } catch { throw .signature(error) }
    }

    /// Checks the environment, because purchases in the sandbox and in Xcode cost nothing.
    private func check(_ environment: AppStoreEnvironment) throws(AppStoreError) {
        guard environment == self.environment else { throw .otherEnvironment(environment) }
    }

    /// Checks the app, because the App Store signs the data of all apps with one key.
    private func check(_ app: SignedApp?) throws(AppStoreError) {
        guard let app else { return }
        guard app.bundleID.utf8.elementsEqual(bundleIDUTF8) else { throw .otherBundleID(app.bundleID.bounded) }
        // Apple sends no Apple ID in some sandbox data.
        guard environment == .production, app.namesAppAppleID else { return }
        guard let appAppleID, app.appAppleID == appAppleID else { throw .otherAppAppleID(app.appAppleID) }
    }

    /// Decodes `x5c`, in which the App Store always sends leaf, intermediate and root. Ignores Xcode's certificates.
    private func certificates(of jws: borrowing JSONWebSignature) throws(AppStoreError) -> [Certificate] {
        guard case .chain(let verifier) = authority else { return [] }
        let certificates: [Certificate]
        do { certificates = try jws.certificates(by: verifier) } catch { throw .signature(error) }
        guard certificates.count == 3 else { throw .rootMissing }
        return certificates
    }

    private func checkChain(
        _ certificates: borrowing [Certificate], at time: UnixTime
    ) throws(AppStoreError) {
        guard case .chain(let verifier) = authority else { return }
        do { try JSONWebSignature.checkChain(copy certificates, by: verifier, at: time) } catch {
            throw .signature(error)
        }
    }

    /// Checks for the extensions that mark certificates for App Store data. Apple issues other certificates under the
    /// same root and intermediates, also to developers.
    private func checkPurpose(of certificates: borrowing [Certificate]) throws(AppStoreError) {
        guard case .chain = authority else { return }
        guard certificates[0].extension(.appStoreReceiptSigning) != nil else { throw .leafOfOtherService }
        guard certificates[1].extension(.worldwideDeveloperRelations) != nil else {
            throw .intermediateOfOtherService
        }
    }

    private func checkSignature(
        of jws: borrowing JSONWebSignature, by certificates: borrowing [Certificate]
    ) throws(AppStoreError) {
        do {
            switch authority {
            case .chain: try jws.checkSignature(by: JSONWebSignature.key(of: certificates[0], .es256))
            case .key(let key): try jws.checkSignature(by: .es256(key))
            }
        } catch { throw .signature(error) }
    }

    private func check(_ signed: UnixTime, at time: UnixTime) throws(AppStoreError) {
        guard signed <= time.adding(Int64(clockSkew)) else { throw .signedInFuture(signed: signed, at: time) }
        guard let maximumAge else { return }
        guard time <= signed.adding(Int64(maximumAge) + Int64(clockSkew)) else {
            throw .signedTooLongAgo(signed: signed, at: time)
        }
    }
}
