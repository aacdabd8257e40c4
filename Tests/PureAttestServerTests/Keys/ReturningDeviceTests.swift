import PureAttest
import PureAttestServer
import Testing

/// If so configured, a server stores multiples of a returning device's public key in the device's record.
@Suite struct ReturningDeviceTests {
    private typealias Multiples = RelyingPartyConfiguration.PublicKeyMultiples

    @Test(arguments: Multiples.allCases)
    func multiplesAreStored(_ when: RelyingPartyConfiguration.PublicKeyMultiples) async throws {
        let (party, client) = try await registered { $0.publicKeyMultiples = when }
        func stored() throws -> AttestedKey { try #require(party.store.key(client.keyID)?.key.appAttest) }
        #expect(try stored().hasPublicKeyMultiples == (when == .fromRegistration))
        for counter in 1...2 as ClosedRange<UInt32> {
            let authentication = try await client.authenticate(with: party)
            #expect(try stored() == authentication.record.key.appAttest && stored().counter == counter)
            #expect(try stored().hasPublicKeyMultiples == (when != .never))
            #expect(try AttestedKey(serialized: stored().serialized) == stored())
        }
    }

    @Test func storedMultiplesStay() async throws {
        let (party, client) = try await registered()
        _ = try await client.authenticate(with: party)
        let other = relyingParty(store: party.store) { $0.publicKeyMultiples = .never }
        let authentication = try await client.authenticate(with: other)
        #expect(
            authentication.record.key.appAttest?.hasPublicKeyMultiples == true && authentication.record.key.counter == 2
        )
    }

    @Test(arguments: Multiples.allCases)
    func unknownKeysAreRejectedAlike(_ when: RelyingPartyConfiguration.PublicKeyMultiples) async throws {
        for answers in [AnswerPolicy.uniform, .precise] {
            let party = relyingParty {
                $0.publicKeyMultiples = when
                $0.answerPolicy = answers
            }
            let client = Client()
            // A device can sign only after a registration, so it first registers with a different server.
            try await client.register(with: relyingParty())
            #expect(await rejection { _ = try await client.authenticate(with: party) } == .unknownKey)
        }
    }
}
