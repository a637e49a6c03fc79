import CNames
import Linux

/// Resolves names in a separate process: resolving may take time, and answers of name servers are parsed without the host's
/// rights.
enum NameHelper {
    /// Where the answers go: `clinux_spawn` puts its first descriptor there.
    private static let answers: Int32 = 3
    /// "nobody"
    private static let user: UInt32 = 65534

    /// Writes a line for every address found, and exits.
    static func run(_ names: [String]) -> Never {
        do throws(SystemError) {
            try Sandbox.forbidNewPrivileges()
            try Sandbox.makeUndumpable()
            if ThisProcess.isRoot { try Sandbox.become(user: user, group: user) }
        } catch {
            ThisProcess.exitAtOnce(WorkerExitStatus.refused)
        }
        // The host died, or has closed its end after a timeout: the answers are no longer needed.
        Signal.restore(.SIGPIPE)
        let isAnswered = unsafe CTexts(names).with { unsafe cnames_ask($0, names.count, answers) == 0 }
        ThisProcess.exitAtOnce(isAnswered ? WorkerExitStatus.asked : WorkerExitStatus.refused)
    }
}
