import Foundation
import PureAttest
import PureAttestServer
import PureAttestTesting
import PureBytes
import PureSHA2
import Testing

/// Tests that PyJWT and the service accept each other's session tokens. The tests run if `PYJWT_PYTHON` is the path of
/// a Python with PyJWT.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["PYJWT_PYTHON"] != nil, "PYJWT_PYTHON is not set"))
struct PyJWTTests {
    private let secret = RunningService.sessionSecret
    private let now = UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970))

    private var party: RelyingParty<InMemoryStore> {
        get throws {
            let key = try #require(SessionKey(id: "2026-09", secret: secret))
            return RelyingParty(
                verifier: .trustingTestDevices(
                    of: RunningService.authority, apps: [RunningService.app], environment: .production,
                    launchPolicy: .reportOnly),
                store: InMemoryStore(), sessionKeys: SessionKeys(current: key))
        }
    }

    @Test func pyJWTAcceptsOurs() async throws {
        let party = try party
        let device = RunningService.device(seed: 1)
        let name = await device.generateKey()
        let keyID = try [UInt8](base64Encoded: name)
        let first = try party.issueChallenge(purpose: .attestation, keyID: keyID, at: now)
        _ = try await party.register(
            attestation: device.attestKey(name, clientDataHash: SHA256.hash(data: first.value)), keyID: keyID,
            challenge: first.value, at: now)
        let second = try party.issueChallenge(purpose: .assertion, keyID: keyID, at: now)
        let authentication = try await party.authenticate(
            assertion: device.generateAssertion(name, clientDataHash: SHA256.hash(data: second.value)), keyID: keyID,
            challenge: second.value, at: now)
        let token = String(decoding: party.session(from: authentication).token, as: UTF8.self)
        let output = try python(
            """
            claims = jwt.decode(sys.argv[1], secret, algorithms=["HS256"], audience=audience,
                                options={"require": ["exp", "iat", "sub", "aud", "jti"]})
            print(jwt.get_unverified_header(sys.argv[1])["kid"], claims["sub"], claims["env"], claims["exp"] - claims["iat"])
            try:
                jwt.decode(sys.argv[1], b"\\0" * 32, algorithms=["HS256"], audience=audience)
                print("accepted under another key")
            except jwt.InvalidSignatureError:
                pass
            try:
                jwt.decode(sys.argv[1], secret, algorithms=["HS256"], audience="com.example.other")
                print("accepted for another audience")
            except jwt.InvalidAudienceError:
                pass
            """, token)
        #expect(output == "2026-09 \(base64EncodedString(keyID, as: .urlSafeUnpadded)) production 900")
    }

    @Test func oursAcceptsPyJWTs() async throws {
        let keyID = [UInt8](repeating: 7, count: 32)
        let subject = base64EncodedString(keyID, as: .urlSafeUnpadded)
        let jti = base64EncodedString([UInt8](repeating: 9, count: 16), as: .urlSafeUnpadded)
        let script = """
            import json
            algorithm, audience = sys.argv[1].split() if " " in sys.argv[1] else (sys.argv[1], audience)
            claims = {"sub": "\(subject)", "aud": audience, "env": "production", "acc": None, "cat": None,
                      "ver": None, "cdh": None, "iat": \(now.secondsSince1970),
                      "exp": \(now.secondsSince1970 + 60), "jti": "\(jti)"}
            if audience == "absent": del claims["aud"]
            key = None if algorithm == "none" else secret
            print(jwt.encode(claims, key, algorithm=algorithm, headers={"kid": "2026-09"}))
            """
        let party = try party
        let session = try await party.verifySession(Array(try python(script, "HS256").utf8), at: now)
        #expect(session.keyID == keyID && session.audience == RunningService.app.rpIDHash)
        let otherApp = base64EncodedString(SHA256.hash(data: "TEST123456.com.example.other".utf8), as: .urlSafeUnpadded)
        let refused: [(argument: String, refusal: Refusal)] = [
            ("HS384", .invalidToken), ("HS512", .invalidToken), ("none", .invalidToken),
            ("HS256 absent", .invalidToken),
            ("HS256 \(otherApp)", .tokenOfOtherAudience),
        ]
        for (argument, refusal) in refused {
            let token = Array(try python(script, argument).utf8)
            await #expect(throws: AttestServerError<InMemoryStoreFull>.refused(refusal)) {
                try await party.verifySession(token, at: now)
            }
        }
    }

    /// The script can use `jwt`, `sys`, `secret` and `audience`. Returns its output without the line end.
    private func python(_ script: String, _ argument: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: ProcessInfo.processInfo.environment["PYJWT_PYTHON"] ?? "")
        // Computes the audience as the documentation's article describes.
        let prelude = """
            import base64, hashlib, jwt, sys
            secret = bytes.fromhex("\(hexEncodedString(secret))")
            audience = base64.urlsafe_b64encode(hashlib.sha256(b"\(RunningService.app)").digest()).rstrip(b"=").decode()

            """
        // Suppresses warnings that the secret is too short for HS384 and HS512; the service must reject such tokens.
        process.arguments = ["-W", "ignore", "-c", prelude + script, argument]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
