import Foundation
import Glibc
import TestSupport
import Testing

/// Unix sockets that a confined program is granted, and all others, for a root host's user and an ordinary user's host.
@Suite("A confined program with Unix sockets")
struct SocketGrantTests {
    private static let task = "com.example.sockets"

    /// A folder with servers, and a station for programs that talk to them.
    private final class Bench {
        let station: Station
        let folder: TestSupport.Folder
        let path: String
        private let user: String?
        private var servers: [Program] = []

        init(_ host: String?) throws {
            folder = try TestSupport.Folder()
            path = folder.realPath
            (station, user) =
                Machine.isRoot
                ? host == nil ? (try Station(), "nobody") : (try Station(user: Machine.nobody), nil)
                : (try Station(), nil)
            try shell("mkdir s open; chmod 755 . s; chmod 777 open")
        }

        func shell(_ script: String) throws {
            let command = try Command.run("sh", ["-c", script], in: URL(filePath: path))
            guard command.succeeded else { throw Problem("\(script): \(command)") }
        }

        /// A server that writes what comes to `NAME.got`, and answers `got N` on streams.
        func serve(_ name: String, _ type: String) throws {
            let code = """
                import os, socket, sys
                kind = getattr(socket, "SOCK_" + sys.argv[2])
                server = socket.socket(socket.AF_UNIX, kind)
                server.bind(sys.argv[1])
                os.chmod(sys.argv[1], 0o666)
                if kind != socket.SOCK_DGRAM: server.listen()
                print("ready", flush=True)
                while True:
                    if kind == socket.SOCK_DGRAM: data = server.recv(65536)
                    else:
                        peer, _ = server.accept()
                        data = peer.recv(65536)
                        uid = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)[4:8]
                        peer.sendall(b"got %d from %d" % (len(data), int.from_bytes(uid, "little")))
                        peer.close()
                    with open(sys.argv[1] + ".got", "ab") as file: file.write(data + b"\\n")
                    print("one", flush=True)
                """
            let server = try Program("python3", ["-c", code, "\(path)/s/\(name)", type])
            try server.wait(forText: "ready")
            servers.append(server)
        }

        deinit { for server in servers { try? server.signal(SIGKILL) } }

        /// Of the server that was started last.
        func awaitOne() throws { try #require(servers.last).wait(forText: "one") }

        func got(_ name: String) -> String {
            (try? String(contentsOfFile: "\(path)/s/\(name).got", encoding: .utf8)) ?? ""
        }

        /// What a script of Python's printed with these sockets granted.
        func run(
            _ script: String, sockets: [String], more: [String: Any] = [:], environment: [String: String] = [:],
            outcome: String = "succeeded"
        ) throws -> String {
            var permissions: [String: Any] = ["sockets": sockets, "write": ["\(path)/open"]]
            permissions.merge(more) { $1 }
            var members: [String: Any] = [
                "identifier": SocketGrantTests.task, "enforcement": "bestEffort", "permissions": permissions,
                "tasks": [
                    SocketGrantTests.task: [
                        "kind": "processing",
                        "handler": ["command": ["/usr/bin/python3", "-c", script], "environment": environment]
                            as [String: Any],
                        "budget": ["wallClock": "1m"],
                    ] as [String: Any]
                ],
            ]
            if let user { members["user"] = user }
            try station.add(ManifestText(members: members))
            let report = try station.run(SocketGrantTests.task)
            let run = try #require(report[SocketGrantTests.task], "\(report.command)")
            let text = try station.logs(run).text
            #expect(run.outcome == outcome, "\(run) \(text)")
            return text + run.diagnostics.joined(separator: "\n")
        }
    }

    static let hosts: [String?] = Machine.isRoot ? [nil, "nobody"] : [nil]
    private static let talk = """
        import os, socket, sys
        def talk(path, kind=socket.SOCK_STREAM, data=b"hello"):
            s = socket.socket(socket.AF_UNIX, kind)
            try: s.connect(path)
            except OSError as e: return os.strerror(e.errno)
            s.send(data)
            return "sent" if kind == socket.SOCK_DGRAM else s.recv(100).decode()

        """

