import Foundation
import ServiceClient
import Testing

@Suite struct FramingTests {
    private static let json =
        #"{"purpose":"assertion","keyID":"\#(Data(repeating: 0xFB, count: 32).base64EncodedString())"}"#
    private static let chunk = "\(String(json.utf8.count, radix: 16))\r\n\(json)\r\n"
    private static let chunked = "Transfer-Encoding: chunked\r\n\r\n"

    @Test func malformedFramingIsTheClientsFault() throws {
        let folder = try TemporaryFolder()
        let log = folder.url.appending(path: "log")
        let service = try RunningService(database: folder.database.path, errors: log, ["ATTEST_LOG_LEVEL": "error"])
        let head = "POST /challenge HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        let (chunk, chunked) = (Self.chunk, Self.chunked)
        let good = try service.connect()
        try good.write(Array((head + chunked + chunk + "0\r\n\r\n").utf8))
        #expect(try good.read().status == 200)
        let malformed = [
            // Chunk sizes that are missing, not hexadecimal, signed, or too large for any integer.
            chunked + "\r\n", chunked + "x\r\n", chunked + "-1\r\n", chunked + "0x4\r\n", chunked + "4\u{301}\r\n",
            chunked + "11111111111111111\r\n", chunked + "fffffffffffffffff\r\n",
            // A chunk longer or shorter than its size.
            chunked + "2\r\n{}x\r\n0\r\n\r\n", chunked + "1\r\n{}\r\n0\r\n\r\n", chunked + chunk + "2\r\n{}0\r\n\r\n",
            chunked + chunk.dropLast(2) + "0\r\n\r\n", chunked + chunk + "!\r\n",
            // A malformed or long extension.
            chunked + "2;\u{0}=1\r\n{}\r\n0\r\n\r\n", chunked + "2 ;a b\r\n{}\r\n0\r\n\r\n",
            // A malformed or long trailer.
            chunked + chunk + "0\r\nno field\r\n\r\n", chunked + chunk + "0\r\n: x\r\n\r\n",
            chunked + chunk + "0\r\nX: " + String(repeating: "x", count: 20_000) + "\r\n\r\n",
            // Other transfer codings, and two lengths.
            "Transfer-Encoding: gzip, chunked\r\n\r\n" + chunk + "0\r\n\r\n", "Transfer-Encoding: gzip\r\n\r\n",
            "Transfer-Encoding: chunked, gzip\r\n\r\n", "Transfer-Encoding: xchunked\r\n\r\n" + chunk + "0\r\n\r\n",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n" + chunk + "0\r\n\r\n",
            "Content-Length: \(Self.json.utf8.count)\r\n" + chunked + chunk + "0\r\n\r\n",
            chunked.dropLast(2) + "Content-Length: 2\r\n\r\n" + chunk + "0\r\n\r\n",
            "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "Content-Length: -2\r\n\r\n{}",
            "Content-Length: 2,2\r\n\r\n{}",
            "Content-Length: +2\r\n\r\n{}",
        ]
        let premature = [
            "Content-Length: 1000\r\n\r\n" + Self.json, chunked, chunked + "5", chunked + "5\r\n{}", chunked + chunk,
            chunked + chunk + "0", chunked + chunk + "0\r\n", chunked + chunk + "0\r\nX: 1\r\n",
        ]
        for (rest, isPremature) in malformed.map({ ($0, false) }) + premature.map({ ($0, true) }) {
            let connection = try service.connect()
            try connection.write(Array((head + rest).utf8))
            if isPremature { connection.finishWriting() }
            let answer = try connection.read()
            #expect(
                answer.status == 400 && answer.text == #"{"error":"malformedRequest"}"#,
                "\(rest.prefix(200).debugDescription) \(answer)")
            #expect(connection.isEnded(within: 3), "\(rest.prefix(200).debugDescription)")
        }
        #expect(try good.send("GET", "/health").status == 200)
        #expect(service.terminate().status == 0)
        #expect(try String(contentsOf: log, encoding: .utf8) == "")
    }

    /// Chunk extensions have no meaning (RFC 9112 §7.1.1). The service either rejects a long extension, or skips it in
    /// linear time and memory.
    @Test func aLongExtensionIsNoBody() throws {
        let service = try RunningService(database: "memory")
        for count in [1_000, 100_000, 1_000_000] {
            let connection = try service.connect()
            let size = String(Self.json.utf8.count, radix: 16)
            let body = "\(size);a=\(String(repeating: "x", count: count))\r\n\(Self.json)\r\n0\r\n\r\n"
            try connection.write(
                Array("POST /challenge HTTP/1.1\r\nContent-Type: application/json\r\n\(Self.chunked)\(body)".utf8))
            #expect([200, 400].contains(try connection.read().status))
        }
    }

    /// Method, target and body share the limit of signed bytes. A request within the limit is verified; a longer
    /// request is too large.
    @Test func aSignedRequestIsVerifiedOrTooLarge() throws {
        let service = try RunningService(database: "memory")
        let connection = try service.connect()
        let device = ServiceDevice(RunningService.device(seed: 900))
        try device.attest(over: connection)
        let limit = 65_536
        for path in ["/signed", "/signed?" + String(repeating: "q", count: 4_000)] {
            let room = limit - "POST".utf8.count - path.utf8.count
            for (count, status) in [
                (room - 1, 200), (room, 200), (room + 1, 413), (limit - 1, 413), (limit, 413), (limit + 1, 413),
            ] {
                let body = [UInt8](repeating: UInt8(ascii: "x"), count: count)
                for framing in ["Content-Length: \(count)\r\n\r\n", Self.chunked] {
                    let connection = try service.connect()
                    var request = "POST \(path) HTTP/1.1\r\nHost: h\r\n"
                    for (name, value) in try device.signature(of: "POST", path, body: body, over: connection) {
                        request += "\(name): \(value)\r\n"
                    }
                    let isChunked = framing == Self.chunked
                    let start = isChunked ? "\(String(count, radix: 16))\r\n" : ""
                    try connection.write(
                        Array((request + framing + start).utf8) + body + Array((isChunked ? "\r\n0\r\n\r\n" : "").utf8))
                    let answer = try connection.read()
                    #expect(answer.status == status, "\(path.prefix(10)) \(count) \(framing)")
                    if status == 413 { #expect(answer.text == #"{"error":"tooLarge"}"#) }
                }
            }
        }
    }
}
