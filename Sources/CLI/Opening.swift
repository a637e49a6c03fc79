import Control
import Host
import Record

/// Opens a host for a verb, and maps its errors to exit statuses.
enum Opening {
    /// - Parameter terminal: receives a message about steps that take long.
    static func host(
        _ state: String, _ configuration: HostConfiguration, schedules: Bool = false, _ terminal: Terminal? = nil
    ) throws(Failure) -> Host {
        do throws(HostError) {
            return try Host(
                stateFolder: state, configuration: configuration, schedules: schedules,
                say: { terminal?.note("taskhost: \($0)") })
        } catch {
            throw Failure(status(of: error), error.sentence)
        }
    }

    /// The kind of state folder, for a verb that only reads.
    static func look(at state: String) throws(Failure) -> StateFolder.Sight {
        do throws(HostError) {
            return try StateFolder.look(at: state)
        } catch {
            throw Failure(status(of: error), error.sentence)
        }
    }

    static func status(of error: HostError) -> Int32 {
        switch error {
        case .stateIsHeld, .controlSocket(.served): ExitStatus.unreachable
        case .stateUnusable, .stateIsPublic, .stateIsUntrusted, .stateIsForeign, .stateUnreachable, .store,
            .recordIsHeld, .recordIsSilent, .controlSocket:
            ExitStatus.cannotCreate
        case .control: ExitStatus.usage
        case .system, .workerExecutableMissing: ExitStatus.ourBug
        }
    }
}
