/// Text in Prometheus's format, version 0.0.4, handled as bytes.
///
/// Label values may come from clients. A quotation mark and a combining scalar form one `Character`, so a search by
/// `Character` would miss the quotation mark.
struct PrometheusText {
    private var bytes: [UInt8] = []

    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Appends a family of series. The label `le` of a bucket follows all other labels.
    mutating func append(
        family name: [UInt8], kind: String, help: String,
        series: [(suffix: String, labels: [UInt8], bound: String?, value: Double)]
    ) {
        bytes += Array("# HELP ".utf8) + name + [UInt8(ascii: " ")] + Self.escaped(help, quotes: false)
        bytes += Array("\n# TYPE ".utf8) + name + Array(" \(kind)\n".utf8)
        for sample in series {
            bytes += name + Array(sample.suffix.utf8)
            let labels = [sample.labels, sample.bound.map { Array("le=\"\($0)\"".utf8) } ?? []].filter { !$0.isEmpty }
            if !labels.isEmpty {
                bytes += Array("{".utf8) + labels.joined(separator: [UInt8(ascii: ",")]) + Array("}".utf8)
            }
            bytes += Array(" \(Self.number(sample.value))\n".utf8)
        }
    }

    /// Names of counters end in `_total`.
    static func familyName(_ label: String, isCounter: Bool) -> [UInt8] {
        let (name, total) = (name(label), Array("_total".utf8))
        return isCounter && !name.suffix(total.count).elementsEqual(total) ? name + total : name
    }

    /// Returns the labels without braces, sorted by name. Appended underscores make each name unique.
    static func labels(_ dimensions: [(String, String)]) -> [UInt8] {
        // `le` is reserved for histograms.
        var names: Set<[UInt8]> = [Array("le".utf8)]
        var labels: [(name: [UInt8], value: [UInt8])] = []
        for (label, value) in dimensions {
            var name = name(label)
            while !names.insert(name).inserted { name.append(UInt8(ascii: "_")) }
            labels.append((name, escaped(value, quotes: true)))
        }
        let quote = [UInt8(ascii: "\"")]
        return Array(
            labels.sorted { $0.name.lexicographicallyPrecedes($1.name) }
                .map { $0.name + [UInt8(ascii: "=")] + quote + $0.value + quote }.joined(separator: [UInt8(ascii: ",")])
        )
    }

    /// Returns a name of letters, digits and underscores that does not begin with a digit.
    private static func name(_ text: String) -> [UInt8] {
        let name = text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: byte
            default: UInt8(ascii: "_")
            }
        }
        guard let first = name.first, !(0x30...0x39 ~= first) else { return [UInt8(ascii: "_")] + name }
        return name
    }

    private static func escaped(_ text: String, quotes: Bool) -> [UInt8] {
        text.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\\"): Array("\\\\".utf8)
            case UInt8(ascii: "\n"): Array("\\n".utf8)
            case UInt8(ascii: "\"") where quotes: Array("\\\"".utf8)
            default: [byte]
            }
        }
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        return value.isInfinite ? (value < 0 ? "-Inf" : "+Inf") : "\(value)"
    }
}