    @Test("talks to them as its user, by streams and by datagrams, and to no others", arguments: hosts)
    func granted(_ host: String?) throws {
        let bench = try Bench(host)
        for (name, type) in [("stream", "STREAM"), ("other", "STREAM"), ("sequence", "SEQPACKET"), ("log", "DGRAM")] {
            try bench.serve(name, type)
        }
        let folder = bench.path + "/s"
        let script =
            Self.talk + """
                os.chdir("\(folder)")
                print(talk("\(folder)/stream")); print(talk("stream")); print(talk("../s/./stream"))
                print(talk("\(folder)/sequence", socket.SOCK_SEQPACKET)); print(talk("\(folder)/log", socket.SOCK_DGRAM))
                print(talk("\(folder)/other")); print(talk("\(folder)/none")); print(talk("\\0abstract")); print(talk("\(folder)/log"))
                """
        let text = try bench.run(script, sockets: ["stream", "sequence", "log"].map { "\(folder)/\($0)" })
        let lines = text.split(separator: "\n").map(String.init)
        let user = Machine.isRoot ? Machine.nobody : getuid()
        let got = "got 5 from \(user)"
        #expect(
            Array(lines.prefix(9)) == [
                got, got, got, got, "sent", "Permission denied", "No such file or directory", "Permission denied",
                "Protocol wrong type for socket",
            ], "\(text)")
        try bench.awaitOne()
        #expect(bench.got("log") == "hello\n" && bench.got("other").isEmpty)
        bench.station.expectNothingLeft()
    }

    @Test("reaches none by a message's own address, a link, a pair, another number or another thread", arguments: hosts)
    func attacks(_ host: String?) throws {
        let bench = try Bench(host)
        for (name, type) in [("log", "DGRAM"), ("secret", "DGRAM"), ("stream", "STREAM"), ("closed", "STREAM")] {
            try bench.serve(name, type)
        }
        let folder = bench.path + "/s"
        let control = bench.station.state + "/control.sock"
        let script =
            Self.talk + """
                import threading, ctypes
                def attempt(name, body):
                    try: print(name, body())
                    except OSError as e: print(name, "refused")
                log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                attempt("unconnected", lambda: log.sendto(b"x", "\(folder)/secret"))
                attempt("message", lambda: log.sendmsg([b"x"], [], 0, "\(folder)/secret"))
                log.connect("\(folder)/log")
                attempt("to", lambda: log.sendto(b"x", "\(folder)/secret"))
                # The address is of no effect: it goes where the connection leads.
                attempt("named", lambda: log.sendmsg([b"x"], [], 0, "\(folder)/secret"))
                attempt("bind", lambda: log.bind("\(bench.path)/open/mine"))
                attempt("pair", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
                attempt("inet", lambda: socket.socket(socket.AF_INET))
                attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
                os.symlink("\(folder)/closed", "\(bench.path)/open/link")
                attempt("link", lambda: talk("\(bench.path)/open/link"))
                os.rename("\(bench.path)/open/link", "\(bench.path)/open/granted")
                attempt("granted", lambda: talk("\(bench.path)/open/granted"))
                attempt("control", lambda: talk("\(control)"))
                for bus in ("/run/dbus/system_bus_socket", "/run/user/%d/bus" % os.getuid()): attempt("bus", lambda: talk(bus))
                # The path changes while the broker looks at it.
                good = b"\\x01\\x00\(folder)/stream\\0".ljust(110, b"\\0")
                bad = b"\\x01\\x00\(folder)/closed\\0".ljust(110, b"\\0")
                room = ctypes.create_string_buffer(110)
                libc = ctypes.CDLL(None, use_errno=True)
                done = False
                def flip():
                    while not done:
                        ctypes.memmove(room, bad, 110); ctypes.memmove(room, good, 110)
                thread = threading.Thread(target=flip); thread.start()
                reached = 0
                for i in range(300):
                    s = socket.socket(socket.AF_UNIX)
                    if libc.connect(s.fileno(), room, 110) == 0: reached += 1; s.send(b"race"); s.recv(100)
                    s.close()
                done = True; thread.join()
                print("race over")
                """
        let text = try bench.run(
            script, sockets: ["\(folder)/log", "\(folder)/stream", "\(bench.path)/open/granted"])
        for line in text.split(separator: "\n") where line != "race over" && line != "named 1" && !line.isEmpty {
            let isHeld =
                line.hasSuffix("refused") || line.hasSuffix("Permission denied")
                || line.hasSuffix("No such file or directory")
            #expect(isHeld, "\(line)")
        }
        #expect(text.contains("race over"), "\(text)")
        #expect(bench.got("secret").isEmpty && bench.got("closed").isEmpty)
        bench.station.expectNothingLeft()
    }

