import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests to one server by URLSession. A redirect is an answer like any other and is not followed: what a request carries is for this
/// server, and it is signed for its own target.
public final class URLSessionTransport: AttestTransport {
    private let origin: String
    let session: URLSession

    /// A way to a server.
    ///
    /// - Parameters:
    ///   - origin: scheme and host, and a port if need be, without a path ("https://example.com"): targets begin at the root, as they are
    ///     signed.
    ///   - configuration: that of a session, copied; one without cache and cookies unless told.
    public init(origin: String, configuration: URLSessionConfiguration? = nil) {
        self.origin = origin
        session = URLSession(
            configuration: configuration ?? Self.configuration, delegate: RedirectsAsAnswers(), delegateQueue: nil)
    }

    // A session that has a delegate stays until it is told.
    deinit { session.finishTasksAndInvalidate() }

    /// `.ephemeral` alone has both, in memory.
    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        (configuration.urlCache, configuration.httpCookieStorage) = (nil, nil)
        return configuration
    }

    /// Sends a request as it is; throws ``AttestError/invalidTarget`` where a URL would carry another target than was signed.
    public func send(_ request: AttestRequest) async throws -> AttestResponse {
        let text = origin + request.target
        guard request.target.utf8.first == UInt8(ascii: "/"), !request.target.utf8.contains(UInt8(ascii: "#")),
            let url = URL(string: text), url.absoluteString == text
        else { throw AttestError.invalidTarget }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        message.httpBody = request.body.isEmpty ? nil : request.body
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        // `data(for:)` needs iOS 15.
        return try await withCheckedThrowingContinuation { continuation in
            session.dataTask(with: message) { body, response, error in
                guard let response = response as? HTTPURLResponse else {
                    return continuation.resume(throwing: error ?? URLError(.badServerResponse))
                }
                let headers = response.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
                continuation.resume(
                    returning: AttestResponse(
                        status: response.statusCode, headers: Dictionary(headers) { $1 }, body: body ?? Data()))
            }.resume()
        }
    }
}

/// Of the session and not of a task: a task's delegate needs iOS 15, and Linux does not ask it.
private final class RedirectsAsAnswers: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
