import DebugSampling
import Foundation
import PureDER
import PureX509
import PureX509Paths
import Testing
import VectorSupport

/// Runs `Vectors/ocsp`. OpenSSL gives the same verdicts. The generator lists the exceptions and their reasons.
@Suite struct OCSPCorpusTests {
    private struct File: Decodable {
        let ocspCases: [Case]
    }

    private struct Case: Decodable {
        let id: String
        let certificate, issuer, response: Data
        let time: Int64
        let clockSkew: UInt32
        let expected: String?
    }

    /// Returns an error as the generator writes it: the case and the nested case.
    static func text(_ error: PathError) -> String {
        let found: String? =
            switch error {
            case .ocsp(.delegate(let inner)): caseName(of: inner).map { "delegate(\($0))" }
            case .ocsp(.unsuccessful(let failure)): caseName(of: failure).map { "unsuccessful(\($0))" }
            case .ocsp(.revoked(let time, let reason)):
                caseName(of: reason).map { "revoked(\(time.secondsSince1970), \($0))" }
            case .ocsp(let error): caseName(of: error)
            case .certificate(let inner): caseName(of: inner).map { "certificate(\($0))" }
            default: nil
            }
        return found ?? "\(error)"
    }

    private static func rejection(_ test: Case) throws -> String? {
        let certificate = try Certificate(derEncoded: test.certificate)
        let issuer = try Certificate(derEncoded: test.issuer)
        do throws(PathError) {
            _ = try OCSPResponse(derEncoded: test.response).status(
                of: certificate, issuedBy: issuer, at: UnixTime(secondsSince1970: test.time), clockSkew: test.clockSkew)
            return nil
        } catch { return text(error) }
    }

    /// RFC 6960 §2.2, §2.3, §3.2, §4.1.1, §4.2.1, §4.2.2.1, §4.2.2.2, §4.4, RFC 5019 §4.
    @Test func responses() throws {
        let cases = try JSONDecoder().decode(File.self, from: VectorDirectory.committedFile("ocsp/responses.json"))
            .ocspCases
        #expect(cases.count == 135)
        #expect(cases.filter { $0.expected == nil }.count == 36)
        for test in debugSample(cases, every: 3, of: "OCSP responses") {
            #expect(try Self.rejection(test) == test.expected, "\(test.id)")
        }
    }
}
