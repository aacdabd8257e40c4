import PureX509Paths
import Testing

@Suite struct LimitConstantTests {
    @Test func limits() {
        #expect(CertificatePathVerifier.maximumSignatureChecks == 100)
        #expect(CertificatePathVerifier.maximumSteps == 200_000)
        #expect(CertificatePathVerifier.defaultMaximumPathLength == 6)
        #expect(CertificatePathVerifier.maximumIntermediateCount == 16)
        #expect(CertificatePathVerifier.maximumNameComparisons == 1_048_576)
        #expect(CertificatePathVerifier.maximumPolicyGraphSize == 65_536)
        #expect(CertificateRevocationList.maximumEncodedSize == 67_108_864)
        #expect(CertificateRevocationList.maximumPointNameCount == 64)
        #expect(OCSPResponse.maximumEncodedSize == 65_536)
        #expect(OCSPResponse.maximumStatusCount == 64)
        #expect(OCSPResponse.maximumCertificateCount == 8)
        #expect(PathReport.maximumCandidateCount == 100)
    }
}
