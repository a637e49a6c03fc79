import Foundation
import TestSupport

/// `taskhost ui` on a station, and a browser's requests by curl.
final class BrowserPage {
    struct Reply {
        var status: Int
        var head: String
        var body: String

        subscript(key: String) -> String? {
            let document = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
            return document?[key] as? String
        }
    }

    let program: Program
    /// Such as `http://127.0.0.1:4711`.
    let address: String
    let token: String

    init(_ station: Station, _ words: String..., environment: [String: String] = [:]) throws {
        program = try station.start(["ui"] + words, environment: environment)
        try program.wait(until: { $0.contains("#token=") && $0.hasSuffix("\n") }, for: "a link")
        guard let match = program.output.firstMatch(of: /(http:\/\/127\.0\.0\.1:[0-9]+)\/#token=([0-9a-f]{64})/) else {
            throw Problem("no link: \(program.output)")
        }
        address = String(match.1)
        token = String(match.2)
    }

    var port: String { String(address.split(separator: ":")[2]) }

    func ask(_ path: String, key: String? = nil, _ words: String...) throws -> Reply {
        let own = key.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
        let command = try Command.run(
            "curl", ["-sS", "-i", "-w", "\n%{http_code}"] + own + words + [address + path])
        let parts = command.output.components(separatedBy: "\r\n\r\n")
        guard command.succeeded, parts.count > 1, let end = command.output.lastIndex(of: "\n"),
            let status = Int(command.output[command.output.index(after: end)...])
        else { throw Problem("\(path): \(command)") }
        let body = parts.dropFirst().joined(separator: "\r\n\r\n")
        return Reply(
            status: status, head: parts[0], body: String(body[..<(body.lastIndex(of: "\n") ?? body.endIndex)]))
    }

    func exchange(_ token: String) throws -> Reply {
        try ask(
            "/session", "-H", "Origin: \(address)", "-H", "Content-Type: application/json", "-d",
            #"{"token": "\#(token)"}"#)
    }

    /// The key for its first link.
    func key() throws -> String {
        let reply = try exchange(token)
        guard reply.status == 200, let key = reply["key"] else { throw Problem("\(reply)") }
        return key
    }

    /// A stream of events that stays open.
    func events(_ key: String, after last: String? = nil) throws -> Program {
        let header = last.map { ["-H", "Last-Event-ID: \($0)"] } ?? []
        let stream = try Program(
            "curl", ["-sN", "-H", "Authorization: Bearer \(key)"] + header + ["\(address)/v1/events"])
        try stream.wait(forText: "retry:")
        return stream
    }

    /// What the kernel says of its process, such as `VmRSS`.
    func status(_ field: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(program.pid)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        guard let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
            throw Problem("no \(field)")
        }
        return number
    }
}
