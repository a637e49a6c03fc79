/// Facts that a worker noticed about a run, for the user. The numbers are sent on the wire.
package enum DiagnosticCode: UInt8, CaseIterable, Sendable {
    case completedTwice = 1
    case completedAfterEnd = 2
    case noExpirationHandler = 3
    case overReleased = 4
    case usedAfterRelease = 5
    case badDeferral = 6

    /// - Parameter reason: why the run expired; nil: it has not.
    package func sentence(because reason: Reason?) -> String {
        guard self == .noExpirationHandler, let reason, reason != .budget else { return sentence }
        return Self.noHandler + "when the run expired (\(reason.name)); the run was completed as failed"
    }

    private static let noHandler = "no expiration handler was set "

    /// A sentence about a run that lacked an expiration handler.
    package static func isAboutLackOfHandler(_ sentence: String) -> Bool { sentence.hasPrefix(noHandler) }

    package var sentence: String {
        switch self {
        case .completedTwice: "setTaskCompleted was called more than once; the first call counted"
        case .completedAfterEnd: "setTaskCompleted was called after the run had ended; it counted for nothing"
        case .noExpirationHandler:
            Self.noHandler + "when the budget ran out; the run was completed as failed"
        case .usedAfterRelease: "the task was used after its last reference had been released"
        case .overReleased: "the task was released more often than it was retained"
        case .badDeferral:
            "a wish to be called again later was refused, for it was for less than 1 second, for more than 7 days or for "
                + "no number at all; the run continued; ask for 1 to 604,800 seconds"
        }
    }
}