    @Test("is confined in everything else as without them", arguments: hosts)
    func confined(_ host: String?) throws {
        let bench = try Bench(host)
        try bench.shell("echo secret >s/secret; chmod 644 s/secret")
        let script = """
            import os, ctypes
            def attempt(name, body):
                try: body(); print(name, "done")
                except OSError as e: print(name, "refused")
            attempt("read", lambda: open("\(bench.path)/s/secret").read())
            attempt("write", lambda: open("\(bench.path)/new", "w"))
            attempt("own", lambda: open("\(bench.path)/open/new", "w"))
            attempt("state", lambda: open(os.environ["TASKHOST_STATE"] + "/x", "w"))
            attempt("program", lambda: os.execv("\(bench.path)/s/secret", ["x"]))
            libc = ctypes.CDLL(None, use_errno=True)
            print("unshare", libc.unshare(0x10000000), "ptrace", libc.ptrace(16, os.getppid(), 0, 0))
            print(open("/proc/self/status").read().split("NoNewPrivs:")[1].split()[0], os.getcwd() == os.environ["TASKHOST_STATE"])
            try: open("/proc/%d/mem" % os.getppid(), "rb"); print("memory")
            except OSError: pass
            print("limit", __import__("resource").getrlimit(7)[1])
            """
        let text = try bench.run(script, sockets: ["\(bench.path)/s/none"])
        for line in [
            "read refused", "write refused", "own done", "state done", "unshare -1 ptrace -1", "1 True", "limit 256",
        ] {
            #expect(text.contains(line), "\(line): \(text)")
        }
        #expect(!text.contains("memory"), "\(text)")
        let run = try bench.station.show(try #require(try bench.station.history().first))
        #expect(run.confinement?.contains("Landlock") == true, "\(run)")
    }

    @Test("ends by its own status and signal, and is refused where there is none of that name")
    func ends() throws {
        let bench = try Bench(nil)
        _ = try bench.run("import sys; sys.exit(3)", sockets: ["/run/none"], outcome: "failed")
        #expect(try bench.station.history().first?.exitStatus == 3)
        _ = try bench.run("import os; os.kill(os.getpid(), 9)", sockets: ["/run/none"], outcome: "crashed")
        _ = try bench.run(
            "import time; time.sleep(100)", sockets: ["\(bench.station.state)/control.sock"], outcome: "refused")
    }

    @Test("may print its arguments, environment and input as ever")
    func streams() throws {
        let bench = try Bench(nil)
        let text = try bench.run(
            "import os, sys; print(sys.stdin.read() == '', os.environ['TASKHOST_TASK'], oct(os.umask(0))); os.write(3, b'PROGRESS=1/2\\n')",
            sockets: ["/run/none"])
        #expect(text.contains("True \(Self.task) 0o77"), "\(text)")
    }

    @Test("loses no datagram to a receiver that is slower", arguments: hosts)
    func burst(_ host: String?) throws {
        let bench = try Bench(host)
        try bench.serve("log", "DGRAM")
        let script =
            Self.talk + """
                s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                s.connect("\(bench.path)/s/log")
                for i in range(1000): s.send(b"%d" % i)
                """
        _ = try bench.run(script, sockets: ["\(bench.path)/s/log"])
        var patience = Patience()
        while bench.got("log").split(separator: "\n").count < 1000, patience.milliseconds() != nil { usleep(1000) }
        #expect(bench.got("log").split(separator: "\n") == (0..<1000).map { "\($0)" })
    }

    @Test("gives its variables to nobody but itself: what confines it loads no code of its", arguments: hosts)
    func variables(_ host: String?) throws {
        let bench = try Bench(host)
        try bench.serve("stream", "STREAM")
        // ld.so(8) tells what each program loads that has the variable; none of the system's loads libseccomp.
        let text = try bench.run(
            Self.talk + "print(talk('\(bench.path)/s/stream'))", sockets: ["\(bench.path)/s/stream"],
            environment: ["LD_DEBUG": "files"])
        #expect(text.contains("libc.so.6") && text.contains("got 5 from"), "\(text.suffix(2000))")
        #expect(!text.contains("libseccomp") && !text.contains("taskhost-worker"), "\(text.suffix(2000))")
    }
}
