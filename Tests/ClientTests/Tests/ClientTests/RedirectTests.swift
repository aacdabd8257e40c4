import Foundation
import PureAttestClient
import Testing

/// The assertion, challenge and body are meant for one server and one target, so the client follows no redirects.
@Suite struct RedirectTests {
    @Test(arguments: [301, 302, 303, 307, 308]) func aRedirectIsAnAnswerAndIsNotFollowed(status: Int) async throws {
        let other = try Listener { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" }
        let server = try Listener { target in
            let place = target == "/here" ? "/there" : "http://127.0.0.1:\(other.port)/there"
            return "HTTP/1.1 \(status) Moved\r\nLocation: \(place)\r\n"
                + "Content-Length: 4\r\nConnection: close\r\n\r\nbody"
        }
        let transport = URLSessionTransport(origin: "http://127.0.0.1:\(server.port)")
        for target in ["/here", "/elsewhere"] {
            let request = AttestRequest("POST", target, headers: ["Attest-Assertion": "secret"], body: Data([1]))
            let answer = try await transport.send(request)
            #expect(answer.status == status && answer.headers["location"]?.hasSuffix("/there") == true)
        }
        #expect(server.targets.value == ["/here", "/elsewhere"])
        #expect(other.targets.value.isEmpty)
    }
}

/// A loopback server that sends one answer on each connection, depending on the target.
private final class Listener: Sendable {
    let port: UInt16
    let targets = Locked<[String]>([])
    private let descriptor: Int32

    init(_ answer: @escaping @Sendable (String) -> String) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        (address.sin_family, address.sin_addr.s_addr) = (sa_family_t(AF_INET), UInt32(0x7F00_0001).bigEndian)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        (self.descriptor, port) = (descriptor, UInt16(bigEndian: address.sin_port))
        let targets = targets
        Thread.detachNewThread {
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                var (request, buffer) = (Data(), [UInt8](repeating: 0, count: 4096))
                while request.range(of: Data("\r\n\r\n".utf8)) == nil {
                    let count = read(connection, &buffer, buffer.count)
                    guard count > 0 else { break }
                    request += buffer.prefix(count)
                }
                let line = String(decoding: request.prefix { $0 != 0x0D }, as: UTF8.self)
                let target = line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                targets.change { $0.append(target) }
                let bytes = Array(answer(target).utf8)
                _ = write(connection, bytes, bytes.count)
                // Reads the rest of the body, because closing a connection with unread bytes would discard the answer.
                _ = shutdown(connection, Int32(SHUT_WR))
                while read(connection, &buffer, buffer.count) > 0 {}
                close(connection)
            }
            // The thread closes its own descriptor. If `deinit` closed it, a different file could get the same
            // descriptor between two calls of this thread.
            close(descriptor)
        }
    }

    // Shutting down the socket makes `accept` fail, which ends the thread.
    deinit { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}
