import PureAppStore
import PureBytes
import PureJSON
import PureJWS

extension JSON {
    /// A number that is not a 64-bit integer may lose digits.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number):
            self = number.int64.map { .integer($0) } ?? .number(Double(decoded(number.literal)) ?? .nan)
        case .string(let string): self = .string(decoded(string))
        case .array(let values): self = .array(values.map { JSON($0) })
        case .object(let object): self = JSON(object)
        }
    }

    init(_ object: JSONObject) { self = .object(object.members.map { (decoded($0.name), JSON($0.value)) }) }
}

private func decoded(_ utf8: ArraySlice<UInt8>) -> String { String(decoding: utf8, as: UTF8.self) }

extension Report {
    /// Reports a JWS without verification: the header, the certificates in `x5c`, and the payload.
    init(_ jws: JSONWebSignature) {
        let isCertificates: (JSONObject.Member) -> Bool = { $0.name.elementsEqual("x5c".utf8) }
        add("header", "Header", .group(Report(jws.header.members.members.filter { !isCertificates($0) })))
        if let texts = jws.header.members.members.first(where: isCertificates)?.value.array {
            let certificates = texts.map { text in
                var report = Report()
                do { report = Report(certificate: try Base64.decode(text.stringUTF8 ?? [])[...]) } catch {
                    report.add("malformed", "Malformed", .text("\(error)"))
                }
                return report
            }
            add("certificates", "Certificate", .list(certificates))
        }
        if let object = try? JSONValue(decoding: jws.unverifiedPayload).object {
            add("payload", "Payload", .group(Report(object.members)))
        } else {
            add("payload", "Payload, not a JSON object", .bytes(jws.unverifiedPayload))
        }
        add("signature", "Signature", .bytes(jws.signature))
    }

    /// Reports the members. In Apple's data, a number whose name ends with "Date" is a time in milliseconds, so a note
    /// states this time.
    init(_ members: [JSONObject.Member]) {
        for member in members {
            let name = decoded(member.name)
            var note: String?
            if case .number(let number) = member.value, name.utf8.suffix(4).elementsEqual("Date".utf8) {
                note = number.truncated.map { "\(AppStoreDate(millisecondsSince1970: $0).unixTime)" }
            }
            // Shortens the label, because all labels of a report are padded to the width of the longest label.
            add(name, excerpt(name).printable, Content(member.value), note: note)
        }
    }
}

extension Report.Content {
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .absent
        case .bool(let value): self = .bool(value)
        case .number(let number): self = number.int64.map { .number($0) } ?? .text(decoded(number.literal))
        case .string(let string): self = .text(decoded(string))
        case .object(let object): self = .group(Report(object.members))
        case .array(let values):
            let objects = values.compactMap(\.object)
            if !objects.isEmpty, objects.count == values.count {
                self = .list(objects.map { Report($0.members) })
            } else {
                self = .words(values.map { $0.stringUTF8.map(decoded) ?? JSON($0).text })
            }
        }
    }
}
