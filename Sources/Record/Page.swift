/// A part of a long list, newest first, and where it continues.
package struct Page<Element> {
    package var elements: [Element]
    /// The `before` of the next page; nil: there is nothing older.
    package var next: Int64?
    /// Rows of this part that cannot be read, in their order: none of them is an element, and none ends the list.
    package var unreadable: [UnreadableRow]

    package init(elements: [Element], next: Int64?, unreadable: [UnreadableRow] = []) {
        self.elements = elements
        self.next = next
        self.unreadable = unreadable
    }

    /// Adds the elements of another part.
    package mutating func append(_ other: Page) {
        elements += other.elements
        unreadable += other.unreadable
    }

    /// The same page of something else.
    package func map<Other>(_ transform: (Element) -> Other) -> Page<Other> {
        Page<Other>(elements: elements.map(transform), next: next, unreadable: unreadable)
    }
}

extension Page: Sendable where Element: Sendable {}
