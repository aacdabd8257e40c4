import PureECDSA
import Testing

@testable import PureAttest
@testable import PureX509

/// Checks Apple's embedded certificates and key tables, which the verifier uses without checking them.
struct KnownKeyTests {
    private let root: Certificate
    private let intermediate: Certificate

    init() throws {
        root = try Certificate(derEncoded: AppleRoots.appAttestationRootCA[...])
        intermediate = try Certificate(derEncoded: AppleRoots.appAttestationCA1[...])
    }

    /// `preparing(_:)` verifies the signature that `preparing(embedded:)` assumes to be valid.
    @Test func rootIssuedTheEmbeddedIntermediate() throws {
        _ = try FixedChainVerifier(trustAnchors: [TrustAnchor(root)]).preparing(intermediate)
    }

    @Test func tablesMatchTheirKeys() throws {
        for (certificate, window, table) in [
            (root, AppleKeyTables.rootWindow, [UInt64](copying: AppleKeyTables.root.span)),
            (intermediate, AppleKeyTables.intermediateWindow, [UInt64](copying: AppleKeyTables.intermediate.span)),
        ] {
            guard case .p384(let key) = certificate.publicKey else {
                Issue.record("not a P-384 key")
                return
            }
            let generated = P384.Signing.PrecomputedPublicKey(
                key, window: window, partBits: AppleKeyTables.partBits, limbCount: table.count
            ) { table[$0] }
            #expect(generated.hasSameTable(as: P384.Signing.PrecomputedPublicKey(key, window: window)))
        }
    }

    /// Preparing an intermediate at run time does not change the results or the policies of the verifier.
    @Test func preparedIntermediate() throws {
        let device = TestDevice()
        let verifier = try device.verifier(
            launchPolicy: .onlyOrMissing([.appStore]), counterPolicy: .slidingWindow, clockSkew: 7)
        let prepared = try verifier.preparing([TestAuthority.intermediate.certificate])
        #expect(prepared.chainVerifier.preparedIntermediates.count == 1)
        #expect(prepared.apps == verifier.apps && prepared.environment == verifier.environment)
        #expect(prepared.clockSkew == 7 && prepared.assertionVerifier.counterPolicy == .slidingWindow)
        #expect(try device.verify(prepared).key == device.verify(verifier).key)
        var other = device
        other.aaguid = TestDevice.development
        #expect(throws: PureAttestError.environmentMismatch(.development)) { try other.verify(prepared) }
    }

    /// A certificate that differs from the embedded one in a single bit gets its signature checked.
    @Test func similarIntermediateIsNotTheKnownOne() throws {
        var bytes = AppleRoots.appAttestationCA1
        bytes[bytes.count - 1] ^= 1
        #expect(throws: PureAttestError.certificate(.invalidSignature(certificate: 1))) {
            _ = try AppAttestVerifier(apps: [], environment: .production, launchPolicy: .reportOnly).preparing([bytes])
        }
    }
}

extension [UInt64] {
    fileprivate init(copying span: Span<UInt64>) {
        self = span.indices.map { span[$0] }
    }
}
