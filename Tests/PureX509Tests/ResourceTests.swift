import CertificateDrafts
import Foundation
import PureDER
import Testing

@testable import PureX509

@Suite struct ResourceTests {
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

    /// 20,000 nested SEQUENCEs do not overflow the stack, because the parser does not descend into unknown elements.
    @Test func deepNesting() {
        var nested: [UInt8] = []
        for _ in 0..<20_000 { nested = DER.sequence(nested) }
        let value = nested
        let templates = [
            CertificateParsingTests.valid.changing { $0.subject = DER.sequence(DER.relativeName(value)) },
            CertificateParsingTests.valid.changing { $0.extensions = [TestExtension.custom(DER.oid(0x2A), value)] },
            CertificateParsingTests.valid.changing {
                $0.extensions = [TestExtension.standard(0x11, DER.sequence(DER.context(3, value)))]
            },
            CertificateParsingTests.valid.changing {
                $0.publicKeyInfo = TestKey.publicKeyInfo(algorithm: DER.oid(0x2A), parameters: value, point: [])
            },
        ]
        onSmallStack {
            for template in templates { #expect(throws: Never.self) { try template.certificate() } }
            #expect(throws: X509Error.self) { try Certificate(derEncoded: value) }
        }
    }

    /// The parser rejects a declared length that exceeds the input before it allocates memory.
    @Test func declaredLengths() {
        let lengths: [[UInt8]] = [
            [0x84, 0x7F, 0xFF, 0xFF, 0xFF], [0x84, 0x80, 0, 0, 0], [0x84, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x88, 0x7F] + [UInt8](repeating: 0xFF, count: 7), [0x88, 0x80, 0, 0, 0, 0, 0, 0, 0],
            [0x88] + [UInt8](repeating: 0xFF, count: 8), [0x89, 1] + [UInt8](repeating: 0, count: 8), [0xFF], [0x80],
        ]
        for length in lengths {
            #expect(throws: X509Error.self) { try Certificate(derEncoded: [0x30] + length + [0, 0, 0, 0]) }
            for count in 0..<4 {
                #expect(throws: X509Error.self) {
                    try Certificate(derEncoded: DER.sequence([0x30] + length + [UInt8](repeating: 0, count: count)))
                }
            }
        }
    }
}
