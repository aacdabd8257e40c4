import Foundation
import PureAttest
import PureAttestClient
import PureAttestServer
import PureAttestTesting

/// A real relying party in this process, behind the routes of the service. Tests advance its clock.
final class PartyServer: Sendable {
    typealias Party = RelyingParty<InMemoryStore>

    let clock: TestClock
    let party: Locked<Party>
    /// The number of times that the server executed each request, keyed by the request's number.
    let executions = Locked<[Int: Int]>([:])

    private let make: @Sendable () -> Party

    init(_ answers: AnswerPolicy, _ use: SessionUse, clock: TestClock) {
        make = {
            var configuration = RelyingPartyConfiguration()
            (configuration.answerPolicy, configuration.sessionUse) = (answers, use)
            configuration.limits = .init()
            (configuration.limits.authenticationsPerKey, configuration.limits.failuresPerAccount) = (nil, nil)
            return Party(
                verifier: .trustingTestDevices(
                    of: TestCertificateAuthority(seed: 1), apps: [Service.app], environment: .production,
                    launchPolicy: .reportOnly), store: InMemoryStore(),
                sessionKeys: SessionKeys(current: SessionKey(id: "1", secret: [UInt8](repeating: 7, count: 32))!),
                configuration: configuration)
        }
        self.clock = clock
        party = Locked(make())
    }

    /// Simulates a different server process whose store is empty.
    func loseEverything() { party.change { $0 = make() } }

    var now: UnixTime { UnixTime(secondsSince1970: Int64(clock.now.timeIntervalSince1970)) }

    func answer(_ request: AttestRequest, of sending: Int) async throws -> AttestResponse {
        let party = party.value
        let fields = (try? JSONDecoder().decode([String: String].self, from: request.body)) ?? [:]
        func bytes(_ text: String?) -> [UInt8] { [UInt8](Data(base64Encoded: text ?? "") ?? Data()) }
        do {
            switch request.target {
            case "/challenge":
                let challenge = try party.issueChallenge(
                    purpose: fields["purpose"] == "attestation" ? .attestation : .assertion,
                    keyID: bytes(fields["keyID"]),
                    at: now)
                return response(200, ["challenge": Data(challenge.value).base64EncodedString()])
            case "/attest":
                _ = try await party.register(
                    attestation: bytes(fields["attestation"]), keyID: bytes(fields["keyID"]),
                    challenge: bytes(fields["challenge"]), at: now)
                return response(200, ["keyID": fields["keyID"] ?? ""])
            case "/session":
                let authentication = try await party.authenticate(
                    assertion: bytes(fields["assertion"]), keyID: bytes(fields["keyID"]),
                    challenge: bytes(fields["challenge"]), at: now)
                let session = party.session(from: authentication)
                return AttestResponse(
                    status: 200, headers: ["Date": date],
                    body: Data(#"{"token":"\#(session.text)","expiresAt":\#(session.expiresAt.secondsSince1970)}"#.utf8)
                )
            case "/protected":
                let token = request.headers["Authorization"]?.dropFirst("Bearer ".count) ?? ""
                _ = try await party.verifySession(String(token), at: now)
            default:
                _ = try await party.authenticate(
                    assertion: bytes(request.headers["Attest-Assertion"]), keyID: bytes(request.headers["Attest-Key"]),
                    challenge: bytes(request.headers["Attest-Challenge"]),
                    signed: .request(method: request.method, path: request.target, body: [UInt8](request.body)), at: now
                )
            }
            executions.change { $0[sending, default: 0] += 1 }
            return response(200, [:])
        } catch {
            guard let answer = party.answer(to: error) else { throw error }
            return response(answer.status, ["error": answer.code.rawValue])
        }
    }

    private func response(_ status: Int, _ body: [String: String]) -> AttestResponse {
        AttestResponse(status: status, headers: ["Date": date], body: (try? JSONEncoder().encode(body)) ?? Data())
    }

    private var date: String {
        let format = DateFormatter()
        (format.locale, format.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(secondsFromGMT: 0))
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.string(from: clock.now)
    }
}

/// Delivers requests to a ``PartyServer`` several times, late or never. Events may happen between deliveries.
final class Deliveries: AttestTransport {
    enum Event: Equatable {
        case deliver
        /// Advances the clocks of the server and the device.
        case wait(Double)
        /// An assertion by the same key with a higher counter arrives.
        case overtake
        case revoke
        case loseEverything
        /// The transport returns this answer instead of an answer from the server.
        case answer(Int, String)
    }

