import Interface
import PureAttest
import PureX509

/// Makes a verifier trust only a test authority's roots (DER), and **not** Apple's roots. Returns 0, or 1 for an
/// invalid root. Only test modules contain this function.
@c(pure_attest_test_trust_roots)
public func trustTestRoots(
    _ handle: OpaquePointer, _ root: UnsafeRawPointer, _ rootCount: Int32, _ receiptRoot: UnsafeRawPointer,
    _ receiptRootCount: Int32
) -> Int32 {
    guard let anchor = unsafe trustAnchor(root, rootCount),
        let receiptAnchor = unsafe trustAnchor(receiptRoot, receiptRootCount)
    else { return 1 }
    unsafe verifier(handle).substitute = { $0.trusting(testAnchors: [anchor], testReceiptAnchors: [receiptAnchor]) }
    return 0
}

private func trustAnchor(_ start: UnsafeRawPointer, _ count: Int32) -> TrustAnchor? {
    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
    guard let certificate = try? Certificate(derEncoded: bytes) else { return nil }
    return try? TrustAnchor(certificate)
}
