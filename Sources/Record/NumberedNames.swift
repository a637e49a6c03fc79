/// Numbers of one kind of name: the highest that was given, and those that were asked for. Thread: the owner's.
struct NumberedNames<Name: Hashable & Sendable>: Sendable {
    private var highest: Int64
    private var numbers: [Name: Int64] = [:]

    init(highest: Int64) { self.highest = highest }

    /// The number that the name has.
    ///
    /// - Parameter read: looks it up in the record, when it is not remembered.
    mutating func known(
        _ name: Name, orRead read: (Name) throws(StoreError) -> Int64?
    ) throws(StoreError) -> Int64? {
        if let known = numbers[name] { return known }
        let known = try read(name)
        numbers[name] = known
        return known
    }

    /// Gives a name that has none the next number.
    mutating func add(_ name: Name) -> Int64 {
        highest += 1
        numbers[name] = highest
        return highest
    }

    /// Forgets all, if they are more than `most`.
    mutating func trim(to most: Int) {
        if numbers.count > most { numbers.removeAll() }
    }

    /// Forgets all but those with these numbers.
    mutating func forget(except held: Set<Int64>) { numbers = numbers.filter { held.contains($0.value) } }
}
