import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport to one server over URLSession. It returns redirects as answers and does not follow them, because a
/// signed request is valid only for one target on this server.
public final class URLSessionTransport: AttestTransport {
    private let origin: String
    let session: URLSession

    /// Creates a transport to a server.
    ///
    /// - Parameters:
    ///   - origin: scheme, host and optional port ("https://example.com"). The origin must not contain a path, because
    ///     signed targets begin at the server's root.
    ///   - configuration: the URL session's configuration, which the session copies. By default, a configuration
    ///     without cache and cookies.
    public init(origin: String, configuration: URLSessionConfiguration? = nil) {
        self.origin = origin
        session = URLSession(
            configuration: configuration ?? Self.configuration, delegate: RedirectsAsAnswers(), delegateQueue: nil)
    }

    // A URL session with a delegate lives until it is invalidated.
    deinit { session.finishTasksAndInvalidate() }

    /// Without cache and cookies. An unchanged `.ephemeral` configuration keeps both in memory.
    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        (configuration.urlCache, configuration.httpCookieStorage) = (nil, nil)
        return configuration
    }

    /// Sends a request unchanged; throws ``AttestError/invalidTarget`` if a URL would change the signed target.
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

/// A delegate of the whole session, because a delegate of each task requires iOS 15, and Linux ignores task delegates.
private final class RedirectsAsAnswers: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
