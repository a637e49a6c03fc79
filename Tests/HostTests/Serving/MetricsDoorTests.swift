import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A daemon's metrics over TCP")
struct MetricsDoorTests {
    private static let secret = "correct-horse-battery"

    /// A daemon with that configuration, and the address of its metrics.
    private func serve(_ station: Station, _ settings: [String: Any]) throws -> (Daemon, String) {
        try station.configure("metrics", settings)
        let daemon = try Daemon(station)
        let match = try #require(daemon.program.errors.firstMatch(of: /serving metrics at (http:\S+)\/metrics/))
        return (daemon, String(match.1))
    }

    private func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// The status and the text of an answer.
    private func ask(_ address: String, _ words: String...) throws -> (status: String, text: String) {
        let command = try Command.run(
            "curl", ["-sS", "-w", "\n%{http_code}"] + words + [address])
        guard command.succeeded else { throw Problem("\(command)") }
        let lines = command.output.split(separator: "\n", omittingEmptySubsequences: false)
        return (String(lines.last ?? ""), lines.dropLast().joined(separator: "\n"))
    }

    @Test("are the ones of the control socket, and all that is answered there")
    func only() throws {
        let station = try Station()
        let noop = try station.add(fixture: "fixtures.noop").tasks[0]
        for host in ["127.0.0.1", "[::1]"] {
            let (daemon, address) = try serve(station, ["listen": "\(host):0"])
            _ = try station.start(["run", noop], manifests: false).finish()
            let answer = try ask("\(address)/metrics")
            #expect(answer.status == "200")
            let metrics = try Exposition(answer.text, isOpenMetrics: false)
            #expect(metrics.value("taskhost_runs_total", ["task": noop]) ?? 0 >= 1)
            for path in ["/v1/host", "/v1/events", "/v1/openapi.json", "/", "/metrics/"] {
                #expect(try ask(address + path).status == "404", "\(path)")
            }
            #expect(try ask("\(address)/metrics", "-X", "DELETE").status == "405")
            #expect(try ask("\(address)/v1/requests", "-X", "POST").status == "404")
            #expect(try ask("\(address)/metrics", "-H", "Host: evil.example").status == "403")
            #expect(try ask("\(address)/metrics", "-H", "Origin: http://evil.example").status == "403")
            #expect(try daemon.stop().status == 0)
        }
    }

    @Test("require the token of the file, whole and as it is")
    func token() throws {
        let station = try Station()
        try station.add(fixture: "fixtures.noop")
        let file = try station.folder.write("token", "\(Self.secret)\nnot this")
        try setMode(0o640, of: station.folder.file("token").path)
        let (daemon, address) = try serve(station, ["listen": "0.0.0.0:0", "token": file.path])
        let url = address.replacing("0.0.0.0", with: "127.0.0.1") + "/metrics"
        #expect(try ask(url, "-H", "Authorization: Bearer \(Self.secret)").status == "200")
        #expect(try ask(url, "-H", "Authorization: bearer  \(Self.secret)", "-H", "Host: a.example").status == "200")
        let wrong = [
            "", Self.secret, "Basic \(Self.secret)", "Bearer", "Bearer \(Self.secret)x", "Bearer \(Self.secret) x",
            "Bearer \(Self.secret.dropLast())", "Bearer \(Self.secret)\(Self.secret)", "Bearer not this",
        ]
        for value in wrong {
            let answer = try ask(url, "-i", "-H", "Authorization: \(value)")
            #expect(answer.status == "401" && answer.text.contains("WWW-Authenticate: Bearer"), "\(value)")
            #expect(!answer.text.contains("taskhost_"))
        }
        #expect(try ask("\(url)/other").status == "401")
        #expect(try daemon.stop().status == 0)
    }

    @Test("are not served with a token that is none, or that others can read")
    func badToken() throws {
        let station = try Station()
        try station.add(fixture: "fixtures.noop")
        let path = station.folder.file("token").path
        try station.configure("metrics", ["listen": "127.0.0.1:0", "token": path])
        func refusal() throws -> Command { try station.start(["serve"]).finish() }
        #expect(try refusal().errors.contains("it does not exist"))
        try station.folder.write("token", Self.secret)
        try setMode(0o644, of: station.folder.file("token").path)
        #expect(try refusal().errors.contains("chmod o-r"))
        try setMode(0o620, of: station.folder.file("token").path)
        #expect(try refusal().errors.contains("can be written by others"))
        for text in ["", "short", "sixteen and more letters", String(repeating: "x", count: 513)] {
            try station.folder.write("token", text)
            try setMode(0o600, of: station.folder.file("token").path)
            let command = try refusal()
            #expect(command.status == 65 && command.errors.contains("its first line is no token"), "\(command)")
        }
    }

    @Test("have room for a scraper beside those that hang, and runs do not wait for any")
    func hanging() throws {
        let station = try Station()
        let noop = try station.add(fixture: "fixtures.noop").tasks[0]
        let (daemon, address) = try serve(station, ["listen": "127.0.0.1:0"])
        let port = try #require(address.split(separator: ":").last)
        // More than have room, and half a request: the first of them is cut for the last.
        let script = """
            import socket, sys, time
            hung = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(17)]
            assert hung[0].recv(1) == b""
            for s in hung[1:]: s.sendall(b"GET /metrics HTTP/1.1\\r\\nHost")
            print("hung", flush=True)
            time.sleep(600)
            """
        let hung = try Program("python3", ["-c", script, String(port)])
        try hung.wait(forText: "hung")
        for _ in 0..<3 { _ = try station.start(["run", noop], manifests: false).finish() }
        #expect(try station.history().map(\.outcome) == Array(repeating: "succeeded", count: 3))
        // Until the first of them is cut there is no room.
        let words = ["-sS", "--fail", "--retry", "30", "--retry-delay", "1", "\(address)/metrics"]
        let command = try Command.run("curl", words)
        #expect(command.succeeded && command.output.contains("taskhost_runs_total"), "\(command)")
        try hung.signal(SIGKILL)
        #expect(try daemon.stop().status == 0)
    }
}
