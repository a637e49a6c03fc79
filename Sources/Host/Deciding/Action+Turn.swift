import Engine

// What a turn asks of its actions.
extension Action {
    /// It waits until the turn is durable.
    var isEffect: Bool { if case .effect = self { true } else { false } }

    /// It adds a run to the record.
    var addsRun: Bool { if case .write(.insert) = self { true } else { false } }

    /// A process hears of it.
    var isTold: Bool {
        switch self {
        case .write: false
        case .urgent: true
        case .effect(let effect):
            switch effect {
            case .start, .state, .expireAssertions, .terminate, .kill, .handleSessionEvents, .thaw: true
            case .expired, .setDeadline, .freeze, .allowSleep, .limitMemory, .meter, .weigh, .examine, .meterSpace,
                .weighFolders, .sweep, .reply, .retire:
                false
            }
        }
    }
}
