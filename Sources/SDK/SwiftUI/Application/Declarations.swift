/// What an application's scenes declare, from one evaluation of them.
@MainActor struct Declarations {
    /// A value that is watched.
    struct Watched {
        let value: Any
        let isCalledAtFirst: Bool
        /// Calls the action with the old value, if that is a different one.
        let changed: (_ old: Any) -> Void
        /// Calls the action with the first value.
        let first: () -> Void
    }

    /// The values by their place, in order.
    var watched: [(place: String, value: Watched)] = []
    /// The actions of background tasks.
    var actions: [BackgroundAction] = []
    /// The stored properties of scenes, by their place.
    var storages: [String: [any Storage]] = [:]
    private var place = ""
    private let earlier: [String: [any Storage]]
    private let changed: @Sendable () -> Void

    /// - Parameters:
    ///   - earlier: the stored properties of the evaluation before.
    ///   - changed: called when one of them changes.
    init(earlier: [String: [any Storage]], changed: @escaping @Sendable () -> Void) {
        self.earlier = earlier
        self.changed = changed
    }

    /// Adds what a scene declares, and those that it consists of.
    mutating func visit<S: Scene>(_ scene: S, at step: String) {
        let outer = place
        defer { place = outer }
        place += "/\(step)"
        if let primitive = scene as? any PrimitiveScene { return primitive.declare(to: &self) }
        keep(scene)
        visit(scene.body, at: "\(S.self)")
    }

    /// Makes the properties of a value follow those of its place.
    mutating func keep(_ value: Any) {
        let found = Mirror(reflecting: value).children.compactMap { ($0.value as? any StoredProperty)?.storage }
        for (index, storage) in found.enumerated() {
            if let before = earlier[place], index < before.count { storage.follow(before[index]) }
            storage.watch(changed)
        }
        storages[place] = found
    }

    /// Watches a value.
    mutating func watch(_ value: Watched) { watched.append((place, value)) }
}

/// Where a property wrapper keeps its value.
protocol Storage: AnyObject {
    /// Uses the value of an earlier one of its kind from now on.
    func follow(_ earlier: any Storage)
    /// Calls the closure when its value changes. The first closure counts.
    func watch(_ changed: @escaping @Sendable () -> Void)
}

/// A property wrapper with a storage.
protocol StoredProperty {
    var storage: any Storage { get }
}
