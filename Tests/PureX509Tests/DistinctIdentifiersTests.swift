import PureDER
import ReferenceModel
import Testing

@testable import PureX509

/// Compares the check for distinct identifiers with a `Set`.
@Suite struct DistinctIdentifiersTests {
    private func areDistinct(_ identifiers: [ASN1ObjectIdentifier]) -> Bool {
        var list = DistinctIdentifiers()
        for identifier in identifiers { list.append(identifier) }
        return list.areDistinct
    }

    /// Tests all lists of up to six elements from five identifiers. Two identifiers are too long for in-place storage.
    @Test func shortLists() throws {
        let identifiers =
            try [[0x2A, 3], [0x2A, 4], [0x2A, 3, 0]].map { try ASN1ObjectIdentifier(contents: $0[...]) }
            + [17, 18].map { try ASN1ObjectIdentifier(contents: ([UInt8](repeating: 1, count: $0))[...]) }
        for length in 0...6 {
            var lists: [[Int]] = [[]]
            for _ in 0..<length { lists = lists.flatMap { list in identifiers.indices.map { list + [$0] } } }
            let wrong = lists.filter { list in
                areDistinct(list.map { identifiers[$0] }) != (Set(list).count == list.count)
            }
            #expect(wrong == [])
        }
    }

    @Test func longLists() throws {
        var random = SplitMix64(seed: 15)
        for length in [7, 8, 63, 64, 65, 1_000] {
            let identifiers = try (0..<length).map { (number: Int) in
                try ASN1ObjectIdentifier(contents: [0x2A, UInt8(0x81 + number / 128), UInt8(number % 128)])
            }
            for _ in 0..<10 {
                let shuffled = identifiers.shuffled(using: &random)
                #expect(areDistinct(shuffled))
                let again = shuffled[Int(random.next() % UInt64(length))]
                #expect(!areDistinct((shuffled + [again]).shuffled(using: &random)))
            }
            #expect(areDistinct(identifiers) && areDistinct(identifiers.reversed()))
            #expect(
                !areDistinct(identifiers + [identifiers[0]]) && !areDistinct([identifiers[length - 1]] + identifiers))
        }
    }
}
