/// A fault in a request that the service finds before it verifies App Attest. It consists of a status and a word, and
/// contains no text from the request.
public struct RequestFault: Error, Hashable, Sendable {
    /// The status (RFC 9110 §15.5).
    public let status: Int
    /// The word for the response's body.
    public let word: String
    /// The documented name of the invalid member or header, for the log.
    public private(set) var member: String?

    private init(status: Int, word: String) { (self.status, self.word) = (status, word) }

    /// The request does not follow the interface's description.
    public static let malformedRequest = RequestFault(status: 400, word: "malformedRequest")
    /// No route has this path and method.
    public static let notFound = RequestFault(status: 404, word: "notFound")
    /// The request did not arrive in time.
    public static let timeout = RequestFault(status: 408, word: "timeout")
    /// The body is longer than any valid body.
    public static let tooLarge = RequestFault(status: 413, word: "tooLarge")
    /// The body's content type is not JSON.
    public static let unsupportedMediaType = RequestFault(status: 415, word: "unsupportedMediaType")
    /// An unforeseen error.
    public static let internalError = RequestFault(status: 500, word: "internalError")

    /// Returns ``malformedRequest`` with the name of the invalid member or header. Pass a documented name and never
    /// text from a client, because the name is logged.
    public static func malformed(_ member: String) -> RequestFault {
        var fault = malformedRequest
        fault.member = member
        return fault
    }
}
