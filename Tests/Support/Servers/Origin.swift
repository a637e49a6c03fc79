import Foundation

/// A server of our own that does what servers do to transfers, right and wrong: Tests/Fixtures/Servers/origin.py. Its
/// paths and their parameters are in downloads.py (`/flap?file=NAME&sent=1000`), signin.py and uploads.py beside it;
/// among them are tus 1.0.0 (`/tus`) and draft-ietf-httpbis-resumable-upload (`/resumable`). It stops with this object.
///
/// It prints `METHOD TARGET STATUS FIELD=VALUE…` of each request.
package final class Origin {
    package let port: UInt16
    /// Where the files are that paths name.
    package let folder: Folder
    private let program: Program

    private let scheme: String

    /// - Parameters:
    ///   - folder: nil: a new one.
    ///   - authority: it speaks TLS, and only to clients with a certificate of this one; nil: in clear text.
    package init(folder: Folder? = nil, clientCertificates authority: Authority? = nil) throws {
        self.folder = try folder ?? Folder()
        let security = authority.map { [$0.certificate("server"), $0.key("server"), $0.path] } ?? []
        scheme = authority == nil ? "http" : "https"
        (program, port) = try Script.start("origin.py", [self.folder.path] + security)
    }

    package func url(_ target: String) -> String { "\(scheme)://127.0.0.1:\(port)/\(target)" }

    @discardableResult
    package func add(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        try folder.write(name, bytes).path
    }

    /// Waits until it has answered so, `count` times in all.
    package func wait(forAnswer line: String, count: Int = 1) throws { try program.wait(forText: line, count: count) }

    /// Every request that `wait` has seen up to now.
    package var answers: [String] { program.output.split(separator: "\n").dropFirst().map(String.init) }
}

/// A server in Python that prints `ready PORT` first.
enum Script {
    static func start(_ name: String, _ arguments: [String]) throws -> (Program, UInt16) {
        let script = Places.fixtures.appending(path: "Servers/\(name)").path
        // Nothing is written beside the scripts.
        let program = try Program(Places.python, ["-B", script] + arguments, room: 1 << 20)
        try program.wait(until: { $0.contains("\n") }, for: "ready")
        let words = program.output.split(separator: "\n")[0].split(separator: " ")
        guard words.count == 2, words[0] == "ready", let port = UInt16(words[1]) else {
            throw Problem("\(name): \(program.output)")
        }
        return (program, port)
    }
}
