/// A part of a long list, newest first, and where it continues.
package struct Page<Element> {
    package var elements: [Element]
    /// The `before` of the next page; nil: there is nothing older.
    package var next: Int64?
    /// Rows of this part that cannot be read, in their order: none of them is an element, and none ends the list.
    package var unreadable: [UnreadableRow]
    /// Pages of the record that are not as the host wrote them, as a sentence: of those that were read since the record was opened;
    /// nil: there are none.
    package var damage: String?

    package init(elements: [Element], next: Int64?, unreadable: [UnreadableRow] = []) {
        self.elements = elements
        self.next = next
        self.unreadable = unreadable
    }

    /// The same part of a list that goes down from `before`. A damaged file may give a row out of its order, and the list would go on
    /// for ever: it ends there.
    package consuming func below(_ before: Int64?) -> Page {
        if let next, let before, next >= before { self.next = nil }
        return self
    }

    /// Adds the elements of another part.
    package mutating func append(_ other: Page) {
        elements += other.elements
        unreadable += other.unreadable
        damage = other.damage
    }

    /// The same page of something else.
    package func map<Other>(_ transform: (Element) -> Other) -> Page<Other> {
        var page = Page<Other>(elements: elements.map(transform), next: next, unreadable: unreadable)
        page.damage = damage
        return page
    }
}

extension Page: Sendable where Element: Sendable {}
