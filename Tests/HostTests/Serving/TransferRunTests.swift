import Foundation
import TestSupport
import Testing

/// Background sessions of applications that `taskhost run` starts without a daemon, on one record.
@Suite("Background sessions without a daemon")
struct TransferRunTests {
    private struct List: Decodable {
        struct Transfer: Decodable {
            var url: String
            var name: Substring { url.split(separator: "/").last ?? "" }
        }
        var transfers: [Transfer]
    }

    private func run(_ downloads: Downloads, _ task: String, _ lines: String...) throws -> String {
        let run = try downloads.station.start(["run", task, "--payload-text", lines.joined(separator: "\n")]).finish()
        #expect(run.status == 0, "\(run)")
        return run.output + run.errors
    }

    @Test("go on in the next run, and keep apart what applications have")
    func again() throws {
        let silent = try SilentServer()
        let downloads = try Downloads(files: 1, bytes: 10, rate: 10)
        var other = try ManifestText(fixture: "fixtures.transfers")
        other["identifier"] = "org.taskhost.fixtures.others"
        other.removeTask(Downloads.task)
        other.addTask("org.taskhost.fixtures.others.work", ["kind": "processing"])
        for var manifest in [try ManifestText(fixture: "fixtures.transfers"), other] {
            manifest["permissions"] = ["network": ["127.0.0.1:\(silent.port)"]]
            try downloads.station.add(manifest)
        }
        let begin = ["open s", "replay s", "download s http://127.0.0.1:\(silent.port)/"]
        for number in 0..<3 {
            let said = try run(downloads, Downloads.task, begin[0], begin[1], begin[2] + "\(number)")
            #expect(said.components(separatedBy: "known s ").count == number + 1, "\(said)")
        }
        let said = try run(downloads, "org.taskhost.fixtures.others.work", begin[0], begin[1], begin[2] + "other")
        #expect(!said.contains("known s "), "\(said)")
        let list = try downloads.station.ask(List.self, "transfers")
        #expect(Set(list.transfers.map(\.name)) == ["0", "1", "2", "other"])
        downloads.station.expectNothingLeft()
    }
}
