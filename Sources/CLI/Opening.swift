import Control
import Setting

/// Maps the errors of a host to exit statuses.
enum Opening {
    /// The kind of state folder, for a verb that only reads.
    static func look(at state: String) throws(Failure) -> StateFolder.Sight {
        try asFailure { () throws(HostError) in try StateFolder.look(at: state) }
    }

    /// Does something with a host; its errors end the program.
    static func asFailure<Result>(_ work: () throws(HostError) -> Result) throws(Failure) -> Result {
        do throws(HostError) {
            return try work()
        } catch {
            throw failure(error)
        }
    }

    static func failure(_ error: HostError) -> Failure { Failure(status(of: error), error.sentence) }

    private static func status(of error: HostError) -> Int32 {
        switch error {
        case .stateIsHeld, .controlSocket(.served): ExitStatus.unreachable
        case .stateUnusable, .stateIsPublic, .stateIsUntrusted, .stateIsForeign, .stateUnreachable,
            .recordIsMissing, .store, .recordIsHeld, .recordIsSilent, .controlSocket, .metricsPlace:
            ExitStatus.cannotCreate
        case .metricsToken: ExitStatus.badManifest
        case .control: ExitStatus.usage
        case .system, .workerExecutableMissing: ExitStatus.ourBug
        }
    }
}
