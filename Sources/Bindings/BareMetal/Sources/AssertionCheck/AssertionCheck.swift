import PureAttest
public import Runtime

/// Verifies the next loaded assertion and writes a line with the result. The loaded objects are App ID, environment (1
/// production, 2 development), public key 04 ‖ x ‖ y, client data and assertion. The stored counter is 0, and the
/// challenge equals the client data.
public func verifyAssertion(_ objects: inout LoadedObjects) {
    let app = AppID(bytes: objects.next())
    let environment: Environment = objects.next() == [1] ? .production : .development
    let publicKey = objects.next(), clientData = objects.next(), assertion = objects.next()
    let verifier = AssertionVerifier(apps: [app], environment: environment, launchPolicy: .reportOnly)
    do throws(PureAttestError) {
        let key = try AttestedKey(trustingStoredKey: publicKey, appID: app, environment: environment, counter: 0)
        let verified = try verifier.verifyAssertion(
            assertion, challenge: clientData, key: key)
        write("assertion verified, counter ")
        write(verified.counter)
        write("\n")
    } catch {
        write("assertion refused\n")
    }
}
