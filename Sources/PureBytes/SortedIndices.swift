/// Returns the indices 0 ..< `count`, sorted by their elements in ascending order, or `nil` if two elements are equal.
/// `precedes(i, j)` returns whether element i is less than element j.
///
/// A mergesort: at most n·⌈log₂ n⌉ + n comparisons, even if an attacker chose the elements. Embedded Swift compiles the
/// standard library's sort again for each caller. This function is shorter, and it is not inlined.
@inline(never)
package func sortedIndices(count: Int, by precedes: (Int, Int) -> Bool) -> [Int]? {
    var sorted = [Int](0..<count), merged = sorted
    var width = 1
    while width < count {
        // Merges neighbours: sorted runs of `width` indices.
        for start in stride(from: 0, to: count, by: 2 * width) {
            let middle = min(start + width, count), end = min(start + 2 * width, count)
            var left = start, right = middle
            for index in start..<end {
                if left == middle || right < end && precedes(sorted[right], sorted[left]) {
                    merged[index] = sorted[right]
                    right += 1
                } else {
                    merged[index] = sorted[left]
                    left += 1
                }
            }
        }
        swap(&sorted, &merged)
        width *= 2
    }
    // Equal elements are neighbours now.
    for index in sorted.indices.dropFirst() where !precedes(sorted[index - 1], sorted[index]) { return nil }
    return sorted
}
