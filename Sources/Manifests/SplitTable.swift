/// A table by name in many parts. It grows, and is released, one part at a time: no step takes long, regardless of the
/// number of entries.
package struct SplitTable<Value> {
    /// Of ten thousand entries each has forty.
    package static var partCount: Int { 256 }

    /// None while the table is empty.
    private var parts: [[String: Value]] = []

    package init() {}

    /// Entries of the largest part.
    package var largestPart: Int { parts.reduce(0) { max($0, $1.count) } }

    private static func part(of name: String) -> Int { name.hashValue & (Self.partCount - 1) }

    private mutating func prepare() {
        if parts.isEmpty { parts = Array(repeating: [:], count: Self.partCount) }
    }

    package subscript(name: String) -> Value? {
        get { parts.isEmpty ? nil : parts[Self.part(of: name)][name] }
        set {
            prepare()
            parts[Self.part(of: name)][name] = newValue
        }
    }

    /// Sets the entry; returns the former one.
    package mutating func updateValue(_ value: Value, forKey name: String) -> Value? {
        prepare()
        return parts[Self.part(of: name)].updateValue(value, forKey: name)
    }

    /// Releases one part; false: the table is empty. Once begun, release all of it before the table is used again.
    package mutating func dropPart() -> Bool { parts.popLast() != nil }
}
