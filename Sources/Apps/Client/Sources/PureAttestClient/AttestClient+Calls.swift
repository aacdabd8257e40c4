import Foundation

// The client may repeat its own requests (for a challenge, a registration or a session), because the server accepts
// each attestation and each assertion at most once.

extension AttestClient {
    func requestChallenge(_ purpose: String, _ keyID: String) async throws -> Data {
        struct Body: Decodable { let challenge: Data }
        let answer = try await call(configuration.challengePath, ["purpose": purpose, "keyID": keyID]).response
        if answer.word == .enrolLater {
            let seconds = answer.retryAfter ?? 86_400
            try pauseEnrolment(seconds: seconds)
            throw AttestError.enrolLater(seconds: seconds)
        }
        return try Self.decoded(Body.self, from: answer).challenge
    }

    /// Sends JSON. Sends it again if the server is unreachable, is unavailable or limits the rate.
    ///
    /// - Returns: the answer, and whether the outcome of an earlier attempt is unknown.
    func call(
        _ path: String, _ message: [String: String]?
    ) async throws -> (response: AttestResponse, wasRepeated: Bool) {
        let request = AttestRequest(
            "POST", path, headers: message == nil ? [:] : ["Content-Type": "application/json"],
            body: try message.map { try JSONEncoder().encode($0) } ?? Data())
        var wasRepeated = false
        for attempt in 1... {
            var seconds = wait(after: attempt)
            let failure: AttestError
            do {
                let answer = try await transport.send(request)
                switch answer.word {
                case .tooManyRequests:
                    seconds = answer.retryAfter ?? seconds
                    failure = .retryLater(seconds: seconds)
                case .serverUnavailable:
                    wasRepeated = true
                    seconds = answer.retryAfter ?? seconds
                    failure = .retryLater(seconds: max(seconds, configuration.firstPause))
                default: return (answer, wasRepeated)
                }
            } catch is CancellationError { throw CancellationError() } catch {
                wasRepeated = true
                failure = .unreachable(error)
            }
            guard attempt < configuration.attempts, seconds <= configuration.longestWait else { throw failure }
            try await clock.sleep(seconds: seconds)
        }
        throw AttestError.malformedAnswer
    }

    /// Sends an app's request without a retry, because the server might execute the request twice.
    func sendOnce(_ request: AttestRequest, _ headers: [String: String]) async throws -> AttestResponse {
        var request = request
        request.headers.merge(headers) { $1 }
        do { return try await transport.send(request) } catch let error as AttestError {
            throw error
        } catch is CancellationError { throw CancellationError() } catch { throw AttestError.unreachable(error) }
    }

    /// The wait doubles with each attempt. The random factor spreads the retries of devices that failed at the same
    /// time.
    func wait(after attempt: Int) -> Double {
        min(configuration.firstWait * pow(2, Double(attempt - 1)), configuration.longestWait)
            * Double.random(in: 0.5...1)
    }

    static func decoded<Body: Decodable>(_ type: Body.Type, from answer: AttestResponse) throws -> Body {
        guard answer.status == 200 else {
            throw AttestError.refused(status: answer.status, word: answer.cause ?? "")
        }
        guard let body = try? JSONDecoder().decode(type, from: answer.body) else { throw AttestError.malformedAnswer }
        return body
    }
}
