import CLinux
package import Foundation
import Glibc
import Linux

/// A program that runs beside the test, which reads what it prints and waits for its end, always with a bound.
///
/// The end is the process's own: output stops there, whatever the program leaves behind to hold its pipes. A program is
/// killed with its last reference. *Thread*: one at a time.
package final class Program {
    package let pid: Int32
    private let process: ProcessHandle
    private var pipes: [Pipe]
    private var hasEnded = false

    /// For debug builds of hosts: no pressure, thermal zones, power supplies, and no system bus.
    private static let silentMachine = [
        "TASKHOST_DEVICE_ROOT": "/nonexistent", "TASKHOST_SENDMAIL": "/nonexistent",
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus",
    ]

    /// F_SETPIPE_SZ of <fcntl.h>, which the module leaves out.
    private static let setPipeSize: Int32 = 1031

    /// What one descriptor of the program wrote.
    private struct Pipe {
        var descriptor: Int32
        var bytes: [UInt8] = []
    }

    /// Starts `program`, a path or a name for the shell's search. It has no descriptor but its input and outputs.
    ///
    /// - Parameters:
    ///   - folder: where it starts; nil: here.
    ///   - environment: what it sees beside this process's own variables. Hosts take the machine for one that reports
    ///     nothing about itself unless it says otherwise: what else runs here must not decide what they do.
    ///   - keepsErrorsApart: else both outputs are read as one.
    ///   - room: bytes that it may print before the test has to read; nil: 64 KiB.
    package init(
        _ program: String, _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:],
        keepsErrorsApart: Bool = false, room: Int32? = nil
    ) throws {
        var ends: [(read: Int32, write: Int32)] = []
        // The program has copies of the writing ends from here on.
        defer { for end in ends { close(end.write) } }
        for _ in 0..<(keepsErrorsApart ? 2 : 1) {
            var pair: [Int32] = [-1, -1]
            try check(clinux_pipe(&pair, 0), "pipe2")
            ends.append((pair[0], pair[1]))
        }
        pipes = ends.map { Pipe(descriptor: $0.read) }
        for pipe in pipes { _ = fcntl(pipe.descriptor, F_SETFL, O_NONBLOCK) }
        if let room { for pipe in pipes { _ = fcntl(pipe.descriptor, Self.setPipeSize, room) } }
        let variables = ProcessInfo.processInfo.environment.merging(Self.silentMachine) { $1 }
            .merging(environment) { $1 }.map { "\($0)=\($1)" }
        // env enters a folder and becomes the program: the process stays the same.
        let words = (folder.map { ["env", "-C", $0.path] } ?? []) + [program] + arguments
        pid = try Self.spawn(words, variables, output: ends[0].write, errors: ends[ends.count - 1].write)
        // It is not reaped yet: the number is still its own.
        process = try ProcessHandle(opening: pid)
    }

    deinit {
        if !hasEnded {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        for pipe in pipes { close(pipe.descriptor) }
    }

    private static func spawn(
        _ words: [String], _ variables: [String], output: Int32, errors: Int32
    ) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        // Foundation opens files without FD_CLOEXEC: one that another thread writes now would stay open for writing until this
        // program ends, and be executed by nobody; whoever watches it would hear of its end then.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A new process group, and the signals as a shell gives them: the test runner may have blocked some.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let arguments = words.map { strdup($0) } + [nil]
        let environment = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var pid: pid_t = 0
        let failure = posix_spawnp(&pid, words[0], &actions, &attributes, arguments, environment)
        guard failure == 0 else { throw Problem("\(words[0]): \(String(cString: strerror(failure)))") }
        return pid
    }

    // MARK: While it runs

    /// Everything read so far: of standard output, or of both when they are one.
    package var output: String { String(decoding: pipes[0].bytes, as: UTF8.self) }
    package var errors: String { pipes.count > 1 ? String(decoding: pipes[1].bytes, as: UTF8.self) : "" }

    package func signal(_ number: Int32) throws { try process.signal(Signal(rawValue: number)) }

    /// Signals its whole process group, as a terminal does.
    package func signalGroup(_ number: Int32) { _ = kill(-pid, number) }

    /// Takes what it has printed up to now.
    package func look() { for index in pipes.indices { read(index) } }

    /// Waits until it has printed `text`, `count` times at least.
    package func wait(forText text: String, count: Int = 1) throws {
        let hasPrinted = { self.pipes.contains { String(decoding: $0.bytes, as: UTF8.self).count(of: text) >= count } }
        try wait(for: "\"\(text)\"") { hasPrinted() }
    }

    /// Waits until `isDone` accepts what it has printed on standard output. `what` is for the error.
    package func wait(until isDone: (String) -> Bool, for what: String) throws {
        try wait(for: what) { isDone(output) }
    }

    // MARK: Its end

    /// Waits for its end; kills it, and fails, when that does not come in time.
    package func finish(patience: Patience = Patience()) throws -> Command {
        guard !hasEnded else { throw Problem("the program was waited for already") }
        try wait(for: "its end", patience: patience) { false }
        for index in pipes.indices { read(index) }
        var status: Int32 = 0
        guard waitpid(pid, &status, 0) == pid else { throw Problem("waitpid: \(String(cString: strerror(errno)))") }
        hasEnded = true
        // As WIFSIGNALED and its like in <sys/wait.h>, which are macros.
        let signal = status & 0x7f
        return Command(
            status: signal == 0 ? status >> 8 & 0xff : -1, signal: signal == 0 ? nil : signal, output: output,
            errors: errors)
    }

    /// Reads until `isDone` says so or the program has ended; fails when it ends too early or too late.
    private func wait(for what: String, patience: Patience = Patience(), until isDone: () -> Bool) throws {
        var patience = patience
        while !isDone() {
            var sources = pipes.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            sources.append(pollfd(fd: process.descriptor.number, events: Int16(POLLIN), revents: 0))
            guard let milliseconds = patience.milliseconds() else {
                let problem = Problem.vain(what, seen: "printed: \(output)\(errors)")
                kill(-pid, SIGKILL)
                throw problem
            }
            guard poll(&sources, nfds_t(sources.count), milliseconds) > 0 else { continue }
            for index in pipes.indices where sources[index].revents != 0 { read(index) }
            if sources[pipes.count].revents != 0 {
                for index in pipes.indices { read(index) }
                if isDone() || what == "its end" { return }
                throw Problem("the program ended before \(what); printed: \(output)\(errors)")
            }
        }
    }

    /// Takes what is there. The end of a pipe that the program closed shows as readable for ever: it is closed here too.
    private func read(_ index: Int) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while pipes[index].descriptor >= 0 {
            let count = Glibc.read(pipes[index].descriptor, &buffer, buffer.count)
            if count > 0 {
                pipes[index].bytes += buffer[0..<count]
            } else if count == 0 {
                close(pipes[index].descriptor)
                pipes[index].descriptor = -1  // poll passes it over
            } else if errno != EINTR {
                return
            }
        }
    }
}

extension String {
    /// How often it contains `text`, without overlaps.
    package func count(of text: String) -> Int { components(separatedBy: text).count - 1 }
}
