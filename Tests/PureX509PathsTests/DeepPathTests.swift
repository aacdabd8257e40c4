import CertificateDrafts
import Foundation
import PureX509Paths
import Testing

@Suite struct DeepPathTests {
    /// Runs `body` on a thread with a stack of 512 KiB, which the worker threads of a server may have.
    private func onSmallStack(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            body()
            done.signal()
        }
        thread.stackSize = 512 * 1_024
        thread.start()
        done.wait()
    }

    @Test func deepPath() {
        let count = CertificatePathVerifier.maximumIntermediateCount
        onSmallStack {
            let key = { (index: Int) in TestKey.p256(UInt64(100 + index)) }
            let path = (0..<count).map { (index: Int) -> TestCertificate in
                let (issuer, signer) = index == 0 ? ("Root", TestChain.rootKey) : ("A\(index - 1)", key(index - 1))
                return PathSearchTests.authority("A\(index)", key(index), by: issuer, signer)
            }
            let leaf = TestCertificate("Leaf", .p256(14), issuer: "A\(count - 1)", signer: key(count - 1))
            let outcome = try? PathSearchTests.search(leaf: leaf, path, maximumPathLength: count)
            #expect(outcome?.path?.count == count + 1)
        }
    }
}
