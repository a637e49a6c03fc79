import Record
package import TaskModel

/// The kinds of entries that the catalog of systemd-journald explains (`Distribution/taskhost.catalog`). Their numbers never
/// change.
package enum LogMessage: String, NamedCases, Sendable {
    case hostStarted = "9fe5b0b55e0e4635941d94f5504d1aec"
    case hostStopped = "bbf0f45b0cf240f9abd5902203c76ff1"
    case started = "d2918c730d8a4b53baf2d01c1d3fc0d6"
    case ended = "f04907abadfd4eb481a0b4c859bf3c55"
    case expired = "34ad94c3679049629fc1d82f86c6ac09"
    case crashed = "bca5aedeb7044441aecca0132217cb28"
    case quarantined = "acc8caeeec714eb2991839b8567723d1"
    case manifestBroken = "71ce6469e40e4ebfaea3dd9863bce9be"
    case deviceOverride = "3cc0b197bd0a409eb9c0084eba369862"
    /// Entries could not be written.
    case entriesLost = "ab9442b9526f48c18031c1606c77518a"

    package init(_ outcome: Outcome) {
        self =
            switch outcome {
            case .expired: .expired
            case .crashed: .crashed
            default: .ended
            }
    }

    /// nil: lines of that kind have no number.
    init?(_ kind: JournalKind) {
        switch kind {
        case .hostStarted: self = .hostStarted
        case .hostStopped: self = .hostStopped
        case .quarantined: self = .quarantined
        case .manifestBroken: self = .manifestBroken
        case .deviceOverride: self = .deviceOverride
        default: return nil
        }
    }
}
