// Treats a JSON object as a list of members: omits, repeats and reorders members, and exchanges their values. The code
// splits the object at commas, because no string in the seeds contains a comma.

/// Mutates one member of `{"name":value,…}`. Returns `false` if the input has a different form.
func mutateMembers(_ bytes: inout [UInt8], maximumSize: Int, _ random: inout SplitMix) -> Bool {
    guard bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}"), bytes.count > 2 else { return false }
    var members = bytes.dropFirst().dropLast()
        .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { [UInt8]($0) }
    let position = random.below(members.count)
    let other = random.below(members.count)
    switch random.below(6) {
    case 0: members.remove(at: position)
    case 1: members.insert(members[position], at: other)
    case 2: members.swapAt(position, other)
    case 3: members[position] = [UInt8](name(of: members[position]) + value(of: members[other]))
    case 4: members[position] = [UInt8](name(of: members[position])) + values[random.below(values.count)]
    default: mutateBytes(&members[position], growingBy: min(maximumSize - bytes.count, 64))
    }
    bytes = Array("{".utf8) + members.joined(separator: Array(",".utf8)) + Array("}".utf8)
    return true
}

private func name(of member: [UInt8]) -> ArraySlice<UInt8> { member.prefix { $0 != UInt8(ascii: ":") } }

private func value(of member: [UInt8]) -> ArraySlice<UInt8> { member[name(of: member).count...] }

private let values: [[UInt8]] = [
    ":0", ":-1", ":00", ":1e9", ":1.0", ":9223372036854775807", ":9223372036854775808", ":18446744073709551616",
    ":null",
    ":true", ":\"\"", ":\"\\u0061\"", ":\"\0\"", ":[]", ":{}", "",
].map { Array($0.utf8) }
