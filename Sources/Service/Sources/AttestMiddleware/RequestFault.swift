/// What is wrong with a request before App Attest is asked: a status and a word, and nothing of what was sent.
public struct RequestFault: Error, Hashable, Sendable {
    /// The status (RFC 9110 §15.5).
    public let status: Int
    /// The word for the response's body.
    public let word: String
    /// The member or header at fault, by its documented name, for the log.
    public private(set) var member: String?

    private init(status: Int, word: String) { (self.status, self.word) = (status, word) }

    /// Not what the document of the interface says.
    public static let malformedRequest = RequestFault(status: 400, word: "malformedRequest")
    /// No such path, or not with this method.
    public static let notFound = RequestFault(status: 404, word: "notFound")
    /// The request did not arrive in time.
    public static let timeout = RequestFault(status: 408, word: "timeout")
    /// The body is longer than any good one.
    public static let tooLarge = RequestFault(status: 413, word: "tooLarge")
    /// The body is not JSON by its content type.
    public static let unsupportedMediaType = RequestFault(status: 415, word: "unsupportedMediaType")
    /// What nobody thought of.
    public static let internalError = RequestFault(status: 500, word: "internalError")

    /// Returns ``malformedRequest`` with the member or header at fault. The log gets this name: pass one that you declare, never text that a
    /// client sent.
    public static func malformed(_ member: String) -> RequestFault {
        var fault = malformedRequest
        fault.member = member
        return fault
    }
}
