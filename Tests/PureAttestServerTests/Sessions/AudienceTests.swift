import PureAttest
import PureAttestServer
import Testing

/// Relying parties share a secret, and receive tokens that other parties issued.
@Suite struct AudienceTests {
    private func party(
        _ apps: [AppID], _ environment: Environment = .production, store: InMemoryStore = InMemoryStore(),
        use: SessionUse = .untilRevoked
    ) -> TestParty {
        relyingParty(store: store, verifier: verifier(environment, apps: apps)) { $0.sessionUse = use }
    }

    private func token(
        of app: AppID, _ environment: Environment = .production, from party: TestParty
    ) async throws -> [UInt8] {
        let client = Client(makeDevice(environment, app: app))
        try await client.register(with: party)
        return party.session(from: try await client.authenticate(with: party)).token
    }

    @Test(arguments: [SessionUse.untilExpiry, .untilRevoked, .once])
    func aSessionBelongsToItsApp(_ use: SessionUse) async throws {
        let store = InMemoryStore()
        let own = party([app], store: store, use: use)
        let token = try await token(of: app, from: own)
        for apps in [[otherApp], []] {
            for store in [store, InMemoryStore()] {
                let other = party(apps, store: store, use: use)
                #expect(
                    await rejection { _ = try await other.verifySession(token, at: now) } == .tokenOfOtherAudience)
            }
        }
        #expect(try await own.verifySession(token, at: now).audience == app.rpIDHash)
    }

    @Test(arguments: [Environment.production, .development])
    func aSessionBelongsToItsEnvironment(_ environment: Environment) async throws {
        let token = try await token(of: app, environment, from: party([app], environment))
        let other = party([app], environment == .production ? .development : .production)
        #expect(
            await rejection { _ = try await other.verifySession(token, at: now) }
                == .tokenOfOtherEnvironment(environment))
    }

    /// Each process accepts tokens of every app that it lists, whatever the order and the other apps.
    @Test func anyRelyingPartyOfTheAppAcceptsTheSession() async throws {
        let store = InMemoryStore()
        let macApp = AppID(bytes: app.bytes, platform: .macOS)
        let lists = [[app], [app, otherApp], [otherApp, app], [app, app], [otherApp, app, macApp]]
        for apps in lists {
            let token = try await token(of: app, from: party(apps, store: InMemoryStore()))
            for accepting in lists {
                let session = try await party(accepting, store: store).verifySession(token, at: now)
                #expect(session.audience == app.rpIDHash && session.platform == .appAttest(.production))
            }
        }
        // A token for the second app of a relying party is valid only at parties that list the second app.
        let both = party([app, otherApp])
        let other = try await token(of: otherApp, from: both)
        #expect(try await both.verifySession(other, at: now).audience == otherApp.rpIDHash)
        #expect(await rejection { _ = try await party([app]).verifySession(other, at: now) } == .tokenOfOtherAudience)
    }

    /// An unattested device does not prove its app, so its token is valid only for exactly the same set of apps.
    @Test func anUnattestedSessionBelongsToItsService() async throws {
        let services: [(apps: [AppID], environment: Environment)] = [
            ([app], .production), ([otherApp], .production), ([app, otherApp], .production), ([], .production),
            ([app], .development),
        ]
        for issuing in services {
            let token = try party(issuing.apps, issuing.environment).unattestedSession(
                for: ClientAddress(bytes: [1]), at: now
            ).token
            for accepting in services {
                let party = party(accepting.apps, accepting.environment)
                let refused = await rejection { _ = try party.verifyUnattestedSession(token, at: now) }
                #expect(refused == (issuing == accepting ? nil : .tokenOfOtherAudience))
                #expect(await rejection { _ = try await party.verifySession(token, at: now) } == .invalidToken)
            }
        }
        let token = try party([app, otherApp]).unattestedSession(for: ClientAddress(bytes: [1]), at: now).token
        for same in [[otherApp, app], [app, otherApp, app]] {
            _ = try party(same).verifyUnattestedSession(token, at: now)
        }
    }
}
