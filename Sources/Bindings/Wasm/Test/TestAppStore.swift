import PureAppStore
import PureAttestPurchasesMessages
import PureAttestServerMessages
import PureX509

/// Creates a purchases object that trusts only this root (DER) of a test App Store, and **not** Apple's root. Returns
/// null for an invalid root or malformed settings. Only the test module contains this function.
@c(pure_attest_test_purchases_create)
public func createTestPurchases(
    _ settings: UnsafeRawPointer, _ settingsCount: Int32, _ root: UnsafeRawPointer, _ rootCount: Int32
) -> OpaquePointer? {
    let settings = unsafe [UInt8](UnsafeRawBufferPointer(start: settings, count: Int(settingsCount)))
    let root = unsafe [UInt8](UnsafeRawBufferPointer(start: root, count: Int(rootCount)))
    guard let certificate = try? Certificate(derEncoded: root),
        let purchases = try? DecisionMessages(
            purchases: settings,
            verifier: { bundleID, appAppleID, environment throws(AppStoreError) in
                do throws(X509Error) {
                    return try SignedDataVerifier(
                        bundleIDUTF8: bundleID, appAppleID: appAppleID, environment: environment,
                        testRoots: [certificate])
                } catch { throw .appAppleIDMissing }
            })
    else { return nil }
    return unsafe OpaquePointer(Unmanaged.passRetained(purchases).toOpaque())
}
