/// A task's requirements: a level of each condition of the machine that can be required; 0: none.
package struct Requirements: Hashable, Sendable, BitwiseCopyable {
    /// Of conditions that are required or not, or at one of some steps.
    private var steps = SIMD16<UInt8>()
    /// Of conditions that are required in a size, in bytes.
    private var sizes = SIMD2<UInt64>()

    package init() {}

    /// - Parameters:
    ///   - network: the least that will do, `constrained` or `ok`; nil: none is needed.
    ///   - idle: the machine is idle.
    package init(externalPower: Bool = false, network: NetworkAccess? = nil, idle: Bool = false) {
        self.externalPower = externalPower
        self.network = network
        self.idle = idle
    }

    /// The default requirements of a kind; nil: the kind is invalid.
    package init(of kind: TaskKind?) {
        guard let kind else { return }
        for condition in Condition.all where condition.requirement?.defaults.contains(kind) == true {
            self[condition.name] = 1
        }
    }

    /// 0 for a condition that cannot be required.
    package subscript(name: ConditionName) -> UInt64 {
        get {
            switch Self.places[name.index] {
            case nil: 0
            case .step(let place): UInt64(steps[place])
            case .size(let place): sizes[place]
            }
        }
        set {
            switch Self.places[name.index] {
            case nil: preconditionFailure("\(name) cannot be asked for")
            case .step(let place): steps[place] = UInt8(newValue)
            case .size(let place): sizes[place] = newValue
            }
        }
    }

    private enum Place {
        case step(Int)
        case size(Int)
    }

    /// By the condition's index.
    private static let places: [Place?] = {
        var (steps, sizes) = (0, 0)
        return Condition.all.map { condition -> Place? in
            guard condition.isOfMachine, let requirement = condition.requirement else { return nil }
            if case .size = requirement.values {
                defer { sizes += 1 }
                return .size(sizes)
            }
            defer { steps += 1 }
            return .step(steps)
        }
    }()

    /// The higher of both levels for each condition.
    package func union(_ other: Requirements) -> Requirements {
        var both = self
        both.steps = pointwiseMax(steps, other.steps)
        both.sizes = pointwiseMax(sizes, other.sizes)
        return both
    }

    package var externalPower: Bool {
        get { self[.power] > 0 }
        set { self[.power] = newValue ? 1 : 0 }
    }
    /// The least that will do; nil: none is needed.
    package var network: NetworkAccess? {
        get { NetworkAccess(rawValue: UInt8(clamping: self[.network])).flatMap { $0 > .none ? $0 : nil } }
        set { self[.network] = newValue.map { $0 > .none ? UInt64($0.rawValue) : 0 } ?? 0 }
    }
    package var idle: Bool {
        get { self[.user] > 0 }
        set { self[.user] = newValue ? 1 : 0 }
    }
}

/// How a manifest requires a condition.
package struct RequirementForm: Sendable {
    package enum Values: Sendable {
        /// `true`: level 1.
        case flag
        /// `true` is the first of them.
        case words([(word: String, level: UInt64)])
        /// A size in bytes.
        case size(ClosedRange<ByteCount>)
        /// Paths whose last part may contain `*` and `?`; a condition of each task.
        case patterns
    }

    /// The key in `requires`.
    package let key: String
    package let values: Values
    /// Kinds that may ask for it; to others it means nothing.
    package let kinds: KindSet
    /// Kinds that require it by default.
    package let defaults: KindSet
    /// Who asks for it does not mind the condition, and those that are required with it, any more.
    package let isWaiver: Bool
    /// When it is met, as sentences for schema and documents.
    package let meaning: String

    init(
        _ key: String, _ values: Values, kinds: KindSet = .background, defaults: KindSet = [],
        isWaiver: Bool = false, meaning: String
    ) {
        self.key = key
        self.values = values
        self.kinds = kinds
        self.defaults = defaults
        self.isWaiver = isWaiver
        self.meaning = meaning
    }
}
