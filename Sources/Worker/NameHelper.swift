import CLinux
import CNames
import Glibc

/// Asks for the addresses of names in a process of its own: that may take its time, and what name servers answer is read
/// without the host's rights.
enum NameHelper {
    /// Where the answers go: `clinux_spawn` puts its first descriptor there.
    private static let answers: Int32 = 3
    /// "nobody"
    private static let user: UInt32 = 65534

    /// Writes a line for every address that is found, and leaves the process.
    static func run(_ names: [String]) -> Never {
        var stage: Int32 = 0
        guard clinux_no_new_privileges() == 0, clinux_set_dumpable(0) == 0,
            geteuid() != 0 || clinux_become(user, user, &stage) == 0
        else { _exit(WorkerExitStatus.refused) }
        // The host died, or lost its patience and closed its end: nobody wants to know any more.
        signal(SIGPIPE, SIG_DFL)
        let copies = names.map { strdup($0) }
        _exit(cnames_ask(copies, copies.count, answers) == 0 ? WorkerExitStatus.asked : WorkerExitStatus.refused)
    }
}
