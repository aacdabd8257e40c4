import PureAttest

/// The origin of a value. The origins of the inputs determine how much a successful verification proves.
enum Origin {
    /// The value is from the object file, which an attacker may have created together with the object.
    case file
    case option
    case clock

    var note: String {
        switch self {
        case .file: "from the file"
        case .option: "given"
        case .clock: "now"
        }
    }
}

struct Sourced<Value> {
    var value: Value
    var origin: Origin

    /// Returns the name of the value for a message: the option, or the member of the file with the same name.
    func label(_ option: String) -> String {
        origin == .option ? option : "\(String(decoding: option.utf8.dropFirst(2), as: UTF8.self)) in the file"
    }
}

func fromFile<Value>(_ value: Value?) -> Sourced<Value>? {
    value.map { Sourced(value: $0, origin: .file) }
}

extension Arguments {
    func text(_ name: String) -> Sourced<String>? { value(name).map { Sourced(value: $0, origin: .option) } }

    func bytes(_ name: String) throws(UnusableInput) -> Sourced<[UInt8]>? {
        guard let text = value(name) else { return nil }
        return Sourced(value: try byteValue(text, of: name), origin: .option)
    }

    func time(_ name: String) throws(UnusableInput) -> Sourced<UnixTime>? {
        guard let text = value(name) else { return nil }
        do { return Sourced(value: try UnixTime(text: text), origin: .option) } catch {
            throw UnusableInput("\(name): \(error.reason)")
        }
    }

    /// Returns the option's time, or else the file's, which is in seconds since 1970, or else the current time.
    func time(_ name: String, inFile seconds: Int64?) throws(UnusableInput) -> Sourced<UnixTime> {
        try time(name) ?? fromFile(seconds.map(UnixTime.init(secondsSince1970:)))
            ?? Sourced(value: .now, origin: .clock)
    }
}

/// The inputs of a verification, except for the objects, and the origin of each input.
struct InputReport {
    private(set) var fields = Report()
    /// True if the trusted root is a test root, which anyone can create.
    private(set) var trustsTestAnchor = false
    private var fieldsFromFile: [Report.Field] = []

    mutating func add(_ key: String, _ label: String, _ content: Report.Content, _ origin: Origin) {
        fields.add(key, label, content, note: origin.note)
        if origin == .file, let field = fields.fields.last { fieldsFromFile.append(field) }
    }

    /// `owner` is the company whose root the test root replaces.
    mutating func addTestAnchor(inPlaceOf owner: String = "Apple") {
        trustsTestAnchor = true
        add("testAnchor", "Trusted root", .text("the test root in the file, not \(owner)'s"), .file)
    }

    mutating func add(_ other: InputReport) {
        trustsTestAnchor = trustsTestAnchor || other.trustsTestAnchor
        fields.fields += other.fields.fields
        fieldsFromFile += other.fieldsFromFile
    }

    /// The limits of a verdict on these inputs: values from the file are only as trustworthy as its author.
    var caveat: String {
        let labels = fieldsFromFile.map(\.label)
        return labels.isEmpty ? "" : " and consistent with values from its own file: \(labels.joined(separator: ", "))"
    }

    /// The members of a command's JSON output that state the inputs and their origins.
    var jsonMembers: [(String, JSON)] {
        [("inputs", fields.json), ("inputsFromFile", .array(fieldsFromFile.map { .string($0.key) }))]
    }
}
