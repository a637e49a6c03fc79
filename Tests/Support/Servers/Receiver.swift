package import Foundation
import Glibc

/// Takes POST requests of JSON, and answers as `answers` says (receiver.py). It stops with this object.
package final class Receiver {
    package struct Request {
        package var path: String
        package var type: String
        /// The word of `answers` that it was answered with.
        package var answer: String
        package var body: Data
    }

    package let port: UInt16
    package var address: String { "http://127.0.0.1:\(port)" }
    private let program: Program

    /// - Parameter answers: one for each request; the last holds for all that follow. See the script.
    package init(_ answers: String...) throws {
        (program, port) = try Script.start("receiver.py", [answers.joined(separator: ",")])
    }

    /// Waits until so many requests have come, and returns all.
    @discardableResult
    package func wait(for count: Int) throws -> [Request] {
        try program.wait(
            until: { Self.lines(of: $0).count >= count }, for: "\(count) requests")
        return try requests
    }

    /// All that have come and were seen by `wait`.
    private var requests: [Request] {
        get throws {
            try Self.lines(of: program.output).map { line in
                guard let document = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                    let path = document["path"] as? String, let answer = document["answer"] as? String
                else { throw Problem("\(line)") }
                let body = try JSONSerialization.data(
                    withJSONObject: document["body"] ?? [:], options: [.fragmentsAllowed, .sortedKeys])
                return Request(path: path, type: document["type"] as? String ?? "", answer: answer, body: body)
            }
        }
    }

    /// Whole lines of requests: what else it prints, such as of a connection that broke, is none.
    private static func lines(of text: String) -> [Substring] {
        let end = text.lastIndex(of: "\n") ?? text.startIndex
        return text[..<end].split(separator: "\n").filter { $0.hasPrefix("{") }
    }

    package func stop() throws {
        try program.signal(SIGKILL)
        _ = try program.finish()
    }
}
