import CNames
import Linux

/// Asks for the addresses of names in a process of its own: that may take its time, and what name servers answer is read
/// without the host's rights.
enum NameHelper {
    /// Where the answers go: `clinux_spawn` puts its first descriptor there.
    private static let answers: Int32 = 3
    /// "nobody"
    private static let user: UInt32 = 65534

    /// Writes a line for every address that is found, and leaves the process.
    static func run(_ names: [String]) -> Never {
        do throws(SystemError) {
            try Sandbox.forbidNewPrivileges()
            try Sandbox.makeUndumpable()
            if ThisProcess.isRoot { try Sandbox.become(user: user, group: user) }
        } catch {
            ThisProcess.exitAtOnce(WorkerExitStatus.refused)
        }
        // The host died, or lost its patience and closed its end: nobody wants to know any more.
        Signal.restore(.SIGPIPE)
        let isAnswered = unsafe CTexts(names).with { unsafe cnames_ask($0, names.count, answers) == 0 }
        ThisProcess.exitAtOnce(isAnswered ? WorkerExitStatus.asked : WorkerExitStatus.refused)
    }
}
