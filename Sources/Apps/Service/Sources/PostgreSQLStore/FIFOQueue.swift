/// A first-in, first-out queue. It keeps no reference to a removed element, even if the queue never becomes empty.
///
/// `append` adds elements to the array `new`; `popFirst()` takes elements from the array `old`. When `old` is empty,
/// the reversed `new` replaces it, so each element moves once.
package struct FIFOQueue<Element> {
    private var new: [Element] = []
    /// The oldest element is last.
    private var old: [Element] = []

    package init() {}

    package var count: Int { new.count + old.count }

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ element: Element) { new.append(element) }

    package mutating func popFirst() -> Element? {
        if old.isEmpty {
            old = new.reversed()
            new = []
        }
        return old.popLast()
    }
}
