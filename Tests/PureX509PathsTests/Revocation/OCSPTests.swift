import CertificateDrafts
import DebugSampling
import PureDER
import Testing

@testable import PureX509
@testable import PureX509Paths

/// Tests details of the results and errors for OCSP responses (RFC 6960). `OCSPCorpusTests` runs a case for each rule.
@Suite struct OCSPTests {
    private static let signing = TestOCSPResponse.signing
    private static let thisUpdate = UnixTime(secondsSince1970: 1_733_011_200)
    private static let nextUpdate = UnixTime(secondsSince1970: 1_738_368_000)
    private static let good = VerifiedOCSPStatus(thisUpdate: thisUpdate, nextUpdate: nextUpdate)
    private static let secp256k1 = TestKey.publicKeyInfo(
        parameters: DER.oid(0x2B, 0x81, 0x04, 0x00, 0x0A), point: TestChain.leafKey.point)
    /// The algorithm sha256WithRSAEncryption, which OCSP verification does not support.
    private static let rsaWithSHA256 = DER.sequence(
        DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B), DER.null)

    private func verify(
        _ encoded: [UInt8], leaf: TestCertificate = TestChain.leaf, issuer: TestCertificate = TestChain.authority,
        at time: UnixTime = TestChain.now, clockSkew: UInt32 = 0
    ) throws -> Result<VerifiedOCSPStatus, PathError> {
        let leaf = try leaf.certificate(), issuer = try issuer.certificate()
        return Self.verify(encoded[...], leaf, issuer, at: time, clockSkew: clockSkew)
    }

    private static func verify(
        _ encoded: ArraySlice<UInt8>, _ leaf: Certificate, _ issuer: Certificate, at time: UnixTime = TestChain.now,
        clockSkew: UInt32 = 0
    ) -> Result<VerifiedOCSPStatus, PathError> {
        do throws(PathError) {
            let response = try OCSPResponse(derEncoded: encoded)
            return .success(try response.status(of: leaf, issuedBy: issuer, at: time, clockSkew: clockSkew))
        } catch { return .failure(error) }
    }

    private func expect(
        _ response: TestOCSPResponse, _ error: OCSPError, at time: UnixTime = TestChain.now, clockSkew: UInt32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let result = try verify(response.encoded, at: time, clockSkew: clockSkew)
        #expect(result == .failure(.ocsp(error)), sourceLocation: sourceLocation)
    }

    @Test func good() throws {
        #expect(try verify(TestOCSPResponse().encoded) == .success(Self.good))
        #expect(try verify(TestOCSPResponse.delegated.encoded) == .success(Self.good))
        let byKey = TestOCSPResponse().changing { $0.responder = TestOCSPResponse.byKey(TestChain.authorityKey) }
        #expect(try verify(byKey.encoded) == .success(Self.good))
        let response = try OCSPResponse(derEncoded: AnyCollection(TestOCSPResponse.delegated.encoded))
        #expect(response.fields.signatureAlgorithm == .ecdsaWithSHA256)
        #expect(try response.certificates == [TestOCSPResponse.delegate.certificate()])
    }

    /// RFC 6960 §2.2: the error for a revoked certificate contains the time and reason of the revocation.
    @Test func revokedAndUnknown() throws {
        let time = UnixTime(secondsSince1970: 1_734_220_800)
        let cases: [(UInt8?, RevocationReason)] = [(nil, .unspecified), (1, .keyCompromise), (10, .aACompromise)]
        for (reason, expected) in cases {
            let response = TestOCSPResponse().changing {
                $0.statuses = [TestOCSPResponse.status(TestOCSPResponse.revoked(reason))]
            }
            try expect(response, .revoked(at: time, expected))
        }
        let unknown = TestOCSPResponse().changing { $0.statuses = [TestOCSPResponse.status(DER.implicit(2, []))] }
        try expect(unknown, .unknownCertificate)
    }

    /// If the signature is invalid, the certificate status in the response does not change the result.
    @Test func signatureComesFirst() throws {
        for status in [TestOCSPResponse.revoked(), DER.implicit(0, []), DER.implicit(2, [])] {
            let response = TestOCSPResponse().changing {
                $0.signer = .p384(99)
                $0.statuses = [TestOCSPResponse.status(status, nextUpdate: nil)]
            }
            try expect(response, .invalidSignature)
        }
    }

    /// RFC 6960 §3.2 items 5 and 6: a response's validity includes both ends, each extended by the clock skew.
    @Test func times() throws {
        let response = TestOCSPResponse()
        for skew: UInt32 in [0, 1, 300] {
            let first = Self.thisUpdate.adding(-Int64(skew)), last = Self.nextUpdate.adding(Int64(skew))
            for time in [first, last] {
                #expect(try verify(response.encoded, at: time, clockSkew: skew) == .success(Self.good))
            }
            let before = first.adding(-1), after = last.adding(1)
            try expect(
                response, .notYetValid(thisUpdate: Self.thisUpdate, at: before), at: before, clockSkew: skew)
            try expect(response, .expired(nextUpdate: Self.nextUpdate, at: after), at: after, clockSkew: skew)
        }
        let (minimum, maximum) = (UnixTime(secondsSince1970: .min), UnixTime(secondsSince1970: .max))
        try expect(
            response, .notYetValid(thisUpdate: Self.thisUpdate, at: minimum), at: minimum, clockSkew: .max)
        try expect(response, .expired(nextUpdate: Self.nextUpdate, at: maximum), at: maximum, clockSkew: .max)
        let unbounded = response.changing { $0.statuses = [TestOCSPResponse.status(nextUpdate: nil)] }
        try expect(unbounded, .nextUpdateMissing)
    }

    /// RFC 6960 §3.2 item 1: certificates with the same serial number are distinguished by their issuer's name and key.
    @Test func otherIssuersOfTheSameSerial() throws {
        let identifiers = [
            TestOCSPResponse.identifier(issuer: "CB"), TestOCSPResponse.identifier(key: .p384(5)),
            TestOCSPResponse.identifier(serial: DER.integer(2)),
        ]
        for identifier in identifiers {
            try expect(
                TestOCSPResponse().changing { $0.statuses = [TestOCSPResponse.status(of: identifier)] }, .statusMissing)
        }
        let leaf = TestChain.leaf.changing { $0.issuer = DER.name("CB") }
        #expect(try verify(TestOCSPResponse().encoded, leaf: leaf) == .failure(.ocsp(.issuerMismatch)))
    }

    /// RFC 6960 §4.2.2.2: tests the errors for delegated responders.
    @Test func delegates() throws {
        let delegate = TestOCSPResponse.delegate
        let cases: [(TestCertificate, X509Error)] = [
            (delegate.changing { $0.extensions = [] }, .extendedKeyUsageMissing(certificate: 0)),
            (delegate.changing { $0.issuer = DER.name("CB") }, .issuerNotFound(certificate: 0)),
            (delegate.changing { $0.signer = .p384(5) }, .invalidSignature(certificate: 0)),
            (
                delegate.changing { $0.extensions = TestExtension.authority + [Self.signing] },
                .unexpectedCertificationAuthority
            ),
            (
                delegate.changing {
                    $0.validity = DER.sequence(DER.utcTime("200101000000Z"), DER.utcTime("241231235959Z"))
                }, .expired(certificate: 0, notAfter: TestChain.now.adding(-1), at: TestChain.now)
            ),
            (
                delegate.changing { $0.extensions = [TestExtension.certificateSigning, Self.signing] },
                .digitalSignatureMissing(certificate: 0)
            ),
            (
                delegate.changing {
                    $0.extensions = [Self.signing, TestExtension.subjectKeyIdentifier([1], critical: true)]
                }, .wrongCriticality(.subjectKeyIdentifier, certificate: 0)
            ),
            (
                delegate.changing {
                    $0.innerAlgorithm = Self.rsaWithSHA256
                    $0.outerAlgorithm = Self.rsaWithSHA256
                }, .unsupportedSignatureAlgorithm(certificate: 0)
            ),
            (delegate.changing { $0.publicKeyInfo = Self.secp256k1 }, .unsupportedPublicKey(certificate: 0)),
        ]
        #expect(cases.count == 9)
        for (delegate, error) in cases {
            try expect(
                TestOCSPResponse.delegated.changing { $0.certificates = [delegate.encoded] }, .delegate(error))
        }
    }

    /// If no certificate is accepted as the delegated responder, the error comes from the first candidate.
    @Test func severalCandidates() throws {
        let expired = TestOCSPResponse.delegate.changing {
            $0.validity = DER.sequence(DER.utcTime("200101000000Z"), DER.utcTime("200102000000Z"))
        }
        let notSigning = TestOCSPResponse.delegate.changing { $0.extensions = [] }
        let purposeMissing = OCSPError.delegate(.extendedKeyUsageMissing(certificate: 0))
        let otherKey = TestOCSPResponse.delegate.changing { $0.publicKeyInfo = TestKey.p256(32).subjectPublicKeyInfo }
        func response(_ certificates: TestCertificate...) -> TestOCSPResponse {
            TestOCSPResponse.delegated.changing { $0.certificates = certificates.map(\.encoded) }
        }
        try expect(response(notSigning, expired), purposeMissing)
        try expect(response(notSigning, otherKey), purposeMissing)
        try expect(response(otherKey, notSigning), .invalidSignature)
        let last = response(expired, notSigning, otherKey, TestOCSPResponse.delegate)
        #expect(try verify(last.encoded) == .success(Self.good))
    }

    @Test func unsupportedKeysAndAlgorithms() throws {
        let unsupported = TestChain.authority.changing {
            $0.publicKeyInfo = Self.secp256k1
        }
        #expect(
            try verify(TestOCSPResponse().encoded, issuer: unsupported)
                == .failure(.certificate(.unsupportedPublicKey(certificate: 1))))
        let notOctets = TestOCSPResponse().changing { $0.signature = DER.bits([0xFE], unused: 1) }
        #expect(try verify(notOctets.encoded) == .failure(.certificate(.notWholeOctets(.ocspResponse))))
    }

    // MARK: Malformed input

    @Test func size() throws {
        for (count, isTooLarge) in [(65_536, false), (65_537, true)] {
            let bytes = [UInt8](repeating: 0, count: count)
            for result in [
                Result { () throws(PathError) in try OCSPResponse(derEncoded: bytes[...]) },
                Result { () throws(PathError) in try OCSPResponse(derEncoded: AnyCollection(bytes)) },
            ] {
                guard case .failure(let error) = result else {
                    Issue.record("read")
                    continue
                }
                #expect((error == .ocsp(.responseTooLarge)) == isTooLarge)
            }
        }
    }

    @Test func truncations() throws {
        var count = 0
        for encoded in [TestOCSPResponse().encoded, TestOCSPResponse.delegated.encoded] {
            for length in encoded.indices {
                count += 1
                #expect(throws: PathError.self) { try OCSPResponse(derEncoded: encoded[..<length]) }
            }
        }
        #expect(count == Self.octetCount)
    }

    /// A direct or delegated response with any flipped bit is rejected: every part is signed or checked.
    @Test func flippedBits() throws {
        let leaf = try TestChain.leaf.certificate(), issuer = try TestChain.authority.certificate()
        let responses = [TestOCSPResponse().encoded, TestOCSPResponse.delegated.encoded]
        let flips = responses.indices.flatMap { response in
            (0..<responses[response].count * 8).map { (response, $0) }
        }
        #expect(flips.count == 8 * Self.octetCount)
        // 29 and 8 have no common factor, so the sample includes every bit position of a byte.
        for (response, bit) in debugSample(flips, every: 61, of: "flipped bits") {
            var encoded = responses[response]
            encoded[bit / 8] ^= 1 << (bit % 8)
            guard case .failure = Self.verify(encoded[...], leaf, issuer) else {
                Issue.record("response \(response), bit \(bit)")
                continue
            }
        }
    }

    /// The response's signature does not cover an additional certificate. A flipped bit in this certificate may cause a
    /// parse error, but never a different result.
    @Test func flippedBitsOfAnUnusedCertificate() throws {
        let leaf = try TestChain.leaf.certificate(), issuer = try TestChain.authority.certificate()
        let unused = TestChain.root.encoded
        let encoded = TestOCSPResponse().changing { $0.certificates = [unused] }.encoded
        let start = encoded.count - unused.count
        #expect(Self.verify(encoded[...], leaf, issuer) == .success(Self.good))
        let bits = Array(start * 8..<encoded.count * 8)
        var accepted = 0
        for bit in debugSample(bits, every: 19, of: "bits of an unused certificate") {
            var changed = encoded
            changed[bit / 8] ^= 1 << (bit % 8)
            switch Self.verify(changed[...], leaf, issuer) {
            case .success(let status):
                accepted += 1
                #expect(status == Self.good)
            case .failure(.certificate): break
            case .failure(let error): Issue.record("bit \(bit): \(error)")
            }
        }
        // The additional certificate has a signature of 100 octets, in which flipped bits have no effect.
        #expect(accepted > 50)
    }

    /// The octet counts of the direct response and of the delegated response.
    private static let octetCount = 292 + 621
}
