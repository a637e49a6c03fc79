/// Values in the order in which they came.
struct Fifo<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) { elements.append(element) }

    /// The newest one is another.
    mutating func replaceLast(_ element: Element) { elements[elements.count - 1] = element }

    /// The oldest one, which leaves; nil when there is none.
    mutating func pop() -> Element? {
        guard !isEmpty else { return nil }
        defer {
            elements[head] = nil
            head += 1
            // Amortized: each move has been paid for by as many pops.
            if head * 2 >= elements.count {
                elements.removeFirst(head)
                head = 0
            }
        }
        return elements[head]
    }
}
