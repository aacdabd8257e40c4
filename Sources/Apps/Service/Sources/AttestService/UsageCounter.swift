import AttestMiddleware
import Foundation
import PureAttestServer

/// Finds the usage that a model reports in its answer, while the service forwards the answer.
///
/// The answer is one JSON text or server-sent events (HTML Standard §9.2.6). The last event that reports a usage
/// applies. A text or event longer than ``maximumText`` is forwarded, but its usage is not read.
struct UsageCounter {
    static let maximumText = 1 << 20

    private let path: [String]
    private let isEventStream: Bool
    private var line: [UInt8] = []
    /// The JSON text, or the data of the current event.
    private var text: [UInt8] = []
    private var isTooLong = false
    private var last: Int64?

    init(contentType: String, path: [String]) {
        self.path = path
        isEventStream = mediaType(contentType) == Array("text/event-stream".utf8)
    }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if !isEventStream {
                append(byte)
            } else if byte == UInt8(ascii: "\n") {
                endLine()
            } else if line.count < Self.maximumText {
                line.append(byte)
            } else {
                isTooLong = true
            }
        }
    }

    /// Call this after the answer's end. Returns `nil` if the answer reports no usage.
    mutating func used() -> Int64? {
        guard isEventStream else { return isTooLong ? nil : number(in: text) }
        // A stream may end without the empty line after its last event.
        endLine()
        endEvent()
        return last
    }

    private mutating func append(_ byte: UInt8) {
        if text.count < Self.maximumText { text.append(byte) } else { isTooLong = true }
    }

    private mutating func endLine() {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let data = Array("data:".utf8)
        if line.isEmpty {
            endEvent()
        } else if line.starts(with: data) {
            for byte in line.dropFirst(data.count) { append(byte) }
            append(UInt8(ascii: "\n"))
        }
        line = []
    }

    private mutating func endEvent() {
        if !isTooLong, let number = number(in: text) { last = number }
        (text, isTooLong) = ([], false)
    }

    private func number(in text: [UInt8]) -> Int64? {
        // Most events report no usage, so first search for the name.
        guard let name = path.last, text.firstRange(of: Array("\"\(name)\"".utf8)) != nil,
            let found = try? JSONDecoder().decode(NumberAtPath.self, from: Data(text), configuration: path),
            0...BudgetAmount.maximum ~= found.number
        else { return nil }
        return found.number
    }
}

private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private struct NumberAtPath: DecodableWithConfiguration {
    let number: Int64

    init(from decoder: any Decoder, configuration path: [String]) throws {
        var members = try decoder.container(keyedBy: MemberName.self)
        for name in path.dropLast() {
            members = try members.nestedContainer(keyedBy: MemberName.self, forKey: MemberName(stringValue: name))
        }
        number = try members.decode(Int64.self, forKey: MemberName(stringValue: path.last ?? ""))
    }
}
