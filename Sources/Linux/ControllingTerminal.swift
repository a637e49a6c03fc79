import Glibc

/// The terminal that this process was started from.
package enum ControllingTerminal {
    /// Whether there is one now; one that hung up is none (credentials(7)).
    package static var isThere: Bool {
        let terminal = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        if terminal >= 0 { close(terminal) }
        return terminal >= 0
    }
}
