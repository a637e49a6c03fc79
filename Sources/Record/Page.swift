package import TaskModel

/// A part of a long list, newest first, and where it continues.
package struct Page<Element, Place: Comparable> {
    package var elements: [Element]
    /// The `before` of the next page; nil: there is nothing older.
    package var next: Place?
    /// Rows of this part that cannot be read, in their order: none of them is an element, and none ends the list.
    package var unreadable: [UnreadableRow]
    /// Pages of the record that are not as the host wrote them, as a sentence: of those that were read since the record was opened;
    /// nil: there are none.
    package var damage: String?

    package init(elements: [Element], next: Place?, unreadable: [UnreadableRow] = []) {
        self.elements = elements
        self.next = next
        self.unreadable = unreadable
    }

    /// The same part of a list that goes down from `before`. A damaged file may give a row out of its order, and the list would go on
    /// for ever: it ends there.
    package consuming func below(_ before: Place?) -> Page {
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
    package func map<Other>(_ transform: (Element) -> Other) -> Page<Other, Place> {
        var page = Page<Other, Place>(elements: elements.map(transform), next: next, unreadable: unreadable)
        page.damage = damage
        return page
    }

    /// The same page, which continues at a place of another kind.
    package func continued<Other>(at next: Other?) -> Page<Element, Other> {
        var page = Page<Element, Other>(elements: elements, next: next, unreadable: unreadable)
        page.damage = damage
        return page
    }
}

extension Page: Sendable where Element: Sendable, Place: Sendable {}

/// A part of a list that goes by numbers of the record's rows.
package typealias RowPage<Element> = Page<Element, Int64>

/// A part of the list of runs: it goes by their ids, which ascend in the order of their beginnings.
package typealias RunPage = Page<RunRecord, ULID>
