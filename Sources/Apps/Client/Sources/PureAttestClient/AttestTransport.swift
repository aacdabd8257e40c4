import Foundation

/// A connection that carries requests to the server. If a call throws, no answer arrived, but the server may have
/// received the request.
public protocol AttestTransport: Sendable {
    /// Sends a request unchanged, because method, target and body are signed.
    func send(_ request: AttestRequest) async throws -> AttestResponse
}

/// A request.
public struct AttestRequest: Hashable, Sendable {
    /// The method in capital letters ("POST").
    public var method: String
    /// The path from the server's root and the query, percent-encoded as in the request line ("/transfer?id=7").
    public var target: String
    /// Header fields.
    public var headers: [String: String]
    /// The body.
    public var body: Data

    /// Creates a request.
    public init(_ method: String, _ target: String, headers: [String: String] = [:], body: Data = Data()) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

/// The server's answer.
public struct AttestResponse: Hashable, Sendable {
    /// The status.
    public let status: Int
    /// Header fields, with names in lower case.
    public let headers: [String: String]
    /// The body.
    public let body: Data

    /// Creates an answer, and converts field names to lower case.
    public init(status: Int, headers: [String: String], body: Data) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
        self.body = body
    }
}

extension AttestResponse {
    /// The words of `HTTPAnswer.Code` in PureAttestServer that the client handles.
    enum Word: String {
        case unknownKey, refused, replay, consumed, overtaken, tooManyRequests, enrolLater, serverUnavailable
    }

    /// The server's word for the cause of an error. `nil` if the body contains none, for example because a proxy
    /// answered.
    var cause: String? {
        struct Refusal: Decodable { let error: String }
        guard status >= 400 else { return nil }
        return (try? JSONDecoder().decode(Refusal.self, from: body))?.error
    }

    /// The cause of an error, if the client handles that cause.
    var word: Word? {
        let word = cause.flatMap { Word(rawValue: $0) }
        switch (status, word) {
        case (401, .unknownKey), (401, .refused), (409, .replay), (409, .consumed), (409, .overtaken),
            (429, .tooManyRequests), (429, .enrolLater):
            return word
        // A proxy may also have sent this status.
        case (429, _): return .tooManyRequests
        case (503, _): return .serverUnavailable
        default: return nil
        }
    }

    /// `Retry-After` in seconds (RFC 9110 §10.2.3), clamped to 0…604,800 (a week).
    var retryAfter: Double? {
        headers["retry-after"].flatMap { Int($0) }.map { Double(min(max($0, 0), 604_800)) }
    }

    /// The time at which the server sent the answer, in whole seconds (RFC 9110 §6.6.1).
    var date: Date? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return headers["date"].flatMap { format.date(from: $0) }
    }
}
