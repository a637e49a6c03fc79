import Engine

/// The engine's actions of a turn, by the time of their execution; each kind in the order of the decisions. Lists are
/// reused: a turn allocates nothing for them.
struct TurnWork {
    /// Written into the record.
    private(set) var writes: [Action] = []
    /// Done before the commit: warnings and launches.
    private(set) var urgent: [Action] = []
    /// Done after the commit.
    private(set) var effects: [Action] = []
    /// Ends of applications' processes: written into the record too.
    private(set) var terminations: [Action] = []
    /// Runs that are added to the record.
    private(set) var runsAdded = 0

    var isEmpty: Bool { writes.isEmpty && terminations.isEmpty && urgent.isEmpty && effects.isEmpty }

    /// Takes over the actions.
    mutating func take(_ actions: [Action]) {
        for action in actions {
            switch action {
            case .insert:
                runsAdded += 1
                writes.append(action)
            case .markExpired, .finish, .pause, .resume: writes.append(action)
            case .terminated: terminations.append(action)
            case .launch: urgent.append(action)
            case .expire:
                // The worker receives it at once, watchers when it is recorded.
                urgent.append(action)
                effects.append(action)
            case .start, .setDeadline, .state, .handleSessionEvents, .freeze, .thaw, .allowSleep, .expireAssertions,
                .limitMemory, .meter, .weigh, .examine, .meterSpace, .weighFolders, .sweep, .terminate, .kill, .reply,
                .retire:
                effects.append(action)
            }
        }
    }

    mutating func removeAll() {
        writes.removeAll(keepingCapacity: true)
        terminations.removeAll(keepingCapacity: true)
        urgent.removeAll(keepingCapacity: true)
        effects.removeAll(keepingCapacity: true)
        runsAdded = 0
    }
}
