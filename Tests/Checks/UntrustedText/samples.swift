// Samples for check.py, with one form in each function. The check must find exactly the functions named `trap…`.

// MARK: By Character

func trapSplit(_ text: String) -> [Substring] { text.split(separator: ",") }
func trapSplitWhere(_ text: String) -> [Substring] { text.split { $0 == "," } }
func trapFilter(_ text: String) -> String { text.filter { $0 != "%" } }
func trapPrefix(_ text: String) -> Substring { text.prefix(3) }
func trapPrefixWhile(_ text: String) -> Substring { text.prefix { $0 != "%" } }
func trapSuffix(_ text: String) -> Substring { text.suffix(3) }
func trapDropFirst(_ text: String) -> Substring { text.dropFirst() }
func trapDropLast(_ text: String) -> Substring { text.dropLast(2) }
func trapDropWhile(_ text: String) -> Substring { text.drop { $0 == " " } }
func trapFirstIndex(_ text: String) -> String.Index? { text.firstIndex(of: ":") }
func trapLastIndex(_ text: String) -> String.Index? { text.lastIndex(of: ":") }
func trapFirst(_ text: String) -> Bool { text.first == "," }
func trapLast(_ text: String) -> Character? { text.last }
func trapContains(_ text: String) -> Bool { text.contains("%") }
func trapContainsText(_ text: String, _ part: String) -> Bool { text.contains(part) }
func trapContainsWhere(_ text: String) -> Bool { text.contains { $0.isNewline } }
func trapMap(_ text: String) -> [Int] { text.map { $0.hexDigitValue ?? 0 } }
func trapReduce(_ text: String) -> Int { text.reduce(0) { $0 + ($1.isNumber ? 1 : 0) } }
func trapAllSatisfy(_ text: String) -> Bool { text.allSatisfy(\.isHexDigit) }
func trapIteration(_ text: String) -> [Character] {
    var found: [Character] = []
    for character in text where character.isWhitespace { found.append(character) }
    return found
}
func trapSubscript(_ text: String) -> Substring { text[text.startIndex..<text.endIndex] }
func trapIndexAfter(_ text: String) -> String.Index { text.index(after: text.startIndex) }
func trapCount(_ text: String) -> Int { text.count }
func trapHasPrefix(_ text: String) -> Bool { text.hasPrefix("--") }
func trapHasSuffix(_ text: String) -> Bool { text.hasSuffix("--") }
func trapSubstringHasPrefix(_ text: Substring) -> Bool { text.hasPrefix("--") }
func trapStarts(_ text: String) -> Bool { text.starts(with: "--") }
func trapElementsEqual(_ text: String) -> Bool { text.elementsEqual("abc") }
func trapZip(_ text: String) -> Bool { zip(text, "abc").allSatisfy { $0 == $1 } }
func trapLowercased(_ text: String) -> String { text.lowercased() }
func trapUppercased(_ text: Substring) -> String { text.uppercased() }
func trapArray(_ text: String) -> [Character] { Array(text) }
func trapReversed(_ text: String) -> String { String(text.reversed()) }
func trapRemoveLast(_ text: inout String) { text.removeLast() }
func trapRemoveAll(_ text: inout String) { text.removeAll { $0 == "," } }
func trapReplacing(_ text: String) -> String { text.replacing(",", with: "") }
func trapLazy(_ text: String) -> Bool { text.lazy.filter { $0 == "," }.isEmpty }
func trapFlatMap(_ texts: [String]) -> [Character] { texts.flatMap { $0 } }
func trapPattern(_ text: String) -> Bool { text.contains(/a+/) }
func trapOptional(_ text: String?) -> Bool? { text?.hasPrefix("a") }
func trapKeyPath(_ texts: [String]) -> [Int] { texts.map(\.count) }
func trapMethodReference(_ texts: [String]) -> [String] { texts.map { $0.lowercased() } }
func trapLocal(_ text: String) -> Int {
    func parts() -> [Substring] { text.split(separator: ",") }
    return parts().utf8Count
}
func trapOverProtocol(_ text: some StringProtocol) -> Int { text.split(separator: ",").utf8Count }
func trapOverCharacters(_ text: some Collection<Character>) -> [Character] { text.filter { $0 == "," } }
func trapPassing(_ text: String) -> [Character] { trapOverCharacters(text) }

extension Array {
    var utf8Count: Int { count }
}

// MARK: In other forms

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
func bytesSplit(_ text: String) -> [Substring.UTF8View] { text.utf8.split(separator: 0x2C) }
func bytesIteration(_ text: String) -> Int {
    var sum = 0
    for byte in text.utf8 { sum += Int(byte) }
    return sum
}
func bytesEqual(_ text: String) -> Bool { text.utf8.elementsEqual("abc".utf8) }
func bytesPrefix(_ text: [UInt8]) -> Bool { text.starts(with: "--".utf8) }
func bytesCount(_ text: String) -> Int { text.utf8.count }
func bytesPart(_ text: String) -> String? { String(validating: text.utf8.dropFirst(), as: UTF8.self) }
func bytesOfPart(_ text: Substring) -> [UInt8] { Array(text.utf8) }
func scalars(_ text: String) -> String {
    var kept = ""
    for scalar in text.unicodeScalars where scalar.isASCII { kept.unicodeScalars.append(scalar) }
    return kept
}
func decoding(_ text: [UInt8]) -> String { String(decoding: text, as: UTF8.self) }
func joining(_ texts: [String]) -> String { texts.joined(separator: ", ") + "." }
func interpolating(_ number: Int) -> String { "a \(number) " + String(number, radix: 16) }
func repeating(_ text: String) -> String { text + String(repeating: "-", count: 3) }
func number(_ text: String) -> Int? { Int(text) ?? Int(text, radix: 16) }
func equal(_ text: String) -> Bool { text == "abc" || text.isEmpty }
func switching(_ text: String) -> Int {
    switch text {
    case "a": 1
    default: 2
    }
}
func looking(_ values: [String: Int]) -> Int? { values["a"] }
func sorting(_ texts: [String]) -> [String] { texts.sorted() }
func copying(_ text: Substring) -> String { String(text) }
