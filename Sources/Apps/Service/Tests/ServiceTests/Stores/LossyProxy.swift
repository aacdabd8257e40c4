import Foundation
import ServiceClient

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A proxy between a store and PostgreSQL that loses messages, so that tests can choose the moment at which a
/// connection ends. It listens on a socket in its own folder.
///
/// `@unchecked` is safe because `state` guards all mutable state.
final class LossyProxy: @unchecked Sendable {
    enum Fault {
        /// The connection ends before a request reaches the server.
        case request
        /// The connection ends after the server has executed a request, and before the answer arrives.
        case answer
        /// Only the last message of an answer, `ReadyForQuery`, arrives (PostgreSQL §55.2.3).
        case results
    }

    private struct State {
        var fault: (fault: Fault, after: Int)?
        var losses = 0
    }

    private let folder: TemporaryFolder
    private let server: URL
    private let listener: Int32
    private let state = Locked(State())
    private static let socketName = ".s.PGSQL.5432"

    init(_ server: PostgreSQLServer) throws {
        folder = try TemporaryFolder()
        self.server = server.folder.url.appending(path: Self.socketName)
        listener = try Self.socket(folder.url.appending(path: Self.socketName), bind)
        guard listen(listener, 64) == 0 else { throw HTTPConnectionError.closed }
        let thread = Thread { [listener, server = self.server, state] in
            // Close the listener here and not in `deinit`. Otherwise a new descriptor could get its number between two
            // calls of this thread.
            defer { close(listener) }
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                guard let upstream = try? Self.socket(server, connect) else { return }
                Self.pump(client, upstream, state)
            }
        }
        thread.start()
    }

    /// Ends the call of `accept`, and therefore the thread.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    func connectionString(_ string: String) -> String {
        func host(_ url: URL) -> String { url.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
        return string.replacing(host(server.deletingLastPathComponent()), with: host(folder.url))
    }

    /// Loses one message, after `after` undisturbed round trips.
    func lose(_ fault: Fault, after: Int = 0) { state.change { $0.fault = (fault, after) } }

    var losses: Int { state.value.losses }

    private static func socket(
        _ url: URL, _ attach: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        #if canImport(Glibc)
            let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: url.path.utf8.prefix($0.count - 1)) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                attach(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw HTTPConnectionError.closed }
        return descriptor
    }

    /// Runs one connection with a thread for each direction. When one thread ends, the other thread ends too.
    private static func pump(_ client: Int32, _ upstream: Int32, _ state: Locked<State>) {
        let open = Locked(2)
        @Sendable func end() {
            for descriptor in [client, upstream] { shutdown(descriptor, Int32(SHUT_RDWR)) }
            open.change {
                $0 -= 1
                if $0 == 0 { for descriptor in [client, upstream] { close(descriptor) } }
            }
        }
        Thread {
            while let bytes = receive(client), !loses(.request, state), send(bytes, upstream) {}
            end()
        }.start()
        Thread {
            var received: [UInt8] = []
            var isMuted = false
            reading: while let bytes = receive(upstream) {
                received += bytes
                // Parse every message, to know what the server has done. A message begins with its type and its length,
                // which includes the length field (§55.7).
                while received.count >= 5 {
                    let length = 1 + received[1..<5].reduce(0) { $0 << 8 | Int($1) }
                    guard received.count >= length else { break }
                    let isEnd = received[0] == UInt8(ascii: "Z")
                    if !isMuted { isMuted = loses(.results, state) }
                    if isEnd, loses(.answer, state) { break reading }
                    if isEnd {
                        // Update the state before the client gets the message, because the client may then request
                        // the next loss.
                        isMuted = false
                        state.change { if let fault = $0.fault { $0.fault = (fault.fault, fault.after - 1) } }
                    }
                    guard isMuted || send(Array(received[..<length]), client) else { break reading }
                    received.removeFirst(length)
                }
            }
            end()
        }.start()
    }

    /// Returns whether `fault` must happen now. If so, removes the fault from the state.
    private static func loses(_ fault: Fault, _ state: Locked<State>) -> Bool {
        var loses = false
        state.change {
            guard let next = $0.fault, next.fault == fault, next.after == 0 else { return }
            $0.fault = nil
            $0.losses += 1
            loses = true
        }
        return loses
    }

    private static func receive(_ descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    private static func send(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            #if canImport(Glibc)
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
            #else
                let count = bytes[sent...].withUnsafeBytes { Darwin.send(descriptor, $0.baseAddress, $0.count, 0) }
            #endif
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
