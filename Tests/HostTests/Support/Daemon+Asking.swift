import Control
import Foundation
import JSON
import TestSupport

extension Daemon {
    struct Reply {
        var status: Int
        var body: [UInt8]

        func document() throws -> JSONValue { try JSONParser.parse(body, maximumBytes: 1 << 24) }
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// One request on the control socket, by curl.
    func ask(_ method: ControlRequest.Method, _ path: String, body: String? = nil) throws -> Reply {
        var words = [
            "-s", "--unix-socket", station.state + "/control.sock", "-X", method.rawValue, "-w", "\n%{http_code}",
        ]
        if let body { words += ["-H", "Content-Type: application/json", "-d", body] }
        let command = try Program("curl", words + ["http://localhost" + path]).finish()
        guard command.succeeded, let end = command.output.lastIndex(of: "\n"),
            let status = Int(command.output[command.output.index(after: end)...])
        else { throw TestSupport.Problem("\(method.rawValue) \(path): \(command)") }
        return Reply(status: status, body: Array(command.output[..<end].utf8))
    }
}
