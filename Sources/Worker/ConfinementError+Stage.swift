import Confining

extension ConfinementError.Step {
    /// Whether the worker's descriptors were in their places already when it failed.
    var isAfterDescriptors: Bool {
        switch self {
        case .limits, .user, .stateDirectory, .lifetime, .landlock, .filter: true
        case .signals, .privileges, .filterProgram, .placement, .session, .descriptors, .landlockMissing, .ruleset:
            false
        }
    }
}
