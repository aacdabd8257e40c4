import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOPosix

/// The connections to a language model.
public final class Upstream: Sendable {
    let generation: Generation
    private let client: HTTPClient

    /// Connects when it is asked.
    public init(_ generation: Generation) {
        self.generation = generation
        var configuration = HTTPClient.Configuration(
            // A redirection would take the key elsewhere.
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(Int64(min(generation.seconds, 10)))))
        configuration.connectionPool.retryConnectionEstablishment = false
        // What is spent of budgets is the limit.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1_024
        client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
    }

    deinit { client.shutdown { _ in } }

    /// What came of a request.
    enum Outcome {
        /// The model is at it.
        case answer(contentType: String, body: UpstreamBody)
        /// Nothing was made: no connection, or an answer that is a refusal.
        case refused(reason: String)
        /// It may have made something, and nobody says how much.
        case unknown(reason: String)
    }

    /// Nothing of a client's request is in this one but `prompt`.
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
            // A redirection is an answer without a model in it, too.
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
            // Its type or short name alone: the request has the key.
            let reason = (error as? HTTPClientError)?.shortDescription ?? "\(type(of: error))"
            return .unknown(reason: reason)
        }
    }
}

/// The answer ran out of time.
struct UpstreamTooLate: Error {}

/// A body with an end by the clock, as the client's own deadline is for the header.
///
/// Unchecked: its iterator is used by one call of ``next()`` at a time, which waits for the task that uses it.
final class UpstreamBody: @unchecked Sendable {
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private let deadline: NIODeadline

    init(_ body: HTTPClientResponse.Body, until deadline: NIODeadline) {
        iterator = body.makeAsyncIterator()
        self.deadline = deadline
    }

    /// The next part; `nil` at the end.
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
