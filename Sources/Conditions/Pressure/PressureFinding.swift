import TaskModel

/// The state of one pressure file.
package enum PressureFinding: Hashable, Sendable {
    /// It is not watched.
    case unwatched
    /// The kernel does not report it, with the reason.
    case unavailable(String)
    case nominal
    case high

    var answer: (Tristate, String) {
        switch self {
        case .unwatched: (.unknown, "unknown: not watched while no work minds it")
        case .unavailable(let why): (.unknown, "unknown: " + why)
        case .nominal: (.no, "PSI")
        case .high: (.yes, "PSI")
        }
    }
}
