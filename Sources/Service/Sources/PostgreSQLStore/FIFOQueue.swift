/// A first-in, first-out queue. It releases each element when it hands it out, also while the queue never becomes empty.
///
/// Two arrays: new elements go to one; once the other is empty, the first one takes its place in reverse order. So each element moves once.
package struct FIFOQueue<Element> {
    private var new: [Element] = []
    /// The oldest last.
    private var old: [Element] = []

    /// Nothing.
    package init() {}

    package var count: Int { new.count + old.count }

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ element: Element) { new.append(element) }

    /// The oldest element, which leaves the queue; `nil` if there is none.
    package mutating func popFirst() -> Element? {
        if old.isEmpty {
            old = new.reversed()
            new = []
        }
        return old.popLast()
    }
}
