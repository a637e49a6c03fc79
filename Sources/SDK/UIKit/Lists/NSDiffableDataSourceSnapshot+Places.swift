internal import TaskHostRuntime

extension NSDiffableDataSourceSnapshot {
    func place(of identifier: SectionIdentifierType) -> Int {
        guard let place = indexOfSection(identifier) else {
            fault("Invalid section identifier. The section identifier \(identifier) is not in the snapshot.")
        }
        return place
    }

    func place(of identifier: ItemIdentifierType) -> (section: Int, item: Int) {
        guard let home = homes[identifier], let section = indexOfSection(home),
            let item = sections[section].items.firstIndex(of: identifier)
        else { fault("Invalid item identifier. The item identifier \(identifier) is not in the snapshot.") }
        return (section, item)
    }

    mutating func insert(_ identifiers: [SectionIdentifierType], at place: Int) {
        let all = sectionIdentifiers + identifiers
        guard Set(all).count == all.count else { fault("Section identifier count does not match data source count.") }
        sections.insert(contentsOf: identifiers.map { Section(identifier: $0) }, at: place)
    }

    /// Items that are there already are moved.
    mutating func insert(_ identifiers: [ItemIdentifierType], at place: (section: Int, item: Int)) {
        let new = Set(identifiers)
        guard new.count == identifiers.count else { fault("Fatal: supplied item identifiers are not unique.") }
        let moved = identifiers.filter { homes[$0] != nil }
        if !moved.isEmpty {
            Diagnostic.write("items that were added to a snapshot were in it already, and are moved: \(moved.count)")
        }
        let before = sections[place.section].items.prefix(place.item).count { !new.contains($0) }
        for identifier in moved { remove(identifier) }
        for identifier in identifiers { homes[identifier] = sections[place.section].identifier }
        sections[place.section].items.insert(contentsOf: identifiers, at: before)
    }

    mutating func remove(_ identifier: ItemIdentifierType) {
        let place = place(of: identifier)
        sections[place.section].items.remove(at: place.item)
        homes[identifier] = nil
    }

    mutating func move(_ identifier: SectionIdentifierType, to other: SectionIdentifierType, _ distance: Int) {
        _ = place(of: other)
        guard identifier != other else { return }
        let section = sections.remove(at: place(of: identifier))
        sections.insert(section, at: place(of: other) + distance)
    }

    /// Removes an item that goes to another's side. False when it stays: it is that item.
    mutating func leave(_ identifier: ItemIdentifierType, for other: ItemIdentifierType) -> Bool {
        _ = place(of: other)
        guard identifier != other else { return false }
        remove(identifier)
        return true
    }

    func fault(_ sentence: String) -> Never {
        Misuse.trap(sentence, advice: "ask the snapshot for its identifiers before you change it")
    }
}
