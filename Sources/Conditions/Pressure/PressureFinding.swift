import TaskModel

/// What is known of one pressure file.
package enum PressureFinding: Hashable, Sendable {
    /// Nobody waits for it.
    case unwatched
    /// The kernel tells nothing, and why.
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
