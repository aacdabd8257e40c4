import Foundation
import ServiceClient
import Synchronization

/// Connections that repeatedly send the same bytes as fast as the service accepts them. One thread handles all
/// connections.
///
/// `@unchecked` is safe because only that thread uses mutable state.
final class Flood: @unchecked Sendable {
    private let connections: [HTTPConnection]
    private let request: [UInt8]
    private let reads: Bool
    #if canImport(Glibc)
        private static let flags = Int32(MSG_NOSIGNAL)
    #else
        private static let flags: Int32 = 0
    #endif
    private let isEnding = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)
    private let bytesSent = Atomic(0)
    private let bytesReceived = Atomic(0)

    var sent: Int { bytesSent.load(ordering: .relaxed) }
    var received: Int { bytesReceived.load(ordering: .relaxed) }

    init(port: Int, from address: String, connections: Int, request: String, reads: Bool) throws {
        self.connections = try (0..<connections).map { _ in try HTTPConnection(port: port, from: address) }
        self.request = Array(String(repeating: request, count: max(1, 65_536 / request.utf8.count)).utf8)
        self.reads = reads
        let thread = Thread { [self] in
            run()
            ended.signal()
        }
        thread.start()
    }

    func end() {
        isEnding.store(true, ordering: .relaxed)
        ended.wait()
    }

    private func run() {
        var offsets = [Int](repeating: 0, count: connections.count)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let events = Int16(POLLOUT) | (reads ? Int16(POLLIN) : 0)
        var polled = connections.map { pollfd(fd: $0.descriptor, events: events, revents: 0) }
        // By default, the kernel buffers megabytes for each connection, so the test would measure the kernel's TCP
        // memory instead of the service.
        var capacity: Int32 = 65_536
        for connection in connections {
            _ = fcntl(connection.descriptor, F_SETFL, O_NONBLOCK)
            _ = setsockopt(
                connection.descriptor, SOL_SOCKET, SO_SNDBUF, &capacity, socklen_t(MemoryLayout.size(ofValue: capacity))
            )
        }
        while !isEnding.load(ordering: .relaxed) {
            guard poll(&polled, nfds_t(polled.count), 10) > 0 else { continue }
            for index in polled.indices where polled[index].revents != 0 {
                let descriptor = polled[index].fd
                if polled[index].revents & Int16(POLLOUT) != 0 {
                    let count = request[offsets[index]...].withUnsafeBytes {
                        send(descriptor, $0.baseAddress, $0.count, Self.flags)
                    }
                    if count > 0 {
                        offsets[index] = (offsets[index] + count) % request.count
                        bytesSent.add(count, ordering: .relaxed)
                    }
                }
                if polled[index].revents & Int16(POLLIN) != 0 {
                    let count = recv(descriptor, &buffer, buffer.count, 0)
                    if count > 0 { bytesReceived.add(count, ordering: .relaxed) }
                    if count == 0 { polled[index].fd = -1 }
                }
                if polled[index].revents & Int16(POLLERR | POLLHUP) != 0 { polled[index].fd = -1 }
            }
        }
    }
}
