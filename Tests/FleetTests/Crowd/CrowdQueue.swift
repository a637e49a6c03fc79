import Foundation

/// Elements from threads to threads, in order.
final class CrowdQueue<Element: Sendable>: @unchecked Sendable {
    // Both under the lock of the condition.
    private var elements: [Element] = []
    private var isClosed = false
    private let condition = NSCondition()

    func put(_ element: Element) {
        condition.withLock {
            elements.append(element)
            condition.signal()
        }
    }

    /// No more come.
    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    /// Waits for one; nil: it is closed and empty.
    func take() -> Element? {
        condition.withLock {
            while elements.isEmpty, !isClosed { condition.wait() }
            return elements.isEmpty ? nil : elements.removeFirst()
        }
    }

    /// All that are there; waits for the first one until then.
    func takeAll(until date: Date) -> [Element] {
        condition.withLock {
            while elements.isEmpty, !isClosed, condition.wait(until: date) {}
            defer { elements.removeAll(keepingCapacity: true) }
            return elements
        }
    }
}
