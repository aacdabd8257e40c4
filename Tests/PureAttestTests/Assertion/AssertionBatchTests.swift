import PureAttestTesting
import PureBytes
import PureSHA2
import Testing

@testable import PureAttest

struct AssertionBatchTests {
    private struct Item {
        let assertion: [UInt8]
        let challenge: [UInt8]
        let key: AttestedKey
    }

    private let app = AppID(teamID: "TEST123456", bundleID: "com.example.app")
    private let authority = TestCertificateAuthority(seed: 70)
    private let time = UnixTime(secondsSince1970: 1_789_473_600)
    private let challenge = [UInt8]("challenge".utf8)

    private var verifier: AppAttestVerifier {
        .trustingTestDevices(of: authority, apps: [app], environment: .production, launchPolicy: .reportOnly)
    }

    /// Returns valid assertions, and assertions with each kind of fault, a stale counter or a wrong challenge. Each key
    /// has multiples of its point, a table of its point, or neither.
    private func items() throws -> [Item] {
        let device = VirtualDevice(app: app, authority: authority, seed: 70, time: time)
        let name = device.generateKey()
        let attestation = try device.attestKey(name, clientDataHash: SHA256.hash(data: challenge))
        let key = try verifier.verifyAttestation(
            attestation, keyID: Base64.decode(Array(name.utf8)), challenge: challenge, at: time
        ).key
        func assertion() throws -> [UInt8] {
            try device.generateAssertion(name, clientDataHash: SHA256.hash(data: challenge))
        }
        let advanced = try verifier.verifyAssertion(assertion(), challenge: challenge, key: key).key
        let forms = [key, key.withPublicKeyMultiples(), key.withPublicKeyTable()]
        var items: [Item] = []
        func add(_ assertion: [UInt8], _ challenge: [UInt8]) {
            items.append(Item(assertion: assertion, challenge: challenge, key: forms[items.count % 3]))
        }
        let old = try assertion()
        for fault in AssertionFault.allCases {
            guard
                let faulty = try? device.generateAssertion(
                    name, clientDataHash: SHA256.hash(data: challenge), breaking: fault)
            else { continue }
            add(faulty, challenge)
            add(try assertion(), challenge)
        }
        // The counter is stale. A wrong challenge also makes the signature check fail, and this check comes first.
        for challenge in [challenge, [0], []] {
            items.append(Item(assertion: old, challenge: challenge, key: advanced))
            add(old, challenge)
        }
        return items
    }
    @Test func givesTheVerdictsOfSingleCalls() throws {
        let items = try items()
        #expect(items.count == 114)
        for items in [items, items.reversed()] {
            var batch = AssertionBatch(of: verifier.assertionVerifier)
            var errors: Set<PureAttestError> = []
            var validCount = 0
            for item in items {
                batch.append(item.assertion, challenge: item.challenge, signed: .challenge, key: item.key, at: time)
            }
            let verdicts = batch.verified()
            #expect(verdicts.count == items.count)
            for (item, verdict) in zip(items, verdicts) {
                do {
                    let single = try verifier.verifyAssertion(
                        item.assertion, challenge: item.challenge, key: item.key, at: time)
                    let verified = try verdict.get()
                    #expect(verified.key == single.key && verified.counter == single.counter)
                    #expect(verified.appID == single.appID && verified.clientData == single.clientData)
                    validCount += 1
                } catch {
                    #expect(throws: error) { try verdict.get() }
                    errors.insert(error)
                }
            }
            #expect(validCount > 57 && errors.count > 8)
        }
    }

    /// The size limit for a single assertion also applies to each assertion in a batch.
    @Test func limitsTheObject() throws {
        let item = try #require(try items().last)
        var batch = AssertionBatch(of: verifier.assertionVerifier)
        let long = [UInt8](repeating: 0, count: InputLimits.assertion + 1)
        batch.append(long, challenge: challenge, signed: .challenge, key: item.key, at: time)
        #expect(throws: PureAttestError.inputTooLarge) { try batch.verified().first?.get() }
    }
}
