import Foundation
import PureAttest
import PureBytes
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

/// Compares challenges, tokens and budget rows with bytes in a file. These bytes never change, because servers of two
/// versions may share a secret and a database.
@Suite struct FormatTests {
    private struct Formats: Decodable {
        struct Challenge: Decodable {
            let purpose: String
            let account: String?
            let value: String
        }
        struct Token: Decodable {
            let tier: String
            let holder: Bool
            let token: String
        }
        struct Row: Decodable {
            let of: String
            let environment: String
            let days: Int64
            let account: String?
            let holder: String
            let endsAt: Int64
        }
        let challenges: [Challenge]
        let service: String
        let tokens: [Token]
        let budgetPeriods: [Row]
    }

    private let formats: Formats
    private let keys: SessionKeys
    private let audience: SessionAudience
    private let keyID = [UInt8](0..<32)
    private let random = [UInt8](100..<116)
    private let now = UnixTime(secondsSince1970: 1_789_473_600)
    private let appIDs: [AppID]

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "formats.json")
        formats = try JSONDecoder().decode(Formats.self, from: Data(contentsOf: file))
        keys = SessionKeys(
            current: try #require(SessionKey(id: "2026-09", secret: [UInt8](repeating: 7, count: 32))))
        appIDs = ["TEST123456.com.example.app", "TEST123456.com.example.other"].map { AppID(bytes: $0.utf8) }
        audience = SessionAudience(apps: appIDs, environment: .production)
    }

    @Test func challengesKeepTheirFormat() throws {
        #expect(hexEncodedString(audience.service) == formats.service)
        #expect(formats.challenges.count == 6)
        for challenge in formats.challenges {
            let value = ChallengeFormat(keys: keys, audience: audience).seal(
                purpose: challenge.purpose == "attest" ? .attestation : .assertion, keyID: keyID,
                account: challenge.account.map { AccountID(bytes: $0.utf8) }, issuedAt: now, lifetime: 60,
                random: random)
            #expect(hexEncodedString(value) == challenge.value)
        }
    }

    @Test func tokensKeepTheirFormat() throws {
        #expect(formats.tokens.count == 4)
        var holder = SessionHolder()
        holder.account = AccountID("Zoë")
        holder.category = .appStore
        holder.version = BundleVersion(utf8: Array("2.1.0".utf8))
        holder.build = CodeDirectoryHash(type: 2, bytes: [UInt8](1...32))
        for expected in formats.tokens {
            let tier: SessionTier =
                expected.tier == "unattested"
                ? .unattested : .attested(expected.tier == "production" ? .production : .development)
            let token = SessionToken(
                subject: keyID, audience: tier == .unattested ? audience.service : appIDs[0].rpIDHash, tier: tier,
                holder: expected.holder ? holder : SessionHolder(), issuedAt: now, expiresAt: now.adding(900),
                id: random)
            #expect(String(decoding: token.signed(with: keys), as: UTF8.self) == expected.token)
        }
    }

    @Test func rowsOfBudgetsKeepTheirFormat() {
        #expect(formats.budgetPeriods.count == 6)
        for expected in formats.budgetPeriods {
            let budget = Budget(
                days: expected.days, requests: 1, units: 1, of: expected.of == "account" ? .account : .key)
            let allowance = BudgetAllowance(
                budget, keyID: keyID, account: expected.account.map { AccountID(bytes: $0.utf8) })
            let row = allowance.row(
                environment: expected.environment == "production" ? .production : .development, at: now)
            #expect(hexEncodedString(row.holder) == expected.holder)
            #expect(row.end.secondsSince1970 == expected.endsAt)
        }
    }
}
