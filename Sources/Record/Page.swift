/// A part of a long list, newest first, and where it continues.
package struct Page<Element: Sendable>: Sendable {
    package var elements: [Element]
    /// The `before` of the next page; nil: there is nothing older.
    package var next: Int64?

    package init(elements: [Element], next: Int64?) {
        self.elements = elements
        self.next = next
    }
}
