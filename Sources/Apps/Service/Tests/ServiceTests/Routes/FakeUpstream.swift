import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

final class FakeUpstream: Sendable {
    struct Behaviour: Sendable {
        var status = 200
        var type = "application/json"
        /// The delay before the response's header.
        var delay = Duration.zero
        var parts: [String] = []
        /// Waits for ``release()`` before each part.
        var waits = false
        /// Repeats the last part until the client disconnects.
        var isEndless = false
        /// Ends the connection before the body's end.
        var breaksOff = false

        static func json(used: Int?) -> Behaviour {
            let usage = used.map { #","usage":{"total_tokens":\#($0)}"# } ?? ""
            return Behaviour(parts: [#"{"choices":[{"message":{"content":"Hello"}}]\#(usage)}"#])
        }

        static func stream(used: Int) -> Behaviour {
            Behaviour(
                type: "text/event-stream",
                parts: [
                    "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}],\"usage\":null}\n\n", "data: {\"choi",
                    "ces\":[{\"delta\":{\"content\":\"lo\"}}]}\n\n",
                    "data: {\"choices\":[],\"usage\":{\"total_tokens\":\(used)}}\n\ndata: [DONE]\n\n",
                ])
        }
    }

    struct Asked: Sendable {
        let headers: HTTPFields
        let body: String
        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
        }
    }

    private struct BrokenOff: Error {}

    private struct State {
        var behaviour = Behaviour()
        var asked: [Asked] = []
        var ended = 0
    }

    private let state = Mutex(State())
    private let gate = AsyncStream<Void>.makeStream()
    private let task = Mutex<Task<Void, any Error>?>(nil)
    private let listening = Mutex(0)

    var asked: [Asked] { state.withLock { $0.asked } }
    var ended: Int { state.withLock { $0.ended } }
    var port: Int { listening.withLock { $0 } }
    var url: String { "http://127.0.0.1:\(port)/v1/chat/completions" }

    init() async throws {
        let router = Router()
        router.post("v1/chat/completions") { [self] request, _ in
            let asked = try await request.body.collect(upTo: 1 << 20)
            let behaviour = state.withLock { state in
                state.asked.append(Asked(headers: request.headers, body: String(buffer: asked)))
                return state.behaviour
            }
            try await Task.sleep(for: behaviour.delay)
            return Response(
                status: HTTPResponse.Status(code: behaviour.status),
                headers: [.contentType: behaviour.type, .setCookie: "secret=1", .location: "/elsewhere"],
                body: self.body(behaviour))
        }
        let (ports, port) = AsyncStream<Int>.makeStream()
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) })
        task.withLock { $0 = Task { try await application.run() } }
        for await port in ports {
            listening.withLock { $0 = port }
            break
        }
    }

    private func body(_ behaviour: Behaviour) -> ResponseBody {
        ResponseBody { [self] writer in
            defer { state.withLock { $0.ended += 1 } }
            for part in behaviour.parts {
                if behaviour.waits { for await _ in gate.stream { break } }
                try await writer.write(ByteBuffer(string: part))
            }
            while behaviour.isEndless {
                try await Task.sleep(for: .milliseconds(20))
                try await writer.write(ByteBuffer(string: behaviour.parts.last ?? ": \n\n"))
            }
            if behaviour.breaksOff { throw BrokenOff() }
            try await writer.finish(nil)
        }
    }

    func answer(_ behaviour: Behaviour) { state.withLock { $0.behaviour = behaviour } }

    func release() { gate.continuation.yield() }

    func end() { task.withLock { $0?.cancel() } }
}

/// The fake upstream runs in this process, so blocking code must run on a separate thread.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