    struct Plan {
        var events: [Event]
        /// The index of the answer that the client sees, or `nil` if the client sees no answer.
        var seen: Int?
        /// The number of late copies, which arrive when the client sends the next request or has finished.
        var late = 0
        /// The number of requests that follow the plan. Each later request is delivered once.
        var sendings = Int.max
    }

    struct Lost: Error {}

    let server: PartyServer
    let device: Device
    let target: String
    let plan: Locked<Plan?>
    let sent = Locked<[AttestRequest]>([])
    private let late = Locked<[(request: AttestRequest, number: Int)]>([])

    init(_ server: PartyServer, _ device: Device, to target: String, _ plan: Plan?) {
        (self.server, self.device, self.target, self.plan) = (server, device, target, Locked(plan))
    }

    func send(_ request: AttestRequest) async throws -> AttestResponse {
        let number = sent.change {
            $0.append(request)
            return $0.count
        }
        let plan = plan.change { plan -> Plan? in
            guard request.target == target, let current = plan, current.sendings > 0 else { return nil }
            plan?.sendings -= 1
            return current
        }
        guard let plan else { return try await server.answer(request, of: number) }
        try await deliverWhatIsLate()
        var answers: [AttestResponse] = []
        for event in plan.events {
            switch event {
            case .deliver: answers.append(try await server.answer(request, of: number))
            case .wait(let seconds): server.clock.time.change { $0 += seconds }
            case .overtake: try await overtake()
            case .revoke:
                let keyID = [UInt8](Data(base64Encoded: device.state.value.keys.last ?? "") ?? Data())
                _ = try await server.party.value.revoke(keyID: keyID, at: server.now)
            case .loseEverything: server.loseEverything()
            case .answer(let status, let word):
                answers.append(AttestResponse(status: status, headers: [:], body: Data(#"{"error":"\#(word)"}"#.utf8)))
            }
        }
        late.change { $0 += Array(repeating: (request, number), count: plan.late) }
        guard let seen = plan.seen else { throw Lost() }
        return answers[seen]
    }

    func deliverWhatIsLate() async throws {
        let requests = late.change { late in
            defer { late = [] }
            return late
        }
        for (request, number) in requests { _ = try await server.answer(request, of: number) }
    }

    private func overtake() async throws {
        let key = device.state.value.keys.last ?? ""
        let challenge = try server.party.value.issueChallenge(
            purpose: .assertion, keyID: [UInt8](Data(base64Encoded: key) ?? Data()), at: server.now)
        let assertion = try await device.generateAssertion(key, clientDataHash: hash(Data(challenge.value)))
        let message = [
            "keyID": key, "challenge": Data(challenge.value).base64EncodedString(),
            "assertion": assertion.base64EncodedString(),
        ]
        _ = try await server.answer(AttestRequest("POST", "/session", body: JSONEncoder().encode(message)), of: 0)
    }

    /// The number of times that the server executed each request that the client sent, keyed by the request's number.
    var executions: [Int: Int] { server.executions.value.filter { sent.value.indices.contains($0.key - 1) } }

    func count(_ target: String) -> Int { sent.value.count { $0.target == target } }
}

/// The clock of a device, which may be wrong.
struct DeviceClock: AttestClock {
    let clock: TestClock
    let ahead: Double
    var now: Date { clock.now + ahead }
    func sleep(seconds: Double) async throws { try await clock.sleep(seconds: seconds) }
}
