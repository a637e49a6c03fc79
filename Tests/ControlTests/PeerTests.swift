import CLinux
import Control
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing

@Suite("Who may ask")
struct PeerTests {
    @Test("A user without access is refused before a byte is read")
    func noAccess() throws {
        let bench = try Bench(access: { _, _ in .none })
        let client = try bench.client()
        client.send(get("/a"))
        try bench.wait {
            client.read()
            return client.isAtEnd
        }
        #expect(client.statuses == [403])
        #expect(client.replies[0].body.contains("urn:taskhost:problem:no-access"))
        // Many of them are held open no longer than it takes to answer.
        let many = try (0..<40).map { _ in try bench.client() }
        try bench.wait {
            for client in many { client.read() }
            return many.allSatisfy(\.isAtEnd)
        }
        #expect(bench.handler.requests.isEmpty)
        #expect(bench.server.connectionCount == 0)
    }

    @Test("A flood of those without access holds no other client up, and gets few answers")
    func flood() throws {
        var asked = 0
        let bench = try Bench(access: { _, _ in
            asked += 1
            return asked <= 100 ? .none : .all
        })
        let strangers = try (0..<100).map { _ in try bench.client() }
        let own = try bench.client()
        own.send(get("/a"))
        var turns = 0
        try bench.wait {
            turns += 1
            return own.statuses == [200]
        }
        #expect(turns < 5)
        #expect(strangers.count { $0.statuses == [403] } <= 16)
        // Requests get their answers again.
        let late = try bench.client()
        late.send(get("/b"))
        try bench.wait { late.statuses == [200] }
    }

    @Test("A user who may only read gets answers to GET and HEAD alone")
    func readOnly() throws {
        let bench = try Bench(access: { _, _ in .read })
        #expect(try bench.ask(get("/a")).statuses == [200])
        #expect(bench.handler.requests[0].peer.access == .read)
        for method in ["POST", "PATCH", "DELETE"] {
            let client = try bench.ask("\(method) /a HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(client.statuses == [403])
            #expect(client.replies[0].body.contains("urn:taskhost:problem:read-only"))
        }
        #expect(bench.handler.requests.count == 1)
    }

    @Test(
        "The kernel says who asks, even through a socket that every user may open",
        .enabled(if: geteuid() == 0, "only root becomes another user"))
    func otherUser() throws {
        var asked: [UInt32] = []
        let bench = try Bench(access: { user, _ in
            asked.append(user)
            return user == 0 ? .all : .none
        })
        try FileSystem.changeMode(bench.folder + "/control.sock", 0o666)
        let script = """
            import os, socket, sys
            os.setgroups([]); os.setgid(65534); os.setuid(65534)
            client = socket.socket(socket.AF_UNIX)
            client.connect(sys.argv[1])
            client.sendall(b"GET /a HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n")
            print(client.recv(65536).decode())
            """
        let nobody = try Program("python3", ["-c", script, bench.folder + "/control.sock"])
        try bench.wait { !asked.isEmpty }
        let seen = try nobody.finish()
        #expect(asked == [65534])
        #expect(seen.output.hasPrefix("HTTP/1.1 403 "), "\(seen.output)")
        #expect(bench.handler.requests.isEmpty)
        #expect(try bench.ask(get("/a")).statuses == [200])
    }
}

@Suite("The control socket")
struct ControlSocketTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = try FileSystem.makeTemporaryFolder("/tmp/taskhost-socket-")
        defer { try? FileSystem.removeTree(folder) }
        try body(folder)
    }

    @Test("is its owner's alone from the beginning, and goes when it is closed")
    func ownersAlone() throws {
        try withFolder { folder in
            let socket = try ControlSocket.open(inState: folder)
            let facts = try FileSystem.facts(ofPath: folder + "/control.sock")
            #expect(facts.mode & 0o777 == 0o600)
            #expect(facts.isSocket)
            socket.close()
            #expect(try FileSystem.names(in: folder) == [])
        }
    }

    @Test("replaces what a dead host left, and nothing else")
    func stale() throws {
        try withFolder { folder in
            let dead = try check(clinux_unix_listen(folder + "/control.sock", 0o600, 1), "bind")
            close(dead)
            let socket = try ControlSocket.open(inState: folder)
            #expect(throws: ControlSocketError.served(path: folder + "/control.sock")) {
                try ControlSocket.open(inState: folder)
            }
            // The file of another is not removed.
            unlink(folder + "/control.sock")
            let other = try ControlSocket.open(inState: folder)
            socket.close()
            #expect(try FileSystem.names(in: folder) == ["control.sock"])
            other.close()
            mkdir(folder + "/control.sock", 0o700)
            #expect(throws: ControlSocketError.notASocket(path: folder + "/control.sock")) {
                try ControlSocket.open(inState: folder)
            }
            rmdir(folder + "/control.sock")
        }
    }

    @Test("of another user is refused", .enabled(if: geteuid() == 0, "only root gives files away"))
    func foreign() throws {
        try withFolder { folder in
            let dead = try check(clinux_unix_listen(folder + "/control.sock", 0o600, 1), "bind")
            close(dead)
            try FileSystem.changeOwner(folder + "/control.sock", user: 65534, group: 65534)
            #expect(throws: ControlSocketError.foreign(path: folder + "/control.sock")) {
                try ControlSocket.open(inState: folder)
            }
        }
    }

    @Test("can be in folders with paths longer than a socket's address")
    func longPath() throws {
        try withFolder { folder in
            let deep = folder + "/" + String(repeating: "x", count: 100) + "/" + String(repeating: "y", count: 100)
            try FileSystem.makeFolders(deep, mode: 0o700)
            let socket = try ControlSocket.open(inState: deep)
            _ = try RawClient(deep)
            socket.close()
        }
    }

    @Test("that was inherited blocking does not block the loop, and its file stays")
    func activated() throws {
        try withFolder { folder in
            let path = folder + "/own.sock"
            let number = try check(clinux_unix_listen(path, 0o600, 8), "bind")
            _ = fcntl(number, F_SETFL, 0)
            let handler = ScriptedHandler()
            let server = ControlServer(
                listeners: [try ControlSocket(activated: Descriptor(adopting: number))], handler: handler,
                access: { _, _ in .all })
            let loop = try TestLoop(server)
            #expect(try !loop.run(for: .milliseconds(20)) { false })
            server.close()
            #expect(try FileSystem.names(in: folder) == ["own.sock"])
        }
    }
}
