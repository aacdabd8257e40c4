import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The reason why a request has no response.
public enum HTTPConnectionError: Error {
    /// The service can't be reached, or ended the connection.
    case closed
    /// The response is not HTTP/1.1 or has no length.
    case malformedResponse
}

/// A response.
public struct HTTPAnswerReceived: Sendable {
    /// The status.
    public let status: Int
    /// The members of the JSON body.
    public let body: [String: String]
    /// The raw body.
    public let text: String
    /// The headers, with names in lower case.
    public let headers: [String: String]
    /// The header `Retry-After`.
    public var retryAfter: String? { headers["retry-after"] }
}

/// A persistent, blocking HTTP/1.1 connection to loopback, only for load runs and tests.
public final class HTTPConnection {
    /// The socket, for a caller that polls it.
    public let descriptor: Int32
    private var received: [UInt8] = []

    /// Connects to a port of 127.0.0.1, from the loopback address `source`.
    public init(port: Int, from source: String = "127.0.0.1") throws {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var local = sockaddr_in()
        local.sin_family = sa_family_t(AF_INET)
        local.sin_addr.s_addr = inet_addr(source)
        withUnsafePointer(to: &local) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw HTTPConnectionError.closed }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        // If the service does not answer, a test fails instead of hanging.
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    /// `deinit` also runs if `init` throws, so `init` must not close the descriptor. A second `close` could close a
    /// descriptor that another thread has opened in the meantime.
    deinit { close(descriptor) }

    /// Sends a request and waits for the response.
    public func send(
        _ method: String, _ path: String, json: [String: String]? = nil, token: String? = nil,
        headers: [String: String] = [:]
    ) throws -> HTTPAnswerReceived {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        var request: [UInt8] = []
        if let json {
            let body = try JSONEncoder().encode(json)
            head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
            request = Array(head.utf8) + body
        } else {
            request = Array((head + "\r\n").utf8)
        }
        try write(request)
        return try read()
    }

    /// Returns whether the service closes the connection within `seconds` seconds without sending data first.
    public func isEnded(within seconds: Int) -> Bool {
        var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, Int32(seconds) * 1_000) == 1 else { return false }
        return (try? readMore()) == nil
    }

    /// Sends bytes unchanged.
    public func write(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                #if canImport(Glibc)
                    // Report a closed connection as an error, not as a signal.
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                #else
                    Darwin.send(descriptor, $0.baseAddress, $0.count, 0)
                #endif
            }
            guard count > 0 else { throw HTTPConnectionError.closed }
            sent += count
        }
    }

    /// Closes the sending side of the connection. Responses can still be read.
    public func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Waits for a response.
    public func read() throws -> HTTPAnswerReceived {
        let (status, headers) = try readHead()
        var body: [UInt8] = []
        if headers["transfer-encoding"]?.lowercased() == "chunked" {
            while let chunk = try readChunk() { body += chunk }
        } else {
            // RFC 9112 §6.3: a 204 response has no body and no length.
            guard let length = status == 204 ? 0 : headers["content-length"].flatMap({ Int($0) }) else {
                throw HTTPConnectionError.malformedResponse
            }
            body = try take(length)
        }
        let members = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
        return HTTPAnswerReceived(
            status: status, body: members.mapValues { "\($0)" }, text: String(decoding: body, as: UTF8.self),
            headers: headers)
    }

    /// Waits for a response's header; field names are in lower case.
    public func readHead() throws -> (status: Int, headers: [String: String]) {
        let lines = try line(endingWith: Self.emptyLine).components(separatedBy: "\r\n")
        let statusLine = lines[0].split(separator: " ")
        guard statusLine.count >= 2, let status = Int(statusLine[1]) else {
            throw HTTPConnectionError.malformedResponse
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw HTTPConnectionError.malformedResponse }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
        return (status, headers)
    }

    /// Waits for the next chunk of a body (RFC 9112 §7.1); returns `nil` after the last chunk.
    public func readChunk() throws -> [UInt8]? {
        let end = Array("\r\n".utf8)
        guard let length = Int(try line(endingWith: end), radix: 16) else {
            throw HTTPConnectionError.malformedResponse
        }
        let chunk = try take(length)
        guard try take(end.count) == end else { throw HTTPConnectionError.malformedResponse }
        return chunk.isEmpty ? nil : chunk
    }

    private func line(endingWith end: [UInt8]) throws -> String {
        while true {
            if let range = received.firstRange(of: end) {
                return String(decoding: try take(range.upperBound).dropLast(end.count), as: UTF8.self)
            }
            try readMore()
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while received.count < count { try readMore() }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    private static let emptyLine = Array("\r\n\r\n".utf8)

    private func readMore() throws {
        let count = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { received += buffer[..<count] }
            return count
        }
        guard count > 0 else { throw HTTPConnectionError.closed }
    }
}
