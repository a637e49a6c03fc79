import Glibc

/// The keys of the terminal on standard input, one by one and not echoed, until `giveBack`.
package struct TerminalKeys: ~Copyable {
    private var before: termios

    /// nil: standard input is not a terminal.
    package init?() {
        var settings = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// Restores the terminal.
    package mutating func giveBack() { unsafe tcsetattr(STDIN_FILENO, TCSANOW, &before) }
}
