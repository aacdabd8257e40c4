import PureBytes
import ReferenceModel
import Testing

/// Compares the sort of indices with the standard library's sort.
@Suite struct SortedIndicesTests {
    private func sorted(_ elements: [Int]) -> [Int]? {
        sortedIndices(count: elements.count) { elements[$0] < elements[$1] }
    }

    /// Tests all lists of up to six elements from four values.
    @Test func shortLists() {
        for length in 0...6 {
            var lists: [[Int]] = [[]]
            for _ in 0..<length { lists = lists.flatMap { list in (0..<4).map { list + [$0] } } }
            let wrong = lists.filter { list in
                let expected = Set(list).count == length ? list.indices.sorted { list[$0] < list[$1] } : nil
                return sorted(list) != expected
            }
            #expect(wrong == [])
        }
    }

    @Test func longListsAndTheNumberOfComparisons() {
        var random = SplitMix64(seed: 34)
        for (length, levels) in [(7, 3), (8, 3), (9, 4), (63, 6), (64, 6), (65, 7), (1_000, 10)] {
            for _ in 0..<10 {
                let elements = (0..<length).shuffled(using: &random)
                var comparisons = 0
                let indices = sortedIndices(count: length) {
                    comparisons += 1
                    return elements[$0] < elements[$1]
                }
                #expect(indices?.map { elements[$0] } == Array(0..<length))
                #expect(comparisons <= length * levels + length)
                let again = elements[Int(random.next() % UInt64(length))]
                #expect(sorted((elements + [again]).shuffled(using: &random)) == nil)
            }
        }
    }
}
