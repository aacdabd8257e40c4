import LibFuzzer

// Mutates BER and corrects the lengths of all enclosing elements. libFuzzer's own mutation would rarely change all
// these lengths correctly.

func mutateBytes(_ bytes: inout [UInt8], growingBy room: Int) {
    let count = bytes.count
    bytes += [UInt8](repeating: 0, count: max(room, count == 0 ? 1 : 0))
    let maximumSize = bytes.count
    let size = bytes.withUnsafeMutableBufferPointer { LLVMFuzzerMutate($0.baseAddress!, count, maximumSize) }
    bytes.removeLast(maximumSize - size)
}

/// Mutates one element. Returns `false` if the input contains no BER elements.
func mutateDER(_ bytes: inout [UInt8], _ random: inout SplitMix) -> Bool {
    guard var elements = BERElement.parse(bytes[...], depth: 0), !elements.isEmpty else { return false }
    let all = elements.flatMap(\.all)
    var index = random.below(all.count)
    BERElement.edit(&elements, at: &index) { siblings, position in
        switch random.below(8) {
        case 0: siblings.remove(at: position)
        case 1: siblings.insert(siblings[position], at: position)
        case 2: siblings.swapAt(position, random.below(siblings.count))
        case 3: siblings[position] = all[random.below(all.count)]
        case 4: siblings[position].identifier[0] = UInt8(truncatingIfNeeded: random.next())
        case 5 where random.isOneIn(4): siblings[position].lengthForm = .allCases[random.below(3)]
        default: siblings[position].mutateContents()
        }
    }
    bytes = elements.flatMap(\.encoded)
    return true
}

/// A BER element, parsed leniently. Accepts any one-octet tag, and any length up to the end of the input.
private struct BERElement {
    enum LengthForm: CaseIterable { case minimal, long, indefinite }

    var identifier: [UInt8]
    var lengthForm = LengthForm.minimal
    /// The whole contents if `children` is empty. Otherwise the octets before the children: in a BIT STRING the number
    /// of unused bits, in other elements no octets.
    var bytes: [UInt8] = []
    var children: [BERElement] = []

    var all: [BERElement] { [self] + children.flatMap(\.all) }

    var encoded: [UInt8] {
        let contents = bytes + children.flatMap(\.encoded)
        let count = contents.count
        switch lengthForm {
        case .indefinite: return identifier + [0x80] + contents + [0, 0]
        case .long:
            return identifier + [0x84] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + contents
        case .minimal where count < 0x80: return identifier + [UInt8(count)] + contents
        case .minimal where count < 0x100: return identifier + [0x81, UInt8(count)] + contents
        case .minimal:
            return identifier + [0x82] + [8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + contents
        }
    }

    mutating func mutateContents() {
        if children.isEmpty { mutateBytes(&bytes, growingBy: 32) } else { children.removeLast() }
    }

    /// Calls `body` with the array that contains the selected element, and the element's position in this array.
    /// `index` counts elements in the order of `all`.
    static func edit(
        _ elements: inout [BERElement], at index: inout Int, _ body: (inout [BERElement], Int) -> Void
    ) {
        for position in elements.indices {
            if index == 0 {
                body(&elements, position)
                index = -1
            }
            if index < 0 { return }
            index -= 1
            edit(&elements[position].children, at: &index, body)
            if index < 0 { return }
        }
    }

    static func parse(_ bytes: ArraySlice<UInt8>, depth: Int) -> [BERElement]? {
        guard depth < 24 else { return nil }
        var rest = bytes
        var elements: [BERElement] = []
        while let identifier = rest.first {
            guard identifier & 0x1F != 0x1F, let first = rest.dropFirst().first else { return nil }
            rest = rest.dropFirst(2)
            var element = BERElement(identifier: [identifier])
            var count = Int(first)
            if first > 0x80 {
                let octets = Int(first & 0x7F)
                guard octets <= 3, rest.count >= octets else { return nil }
                count = rest.prefix(octets).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(octets)
            } else if first == 0x80 {
                guard let end = endOfContents(rest, depth: depth) else { return nil }
                element.lengthForm = .indefinite
                count = end - rest.startIndex
            }
            guard count <= rest.count else { return nil }
            element.setContents(rest.prefix(count), depth: depth)
            rest = rest.dropFirst(count + (first == 0x80 ? 2 : 0))
            elements.append(element)
        }
        return elements
    }

    private mutating func setContents(_ contents: ArraySlice<UInt8>, depth: Int) {
        let isBitString = identifier == [0x03] && contents.first == 0
        let mayHoldElements = identifier[0] & 0x20 != 0 || identifier == [0x04] || isBitString
        let prefix = isBitString ? 1 : 0
        if mayHoldElements, let parsed = Self.parse(contents.dropFirst(prefix), depth: depth + 1), !parsed.isEmpty {
            (bytes, children) = ([UInt8](contents.prefix(prefix)), parsed)
        } else {
            bytes = [UInt8](contents)
        }
    }

    /// Returns the index of the end-of-contents octets of an element with indefinite length.
    private static func endOfContents(_ bytes: ArraySlice<UInt8>, depth: Int) -> Int? {
        var rest = bytes
        while rest.count >= 2, depth < 24 {
            if rest.starts(with: [0, 0]) { return rest.startIndex }
            let first = rest[rest.startIndex + 1]
            let tagIsShort = rest[rest.startIndex] & 0x1F != 0x1F
            rest = rest.dropFirst(2)
            guard tagIsShort else { return nil }
            var count = Int(first)
            if first == 0x80 {
                guard let end = endOfContents(rest, depth: depth + 1) else { return nil }
                count = end - rest.startIndex + 2
            } else if first > 0x80 {
                let octets = Int(first & 0x7F)
                guard octets <= 3, rest.count >= octets else { return nil }
                count = octets + rest.prefix(octets).reduce(0) { $0 << 8 | Int($1) }
            }
            guard count <= rest.count else { return nil }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}
