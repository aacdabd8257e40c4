import PureAttest
import PureAttestTesting
import PureBytes
import PureSHA2
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

@Suite struct SessionTests {
    /// RFC 7515 A.1: checks the MAC of the signing input in the compact serialization.
    @Test func rfc7515ExampleA1() throws {
        let input = """
            eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt\
            cGxlLmNvbS9pc19yb290Ijp0cnVlfQ
            """
        let code = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let secret = try [UInt8](
            base64Encoded: "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
            as: .urlSafeUnpadded)
        let key = try #require(SessionKey(id: "A.1", secret: secret))
        let computed = key.code(of: Array(input.utf8), tier: .attested(.production))
        #expect(base64EncodedString(computed, as: .urlSafeUnpadded) == code)
        #expect(key.code(of: Array(input.utf8), tier: .unattested) != computed)
        // A different header is rejected even with a valid MAC, because the token cannot choose `alg`.
        let token = Array("\(input).\(code)".utf8)
        #expect(SessionToken(token, keys: SessionKeys(current: key), tier: .attested(.production)) == nil)
    }

    @Test func layoutIsFixed() async throws {
        let (party, client) = try await registered()
        let session = party.session(from: try await client.authenticate(with: party))
        let parts = session.token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        #expect(parts.count == 3)
        #expect(text(parts[0]) == #"{"alg":"HS256","kid":"2026-09","typ":"JWT"}"#)
        let accepted = try await party.verifySession(session.token, at: now)
        let subject = base64EncodedString(client.keyID, as: .urlSafeUnpadded)
        let audience = base64EncodedString(SHA256.hash(data: app.bytes), as: .urlSafeUnpadded)
        let jti = base64EncodedString(accepted.tokenID, as: .urlSafeUnpadded)
        let claims = """
            {"sub":"\(subject)","aud":"\(audience)","env":"production","acc":null,"cat":4,"ver":"MS4w",\
            "cdh":null,"iat":1789473600,"exp":1789474500,"jti":"\(jti)"}
            """
        #expect(text(parts[1]) == claims)
        #expect(accepted.keyID == client.keyID && accepted.platform == .appAttest(.production))
        #expect(accepted.audience == app.rpIDHash)
        #expect(accepted.issuedAt == now && accepted.expiresAt == time(900) && session.expiresAt == time(900))
    }

