import Foundation
import TestSupport

/// `taskhost` on a pseudo-terminal, with what a user types there.
struct TerminalDialog: Decodable {
    /// Waits until `shows`, a regular expression, is found on the terminal; then does the rest.
    struct Step: Encodable {
        var shows: String
        var type = ""
        /// For the whole group, as a terminal does.
        var signal: Int32?
        var columns: Int?
        /// Waits until the program has been stopped, then continues it.
        var stops = false
    }

    /// What the terminal showed when each step was waited for: the last whole picture, or everything of what draws none.
    var screens: [String]
    var output: String
    var status: Int32

    /// Python's is the pseudo-terminal that the other tests use.
    private static let script = #"""
        import fcntl, json, os, pty, re, signal, struct, sys, termios
        job = json.loads(sys.argv[1])
        signal.pthread_sigmask(signal.SIG_SETMASK, [])  # the test runner may have blocked some
        pid, terminal = pty.fork()
        def resize(columns):
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", job["rows"], columns, 0, 0))
        if pid == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("4H", job["rows"], job["columns"], 0, 0))
            os.environ.update(TERM="xterm", TZ="UTC")
            os.execv(job["words"][0], job["words"])
        seen = ""
        def screen():
            pictures = [p for p in seen.split("\x1b[H")[1:] if "\x1b[J" in p]
            if "\x1b[H" not in seen: return seen
            return re.sub(r"\x1b\[[?0-9]*[A-Za-z]", "", pictures[-1] if pictures else "").replace("\r", "")
        def read():
            global seen
            part = os.read(terminal, 65536)
            seen += part.decode(errors="replace")
            return part
        screens = []
        def late(*_): sys.exit("waited in vain; " + json.dumps(step) + ":\n" + seen)
        signal.signal(signal.SIGALRM, late)
        signal.alarm(job["patience"])
        for step in job["steps"]:
            try:
                while not re.search(step["shows"], screen(), re.M): read()
            except OSError: sys.exit("it ended before " + step["shows"] + ":\n" + seen)
            screens.append(screen())
            if step.get("columns"): resize(step["columns"])
            if step.get("signal"): os.killpg(pid, step["signal"])
            os.write(terminal, step["type"].encode())
            if step["stops"]:
                _, status = os.waitpid(pid, os.WUNTRACED)
                if not os.WIFSTOPPED(status): sys.exit("it was not stopped")
                os.kill(pid, signal.SIGCONT)
        try:
            while read(): pass
        except OSError: pass
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        print(json.dumps({"screens": screens, "output": seen, "status": status}))
        """#

    private struct Job: Encodable {
        var words: [String]
        var columns: Int
        var rows: Int
        var steps: [Step]
        var patience = Patience.seconds
    }

    /// - Parameter words: the program and its arguments.
    static func run(_ words: [String], columns: Int = 100, rows: Int = 24, _ steps: [Step]) throws -> TerminalDialog {
        let job = try JSONEncoder().encode(Job(words: words, columns: columns, rows: rows, steps: steps))
        let tool = try Tool.execute("/usr/bin/python3", ["-c", script, String(decoding: job, as: UTF8.self)])
        guard tool.status == 0 else { throw Problem("\(tool.errors)\(tool.output)") }
        return try JSONDecoder().decode(TerminalDialog.self, from: Data(tool.output.utf8))
    }
}
