@testable import PureAttestTesting
import PureDER
@testable import PureKeyAttestationTesting
import PureX509
import Testing

@testable import PureKeyAttestation

/// Tests limits of leaves and names, and rules for algorithms. Other tests do not detect mutations of these rules.
struct LeafBoundaryTests {
    /// RFC 5280 §4.1.2.2: serial numbers have at most 20 octets.
    @Test func serialNumbersOfLeavesAreBounded() {
        let longest = [UInt8](repeating: 0x11, count: 20)
        #expect(remote { $0.links[0].serialNumber = longest } == nil)
        #expect(
            remote { $0.links[0].serialNumber = longest + [1] }
                == .malformedCertificate(.serialNumberTooLong, certificate: 0))
    }

    /// RFC 5280 §4.1.1.2: the outer signature algorithm must equal the signed inner algorithm.
    @Test func algorithmsOfLeavesAreOne() throws {
        var chain = ChainDraft.remote.certificates
        let name = ASN1ObjectIdentifier.ecdsaWithSHA256.contents
        let places = chain[0].indices.filter { chain[0][$0...].starts(with: name) }
        try #require(places.count == 2)
        // Changes the outer algorithm to ecdsa-with-SHA384.
        chain[0][places[1] + name.count - 1] = 3
        #expect(
            ChainDraft.verifier().rejection(chain)
                == .malformedCertificate(.signatureAlgorithmMismatch, certificate: 0))
    }

    @Test func extensionsOfLeavesAreBounded() {
        func others(_ count: Int) -> [ExtensionDraft] {
            (0..<count).map { ExtensionDraft(ASN1ObjectIdentifier(encodedAs: 0x2A_00 | UInt128($0)), []) }
        }
        let most = Certificate.maximumExtensionCount
        #expect(remote { $0.links[0].extensions += others(most - 2) } == nil)
        #expect(
            remote { $0.links[0].extensions += others(most - 1) }
                == .malformedCertificate(.tooManyExtensions, certificate: 0))
        #expect(
            remote { $0.links[0].extensions[0].critical = der(.octetString) }
                == .malformedCertificate(.malformed(.extensions, .trailingBytes), certificate: 0))
    }

    /// Rule K3: the names of both intermediate authorities contain Google's organization.
    @Test func organizationsAreGoogles() {
        for (position, name) in [(2, "Droid CA3"), (3, "Droid CA2")] {
            #expect(
                remote { $0.links[position].subject = [(.commonName, name), (.organizationName, "Google LLX")] }
                    == .unknownProvisioning)
            #expect(remote { $0.links[position].subject = [(.commonName, name)] } == .unknownProvisioning)
        }
    }

    /// RFC 5758 §3.2 and RFC 4055 §5.
    @Test func algorithmsAreRead() throws {
        for (lastOctet, algorithm): (UInt8, SignatureAlgorithm) in [
            (2, .ecdsaWithSHA256), (3, .ecdsaWithSHA384), (4, .ecdsaWithSHA512),
        ] {
            let plain: [UInt8] = [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, lastOctet]
            #expect(try SignatureAlgorithm(plain[...]) == algorithm && algorithm.isECDSA)
            #expect(throws: X509Error.unexpectedAlgorithmParameters) { try SignatureAlgorithm((plain + derNull)[...]) }
        }
        for (lastOctet, algorithm): (UInt8, SignatureAlgorithm) in [
            (11, .sha256WithRSAEncryption), (12, .sha384WithRSAEncryption), (13, .sha512WithRSAEncryption),
        ] {
            let plain: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, lastOctet]
            #expect(try SignatureAlgorithm((plain + derNull)[...]) == algorithm && !algorithm.isECDSA)
            for other in [plain, plain + [5, 1, 0], plain + [4, 0]] {
                #expect((try? SignatureAlgorithm(other[...]))?.isSupported != true)
            }
        }
    }
}
