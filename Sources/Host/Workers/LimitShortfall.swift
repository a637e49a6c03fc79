import TaskModel
import Workers

/// The limits of an application that cannot be enforced on this machine, and the consequences for its runs.
///
/// The host's own metering and process groups are less precise than the kernel, but count as enforcement.
struct LimitShortfall {
    /// A strict manifest sets this limit: none of the application's runs is launched.
    private(set) var refused: ControlledResource?
    /// The others, by name: only the profile or the host's configuration sets them, or the manifest accepts best effort.
    /// Runs report them.
    private(set) var degraded: [String] = []

    /// Limits by the key of `budget` that sets them; nil where the manifest has no key.
    private static let limits: [(resource: ControlledResource, key: Budget.Keys?, name: String)] = [
        (.memory, .memory, "memory"), (.cpu, .cpuTime, "cpuTime"), (.killTree, nil, "killTree"),
    ]

    init(_ definition: ApplicationDefinition, enforces: (ControlledResource) -> Enforcer) {
        let declared = definition.tasks.reduce(into: Budget.Keys()) { $0.formUnion($1.budget.declaredLimits) }
        for limit in Self.limits where enforces(limit.resource) == .impossible {
            let isWritten = limit.key.map { declared.contains($0) } ?? false
            if definition.enforcement == .strict && isWritten { refused = refused ?? limit.resource }
            degraded.append(limit.name)
        }
    }
}
