import VectorSupport

/// Returns `; did you mean WORD?` if one of `words` is similar to the text; otherwise an empty string.
func suggestion(for text: String, among words: [String]) -> String {
    // A much longer text cannot match any word. The limit bounds the running time, which grows with both lengths.
    guard !text.isEmpty, text.utf8.count <= 64 else { return "" }
    let written = text.lowercasedASCII
    var best: (word: String, distance: Int)?
    for word in words {
        var candidate = word.lowercasedASCII
        // The user may have omitted the object kind before the dot in the name of a fault.
        let dot = UInt8(ascii: ".")
        if !written.contains(dot), let kind = candidate.lastIndex(of: dot) { candidate.removeFirst(kind + 1) }
        var distance = editDistance(written, candidate)
        // The user may have typed only the beginning or the end of a long name.
        if written.count >= 4, candidate.starts(with: written) || candidate.reversed().starts(with: written.reversed())
        {
            distance = min(distance, 1)
        }
        if distance <= max(1, candidate.count / 4), distance < best?.distance ?? .max { best = (word, distance) }
    }
    return best.map { "; did you mean \($0.word)?" } ?? ""
}

/// Returns the minimum number of edits that turn `a` into `b` (optimal string alignment distance). An edit inserts,
/// removes or replaces a byte, or swaps two adjacent bytes.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var distance = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { distance = min(distance, beforeLast[j - 1] + 1) }
            row.append(distance)
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}

/// Shortens a long text from the user for a message, and quotes a text that begins or ends with white space.
func excerpt(_ text: String) -> String {
    // Counts scalars, because a single Character can contain any number of combining marks.
    let scalars = text.unicodeScalars, start = scalars.prefix(80)
    let shown = start.endIndex == scalars.endIndex ? text : "\(String(start))…"
    let ends = [shown.unicodeScalars.first, shown.unicodeScalars.last]
    return ends.contains { $0?.properties.isWhitespace == true } ? "\"\(shown)\"" : shown
}
