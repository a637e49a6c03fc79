import TaskModel
import Workers

/// Which limits of an application nobody can hold on this machine, and what becomes of its runs for that.
///
/// What the host holds itself, by metering and by process group, is coarser than what the kernel holds, but held.
struct LimitShortfall {
    /// A strict manifest writes this limit down: nothing of the application is launched.
    private(set) var refused: ControlledResource?
    /// The others, by name: they stand in the profile or in the host's configuration alone, or the manifest is content with
    /// best effort. Runs tell of them.
    private(set) var degraded: [String] = []

    /// Limits by the key of `budget` that writes them down; nil where the manifest has no say.
    private static let limits: [(resource: ControlledResource, key: Budget.Keys?, name: String)] = [
        (.memory, .memory, "memory"), (.cpu, .cpuTime, "cpuTime"), (.killTree, nil, "killTree"),
    ]

    init(_ definition: ApplicationDefinition, enforces: (ControlledResource) -> Enforcer) {
        let declared = definition.tasks.reduce(into: Budget.Keys()) { $0.formUnion($1.budget.declared) }
        for limit in Self.limits where enforces(limit.resource) == .impossible {
            let isWritten = limit.key.map { declared.contains($0) } ?? false
            if definition.enforcement == .strict && isWritten { refused = refused ?? limit.resource }
            degraded.append(limit.name)
        }
    }
}
