import TaskModel

/// A request's kind and requirements. Requests of one class pass or wait together, so that a change of conditions touches
/// classes, however many requests there are.
///
/// The number of the distinct set of requirements, and below it the kind: in a word of 64 classes every kind has the same bits.
struct ConditionClass: Hashable, Sendable, BitwiseCopyable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }
    init(_ set: RequirementSet, _ kind: TaskKind) { rawValue = set.rawValue << 3 | UInt32(kind.rawValue - 1) }

    /// Numbers that each set has, more than there are kinds.
    static let perSet = 8

    /// Of a slot without request.
    static let none = ConditionClass(RequirementSet(rawValue: 0), .appRefresh)

    var set: RequirementSet { RequirementSet(rawValue: rawValue >> 3) }
    var kind: TaskKind { TaskKind(rawValue: UInt8(truncatingIfNeeded: rawValue & 7) + 1) ?? .processing }
}

/// The number of a distinct set of requirements.
struct RequirementSet: Hashable, Sendable, BitwiseCopyable {
    let rawValue: UInt32
}

/// Some classes: 64 a word. Those beyond the last word are not among them.
struct ClassMask: Sendable, Equatable {
    private(set) var words: [UInt64] = []

    static func place(_ group: ConditionClass) -> (word: Int, bit: UInt64) {
        (Int(group.rawValue >> 6), 1 << UInt64(group.rawValue & 63))
    }

    subscript(group: ConditionClass) -> Bool {
        get {
            let (word, bit) = Self.place(group)
            return word < words.count && words[word] & bit != 0
        }
        set {
            let (word, bit) = Self.place(group)
            while words.count <= word { words.append(0) }
            if newValue { words[word] |= bit } else { words[word] &= ~bit }
        }
    }

    func contains(where isMeant: (ConditionClass) -> Bool) -> Bool {
        for (word, bits) in words.enumerated() {
            var rest = bits
            while rest != 0 {
                if isMeant(ConditionClass(rawValue: UInt32(word << 6 | rest.trailingZeroBitCount))) { return true }
                rest &= rest - 1
            }
        }
        return false
    }

    func meets(_ other: ClassMask) -> Bool {
        for word in 0..<min(words.count, other.words.count) where words[word] & other.words[word] != 0 { return true }
        return false
    }
}

extension KindSet {
    /// The classes of these kinds in every word.
    var pattern: UInt64 { UInt64(rawValue) &* 0x0101_0101_0101_0101 }
}