    @Test func everyChangeIsRejected() async throws {
        let (party, client) = try await registered {
            $0.sessionUse = .untilExpiry; $0.removeLimits()
        }
        let token = party.session(from: try await client.authenticate(with: party)).token
        for i in token.indices {
            for bit in 0..<8 {
                var changed = token
                changed[i] ^= 1 << UInt8(bit)
                #expect(await rejection { _ = try await party.verifySession(changed, at: now) } == .invalidToken)
            }
            #expect(await rejection { _ = try await party.verifySession(Array(token[..<i]), at: now) } == .invalidToken)
        }
        for addition in ["A", ".", "=", ".AAAA", "\n"] {
            #expect(
                await rejection { _ = try await party.verifySession(token + addition.utf8, at: now) } == .invalidToken)
        }
        #expect(
            await rejection { _ = try await party.verifySession([UInt8](repeating: 0x2E, count: 100_000), at: now) }
                == .invalidToken)
    }

    @Test func otherClaimsAreRejected() throws {
        let keys = SessionKeys(current: sessionKey)
        let subject = base64EncodedString([UInt8](repeating: 7, count: 32), as: .urlSafeUnpadded)
        let audience = base64EncodedString([UInt8](repeating: 8, count: 32), as: .urlSafeUnpadded)
        let jti = base64EncodedString([UInt8](repeating: 9, count: 16), as: .urlSafeUnpadded)
        let nobody = #""acc":null,"cat":null,"ver":null,"cdh":null"#
        func isAccepted(_ claims: String) -> Bool {
            let input = sessionKey.header + ".".utf8 + Base64.encode(Array(claims.utf8), as: .urlSafeUnpadded)
            let code = sessionKey.code(of: input, tier: .attested(.production))
            let token = input + ".".utf8 + Base64.encode(code, as: .urlSafeUnpadded)
            return SessionToken(token, keys: keys, tier: .attested(.production)) != nil
        }
        func claims(
            sub: String = subject, aud: String = audience, env: String = "production", holder: String = nobody,
            iat: String = "1", exp: String = "2", jti: String = jti
        ) -> String {
            #"{"sub":"\#(sub)","aud":"\#(aud)","env":"\#(env)",\#(holder),"iat":\#(iat),"exp":\#(exp),"jti":"\#(jti)"}"#
        }
        func holder(_ acc: String = "null", _ cat: String = "null", _ ver: String = "null", _ cdh: String = "null")
            -> String
        {
            #""acc":\#(acc),"cat":\#(cat),"ver":\#(ver),"cdh":\#(cdh)"#
        }
        for (index, known) in [
            holder(#""dXNlcg""#), holder(#""""#), holder("null", "0"), holder("null", "4294967295"),
            holder("null", "null", #""MS4w""#), holder("null", "null", "null", #""AgE""#),
        ].enumerated() { #expect(isAccepted(claims(holder: known)), "\(index)") }
        #expect(isAccepted(claims()) && isAccepted(claims(env: "development", exp: "9223372036854775807")))
        let refused = [
            claims(env: "unattested"), claims(env: "Production"), claims(env: "productio"), claims(iat: "01"),
            claims(iat: "-1"), claims(iat: "+1"), claims(iat: ""), claims(exp: "1e3"), claims(exp: "2.0"),
            claims(exp: "9223372036854775808"), claims(exp: "18446744073709551617"),
            claims(exp: "36893488147419103233"),
            claims(exp: "\"2\""), claims(sub: String(subject.dropLast())),
            claims(sub: subject + "A"), claims(sub: String(subject.dropLast()) + "/"), claims(jti: jti + "A"),
            claims(jti: String(jti.dropLast()) + "B"),  // a padding bit
            claims(aud: ""), claims(aud: String(audience.dropLast())), claims(aud: audience + "A"),
            claims(exp: "null"), claims(exp: "[2]"),
            claims() + " ", " " + claims(), String(claims().dropLast()), claims() + claims(), "{}", "", "1", "null",
            // Claims of the previous version (no account), claims without audience or expiry, claims in a different
            // order, and claims with an extra member.
            #"{"sub":"\#(subject)","aud":"\#(audience)","env":"production","iat":1,"exp":2,"jti":"\#(jti)"}"#,
            #"{"sub":"\#(subject)","env":"production",\#(nobody),"iat":1,"exp":2,"jti":"\#(jti)"}"#,
            #"{"sub":"\#(subject)","aud":"\#(audience)","env":"production",\#(nobody),"iat":1,"jti":"\#(jti)"}"#,
            #"{"aud":"\#(audience)","sub":"\#(subject)","env":"production",\#(nobody),"iat":1,"exp":2,"jti":"\#(jti)"}"#,
            claims(holder: holder("user")), claims(holder: holder(#""dXNlcg==""#)),
            claims(holder: holder(#""user name""#)),
            claims(holder: holder(#""dXNlcg\","admin":"1""#)), claims(holder: holder("null", "4294967296")),
            claims(holder: holder("null", "-1")), claims(holder: holder("null", "04")),
            claims(holder: holder("null", "4.0")),
            claims(holder: holder("null", #""4""#)), claims(holder: holder("null", "null", "1.0")),
            claims(holder: holder("null", "null", "null", #""""#)), claims(holder: #""acc":null"#),
            String(claims().dropLast()) + #","admin":true}"#,
        ]
        for claims in refused { #expect(!isAccepted(claims), "\(claims)") }
    }

    @Test func endsInTime() async throws {
        let (party, client) = try await registered { $0.sessionLifetime = 10 }
        let session = party.session(from: try await client.authenticate(with: party, at: time(5)))
        #expect(session.expiresAt == time(15))
        _ = try await party.verifySession(session.token, at: time(14))
        #expect(await rejection { _ = try await party.verifySession(session.token, at: time(15)) } == .expiredToken)
    }

    @Test(
        arguments: [(Int64.min, 1), (0, 1), (1, 1), (86_400, 86_400), (86_401, 86_400), (.max, 86_400)]
            as [(Int64, Int64)])
    func lifetimesAreLimited(_ configured: Int64, _ effective: Int64) async throws {
        let (party, client) = try await registered { $0.sessionLifetime = configured }
        #expect(party.session(from: try await client.authenticate(with: party)).expiresAt == time(effective))
    }

    /// A token with a time before 1970 can be created, but is rejected.
    @Test func timesBefore1970AreNotRead() {
        let keys = SessionKeys(current: sessionKey)
        for (seconds, isRead) in [(0, true), (-1, false), (.min, false), (.max, true)] as [(Int64, Bool)] {
            let token = SessionToken(
                subject: [UInt8](repeating: 7, count: 32), audience: app.rpIDHash, tier: .attested(.production),
                holder: SessionHolder(), issuedAt: UnixTime(secondsSince1970: seconds), expiresAt: now,
                id: [UInt8](repeating: 9, count: 16))
            let read = SessionToken(token.signed(with: keys), keys: keys, tier: .attested(.production))
            #expect(read == (isRead ? token : nil))
        }
    }

    @Test func keysRotate() async throws {
        let (old, client) = try await registered(keys: SessionKeys(current: formerSessionKey))
        let token = old.session(from: try await client.authenticate(with: old)).token
        let rotated = relyingParty(store: old.store, keys: SessionKeys(current: sessionKey, former: [formerSessionKey]))
        #expect(try await rotated.verifySession(token, at: now).keyID == client.keyID)
        let after = relyingParty(store: old.store)
        #expect(await rejection { _ = try await after.verifySession(token, at: now) } == .invalidToken)
        // The impostor's session key has the same identifier, but a different secret.
        let impostor = SessionKey(id: "2026-08", secret: [UInt8](repeating: 0, count: 32))!
        let other = relyingParty(store: old.store, keys: SessionKeys(current: impostor))
        #expect(await rejection { _ = try await other.verifySession(token, at: now) } == .invalidToken)
    }

    @Test func keysAreChecked() {
        let secret = [UInt8](repeating: 1, count: 32)
        for id in ["", "a b", "a\"b", "a\\b", "é", "a/b", String(repeating: "a", count: 65)] {
            #expect(SessionKey(id: id, secret: secret) == nil)
        }
        for count in [1, 64] { #expect(SessionKey(id: String(repeating: "a", count: count), secret: secret) != nil) }
        #expect(SessionKey(id: "a", secret: secret.dropLast()) == nil)
    }

    @Test func theLongestTokenIsRead() throws {
        let key = try #require(
            SessionKey(id: String(repeating: "k", count: 64), secret: [UInt8](repeating: 1, count: 32)))
        let end = UnixTime(secondsSince1970: .max)
        var holder = SessionHolder()
        holder.account = AccountID(bytes: [UInt8](repeating: 0xFF, count: AccountID.maximumByteCount))
        holder.category = ValidationCategory(rawValue: .max)
        // The longest bundle version and the longest hash that authenticator data can contain.
        holder.version = BundleVersion(utf8: [UInt8](repeating: 0x22, count: 256))
        holder.build = CodeDirectoryHash(type: 9, bytes: [UInt8](repeating: 0xFE, count: 64))
        for tier in [SessionTier.attested(.production), .attested(.development), .unattested] {
            let token = SessionToken(
                subject: [UInt8](repeating: 7, count: 32), audience: app.rpIDHash, tier: tier, holder: holder,
                issuedAt: end, expiresAt: end, id: [UInt8](repeating: 9, count: 16))
            let keys = SessionKeys(current: key)
            #expect(SessionToken(token.signed(with: keys), keys: keys, tier: tier) == token)
        }
    }

    /// A session contains the exact bytes of the account identifier and of the running build's hash.
    @Test func sessionsSayWhoAndWhat() async throws {
        let hash = try #require(CodeDirectoryHash([UInt8](repeating: 0xC0, count: 32)))
        let accounts = [
            AccountID(bytes: []), AccountID("user"), AccountID("\",\"admin\":\"\\\n\u{0}"), AccountID("\u{E9}"),
            AccountID("e\u{301}"), AccountID(bytes: [0xFF, 0xC0, 0x80]),
            AccountID(bytes: [UInt8](repeating: 7, count: 256)),
        ]
        let party = relyingParty { $0.removeLimits() }
        for (index, account) in accounts.enumerated() {
            let device = VirtualDevice(
                app: app, authority: authority, seed: UInt64(100 + index), time: now, validationCategory: .testFlight,
                bundleVersion: "7\"\\é", codeDirectoryHash: hash.bytes)
            let client = Client(device)
            let registration = try await client.register(with: party, account: account)
            let authentication = try await client.authenticate(with: party, account: account)
            for session in [party.session(from: registration), party.session(from: authentication)] {
                #expect(Array(session.text.utf8) == session.token)
                let accepted = try await party.verifySession(session.text, at: now)
                #expect(accepted.account == account && accepted.keyID == client.keyID)
                #expect(accepted.validationCategory == .testFlight && accepted.codeDirectoryHash == hash)
                #expect(accepted.bundleVersion == "7\"\\é")
            }
        }
        // Systems before iOS 27 send no launch information.
        let silent = Client(VirtualDevice(app: app, system: .iOS26, authority: authority, seed: 99, time: now))
        let session = party.session(from: try await silent.register(with: party))
        let accepted = try await party.verifySession(session.token, at: now)
        #expect(accepted.account == nil && accepted.validationCategory == nil)
        #expect(accepted.bundleVersion == nil && accepted.codeDirectoryHash == nil)
        // A token has no room for an account identifier of 257 bytes.
        let long = AccountID(bytes: [UInt8](repeating: 7, count: 257))
        #expect(await rejection { try await silent.register(with: party, account: long) } == .malformedRequest)
        #expect(await rejection { _ = try await silent.authenticate(with: party, account: long) } == .malformedRequest)
    }

    @Test func revocationAndLogout() async throws {
        let (party, client) = try await registered()
        let first = party.session(from: try await client.authenticate(with: party))
        let second = party.session(from: try await client.authenticate(with: party))
        try await party.endSession(party.verifySession(first.token, at: now))
        #expect(await rejection { _ = try await party.verifySession(first.token, at: now) } == .deniedToken)
        _ = try await party.verifySession(second.token, at: now)
        #expect(try await party.revoke(keyID: client.keyID, at: now))
        #expect(try await !party.revoke(keyID: client.keyID, at: now))
        #expect(await rejection { _ = try await party.verifySession(second.token, at: now) } == .deniedToken)
        #expect(await rejection { _ = try await client.authenticate(with: party) } == .revokedKey)
        // Without a store look-up, a session stays valid after its key is revoked.
        let stateless = relyingParty(store: party.store) { $0.sessionUse = .untilExpiry }
        _ = try await stateless.verifySession(second.token, at: time(899))
    }

    @Test func singleUseTokensAreUsedOnce() async throws {
        let (party, client) = try await registered { $0.sessionUse = .once }
        let token = party.session(from: try await client.authenticate(with: party)).token
        let outcomes = await withTaskGroup(of: Refusal?.self) { group in
            for _ in 0..<32 {
                group.addTask { await rejection { _ = try await party.verifySession(token, at: now) } }
            }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == nil }.count == 1)
        #expect(outcomes.filter { $0 == .tokenConsumed }.count == 31)
    }

    @Test func unattestedTierNeverMixes() async throws {
        let (party, client) = try await registered()
        let attested = party.session(from: try await client.authenticate(with: party)).token
        let unattested = try party.unattestedSession(for: ClientAddress(bytes: Array("192.0.2.1".utf8)), at: now).token
        #expect(await rejection { _ = try await party.verifySession(unattested, at: now) } == .invalidToken)
        #expect(await rejection { _ = try party.verifyUnattestedSession(attested, at: now) } == .invalidToken)
        let session = try party.verifyUnattestedSession(unattested, at: now)
        #expect(session.clientAddressDigest == [UInt8](SHA256.hash(data: "192.0.2.1".utf8)))
        #expect(await rejection { _ = try party.verifyUnattestedSession(unattested, at: time(900)) } == .expiredToken)
    }

    private func text(_ segment: ArraySlice<UInt8>) -> String? {
        (try? Base64.decode(segment, as: .urlSafeUnpadded)).map { String(decoding: $0, as: UTF8.self) }
    }
}
