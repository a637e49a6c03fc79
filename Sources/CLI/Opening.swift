import Control
import Host
import Store

/// Opens a host for a verb, and says how its errors leave the program.
enum Opening {
    static func host(
        _ state: String, _ configuration: HostConfiguration, schedules: Bool = false
    ) throws(Failure) -> Host {
        do throws(HostError) {
            return try Host(stateFolder: state, configuration: configuration, schedules: schedules)
        } catch {
            throw Failure(status(of: error), error.sentence)
        }
    }

    static func status(of error: HostError) -> Int32 {
        switch error {
        case .stateIsHeld, .controlSocket(.served): ExitStatus.unreachable
        case .stateUnusable, .stateIsPublic, .stateUnreachable, .store, .controlSocket: ExitStatus.cannotCreate
        case .control: ExitStatus.usage
        case .system, .workerExecutableMissing: ExitStatus.ourBug
        }
    }
}
