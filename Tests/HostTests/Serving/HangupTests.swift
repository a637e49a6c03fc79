import Foundation
import Glibc
import TestSupport
import Testing

@Suite("SIGHUP at a daemon")
struct HangupTests {
    /// Starts the program with its own terminal, which hangs up once it serves; prints its exit status.
    private static let withTerminal = """
        import os, pty, sys
        child, terminal = pty.fork()
        if child == 0: os.execv(sys.argv[1], sys.argv[1:])
        said = b""
        while b"taskhost: serving" not in said: said += os.read(terminal, 4096)
        os.close(terminal)
        print("ended with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        """
    /// Starts the program without one, even where the tests have one.
    private static let withoutTerminal = """
        import ctypes, os, sys
        child = os.fork()
        if child: os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        os.setsid()
        ctypes.CDLL(None).prctl(1, 15)  # not without the one above
        print("process", os.getpid(), flush=True)
        os.execv(sys.argv[1], sys.argv[1:])
        """

    @Test("reads the manifests again where no terminal can go away, as often as it is sent")
    func reloads() throws {
        let station = try Station()
        try station.add(fixture: "fixtures.noop")
        station.starter = ["/usr/bin/python3", "-c", Self.withoutTerminal]
        let program = try station.start(["serve"])
        try program.wait(forText: "taskhost: serving ")
        let line = program.output.split(separator: "\n").first { $0.hasPrefix("process ") }
        let pid = try #require(line.flatMap { Int32($0.dropFirst(8)) })
        for count in 1...3 {
            kill(pid, SIGHUP)
            try program.wait(forText: "read the manifests again: ", count: count)
        }
        kill(pid, SIGTERM)
        #expect(try program.finish().status == 0)
        station.expectNothingLeft()
    }

    @Test("is the end where the terminal that it was started from has gone")
    func stops() throws {
        let station = try Station()
        try station.add(fixture: "fixtures.noop")
        station.starter = ["/usr/bin/python3", "-c", Self.withTerminal]
        let program = try station.start(["serve"])
        let command = try program.finish()
        #expect(command.output.contains("ended with 0"), "\(command)")
        station.starter = []
        #expect(try station.start(["journal"]).finish().output.contains("hostStopped"))
        station.expectNothingLeft()
    }
}
