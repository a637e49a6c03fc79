internal import TaskHostRuntime

/// The sections and items of a list at one time: a value, whose changes are made in it alone. Each section and each
/// item is in it once: items that are added again are moved, and the journal says so; adding a section again, or naming
/// something twice in one call, ends the process, and so does naming what is not there, except to delete it.
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType: Hashable, ItemIdentifierType: Hashable> {
    struct Section {
        let identifier: SectionIdentifierType
        var items: [ItemIdentifierType] = []
    }
    var sections: [Section] = []
    /// The section of each item.
    var homes: [ItemIdentifierType: SectionIdentifierType] = [:]
    /// The items to be shown anew.
    public private(set) var reloadedItemIdentifiers: [ItemIdentifierType] = []
    /// The sections to be shown anew.
    public private(set) var reloadedSectionIdentifiers: [SectionIdentifierType] = []
    /// The items to be set up anew.
    public private(set) var reconfiguredItemIdentifiers: [ItemIdentifierType] = []

    /// Makes an empty one.
    public init() {}

    /// How many items there are.
    public var numberOfItems: Int { homes.count }
    /// How many sections there are.
    public var numberOfSections: Int { sections.count }
    /// The sections in their order.
    public var sectionIdentifiers: [SectionIdentifierType] { sections.map(\.identifier) }
    /// All items in their order.
    public var itemIdentifiers: [ItemIdentifierType] { sections.flatMap(\.items) }
    /// How many items a section has.
    public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
        sections[place(of: identifier)].items.count
    }
    /// The items of a section in their order.
    public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
        sections[place(of: identifier)].items
    }
    /// The section that has an item.
    public func sectionIdentifier(containingItem identifier: ItemIdentifierType) -> SectionIdentifierType? {
        homes[identifier]
    }
    /// The place of an item among all.
    public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? { itemIdentifiers.firstIndex(of: identifier) }
    /// The place of a section.
    public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
        sections.firstIndex { $0.identifier == identifier }
    }

    // MARK: Sections

    /// Adds sections at the end.
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
        insert(identifiers, at: sections.endIndex)
    }
    /// Inserts sections before another.
    public mutating func insertSections(
        _ identifiers: [SectionIdentifierType], beforeSection toIdentifier: SectionIdentifierType
    ) { insert(identifiers, at: place(of: toIdentifier)) }
    /// Inserts sections after another.
    public mutating func insertSections(
        _ identifiers: [SectionIdentifierType], afterSection toIdentifier: SectionIdentifierType
    ) { insert(identifiers, at: place(of: toIdentifier) + 1) }
    /// Takes sections away, with their items. One that is not there is no fault.
    public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
        for identifier in identifiers {
            guard let place = indexOfSection(identifier) else { continue }
            for item in sections.remove(at: place).items { homes[item] = nil }
        }
    }
    /// Moves a section before another.
    public mutating func moveSection(
        _ identifier: SectionIdentifierType, beforeSection toIdentifier: SectionIdentifierType
    ) { move(identifier, to: toIdentifier, 0) }
    /// Moves a section after another.
    public mutating func moveSection(
        _ identifier: SectionIdentifierType, afterSection toIdentifier: SectionIdentifierType
    ) { move(identifier, to: toIdentifier, 1) }
    /// Has sections shown anew.
    public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {
        for identifier in identifiers where !reloadedSectionIdentifiers.contains(identifier) {
            _ = place(of: identifier)
            reloadedSectionIdentifiers.append(identifier)
        }
    }

    // MARK: Items

    /// Adds items at the end of a section; of the last one, when none is named.
    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
    ) {
        guard let section = sectionIdentifier.map(place) ?? sections.indices.last else {
            fault("There are currently no sections in the data source. Please add a section first.")
        }
        insert(identifiers, at: (section, sections[section].items.endIndex))
    }
    /// Inserts items before another.
    public mutating func insertItems(
        _ identifiers: [ItemIdentifierType], beforeItem beforeIdentifier: ItemIdentifierType
    ) { insert(identifiers, at: place(of: beforeIdentifier)) }
    /// Inserts items after another.
    public mutating func insertItems(
        _ identifiers: [ItemIdentifierType], afterItem afterIdentifier: ItemIdentifierType
    ) {
        let place = place(of: afterIdentifier)
        insert(identifiers, at: (place.section, place.item + 1))
    }
    /// Takes items away. One that is not there is no fault.
    public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
        for identifier in identifiers where homes[identifier] != nil { remove(identifier) }
    }
    /// Takes all items and sections away.
    public mutating func deleteAllItems() { (sections, homes) = ([], [:]) }
    /// Moves an item before another, of any section.
    public mutating func moveItem(_ identifier: ItemIdentifierType, beforeItem toIdentifier: ItemIdentifierType) {
        guard leave(identifier, for: toIdentifier) else { return }
        insertItems([identifier], beforeItem: toIdentifier)
    }
    /// Moves an item after another, of any section.
    public mutating func moveItem(_ identifier: ItemIdentifierType, afterItem toIdentifier: ItemIdentifierType) {
        guard leave(identifier, for: toIdentifier) else { return }
        insertItems([identifier], afterItem: toIdentifier)
    }
    /// Has items shown anew.
    public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
        for identifier in identifiers where !reloadedItemIdentifiers.contains(identifier) {
            _ = place(of: identifier)
            reloadedItemIdentifiers.append(identifier)
        }
    }
    /// Has items set up anew, in the cells that they have.
    public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
        for identifier in identifiers where !reconfiguredItemIdentifiers.contains(identifier) {
            _ = place(of: identifier)
            reconfiguredItemIdentifiers.append(identifier)
        }
    }
}

extension NSDiffableDataSourceSnapshot.Section: Sendable
where SectionIdentifierType: Sendable, ItemIdentifierType: Sendable {}
extension NSDiffableDataSourceSnapshot: Sendable where SectionIdentifierType: Sendable, ItemIdentifierType: Sendable {}
