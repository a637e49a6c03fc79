import Control
import Host
import Record

/// Opens a host for a verb, and maps its errors to exit statuses.
enum Opening {
    /// - Parameter terminal: receives a message about steps that take long.
    static func host(
        _ state: String, for stay: StateFolder.Stay = .lasting, _ configuration: HostConfiguration,
        schedules: Bool = false, allowsFaults: Bool = false, isVirtual: Bool = false, _ terminal: Terminal? = nil
    ) throws(Failure) -> Host {
        try asFailure { () throws(HostError) in
            try Host(
                stateFolder: state, for: stay, configuration: configuration, schedules: schedules,
                allowsFaults: allowsFaults, isVirtual: isVirtual,
                openRecord: isVirtual ? RecordOpening.openVirtual : RecordOpening.open,
                say: { terminal?.note("taskhost: \($0)") })
        }
    }

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
