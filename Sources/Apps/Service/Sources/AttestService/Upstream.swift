import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOPosix

/// The connections to a language model.
public final class Upstream: Sendable {
    let generation: Generation
    private let client: HTTPClient

    /// Creates a client that connects at the first request.
    public init(_ generation: Generation) {
        self.generation = generation
        var configuration = HTTPClient.Configuration(
            // A redirect would send the key to another server.
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(Int64(min(generation.seconds, 10)))))
        configuration.connectionPool.retryConnectionEstablishment = false
        // The budgets limit the requests, so the number of connections must not be a further limit.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1_024
        // HTTP/2 would send all requests over one connection, and the model's server limits its streams.
        configuration.httpVersion = .http1Only
        client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
    }

    deinit { client.shutdown { _ in } }

    enum Outcome {
        case answer(contentType: String, body: UpstreamBody)
        /// The model used no tokens: the client could not connect, or the status is not 2xx.
        case refused(reason: String)
        /// The model may have used an unknown number of tokens.
        case unknown(reason: String)
    }

    func ask(_ prompt: [UInt8]) async -> Outcome {
        var request = HTTPClientRequest(url: generation.url)
        request.method = .POST
        let isBearer = generation.keyHeader.lowercased() == "authorization"
        request.headers = [
            "Content-Type": "application/json", "Accept-Encoding": "identity",
            generation.keyHeader: isBearer ? "Bearer \(generation.key)" : generation.key,
        ]
        request.body = .bytes(prompt)
        let deadline = NIODeadline.now() + .seconds(Int64(generation.seconds))
        do {
            let response = try await client.execute(request, deadline: deadline)
            guard 200...299 ~= response.status.code else {
                return .refused(reason: "status \(response.status.code)")
            }
            let type = response.headers.first(name: "Content-Type") ?? "application/octet-stream"
            return .answer(contentType: type, body: UpstreamBody(response.body, until: deadline))
        } catch is NIOConnectionError {
            return .refused(reason: "no connection")
        } catch let error as IOError where [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode) {
            return .refused(reason: "no connection")
        } catch let error as HTTPClientError
            where [.connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout].contains(error)
        {
            return .refused(reason: "\(error)")
        } catch {
            // The full text may contain the request, and therefore the key.
            let reason = (error as? HTTPClientError)?.shortDescription ?? "\(type(of: error))"
            return .unknown(reason: reason)
        }
    }
}

struct UpstreamTooLate: Error {}

/// A response body with a deadline. The HTTP client's own deadline covers only the response header.
///
/// `@unchecked` is safe because only one task at a time uses the iterator. Calls of ``next()`` do not overlap, and each
/// call waits for its task.
final class UpstreamBody: @unchecked Sendable {
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private let deadline: NIODeadline

    init(_ body: HTTPClientResponse.Body, until deadline: NIODeadline) {
        iterator = body.makeAsyncIterator()
        self.deadline = deadline
    }

    func next() async throws -> ByteBuffer? {
        let left = deadline - .now()
        guard left > .nanoseconds(0) else { throw UpstreamTooLate() }
        return try await withThrowingTaskGroup(of: ByteBuffer?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.iterator.next() }
            group.addTask {
                try await Task.sleep(for: .nanoseconds(left.nanoseconds))
                throw UpstreamTooLate()
            }
            guard let part = try await group.next() else { return nil }
            return part
        }
    }
}
