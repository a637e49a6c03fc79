import Conditions
import Linux
import Workers

/// Whether a host may move itself into a scope of systemd's.
struct ScopeWish {
    /// The host's folder in cgroup 2; nil: there is none.
    var folder: String?
    /// It was started from a shell.
    var hasTerminal: Bool
    /// A manager listens that it may ask.
    var hasManager: Bool

    static func current() -> ScopeWish {
        ScopeWish(
            folder: CgroupLayout.current().folders[.unified], hasTerminal: ControllingTerminal.isThere,
            hasManager: FileSystem.allows(.write, to: SystemdManager.socket))
    }

    /// A service stays where systemd put it: its unit can say `Delegate=yes`. A shell in a service, such as a desktop's
    /// terminal, is not its main process.
    var isSensible: Bool {
        guard hasManager, let folder else { return false }
        let unit = folder.split(separator: "/").last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }
        return hasTerminal || unit?.hasSuffix(".service") != true
    }
}
