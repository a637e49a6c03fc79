import Foundation
import TaskModel
import TestSupport
import Testing

/// Times for users: local, relative where they are near, and UTC on demand.
@Suite("Times that users read", .plainBuild)
struct ShownTimesTests {
    private static let berlin = ["TZ": "Europe/Berlin"]

    private func ask(_ folder: Folder, _ words: String..., zone: [String: String] = berlin) throws -> Tool {
        try Tool.run(words + ["--state", folder.file("state").path], environment: zone)
    }

    @Test(
        "are those of TZ, on both sides of each change of the clocks",
        arguments: [
            ("2026-03-29T00:59:59.000Z", "2026-03-29 01:59:59 +01:00"),
            ("2026-03-29T01:00:00.000Z", "2026-03-29 03:00:00 +02:00"),
            ("2026-10-25T00:30:00.000Z", "2026-10-25 02:30:00 +02:00"),
            ("2026-10-25T01:30:00.000Z", "2026-10-25 02:30:00 +01:00"),
        ])
    func changes(_ utc: String, _ local: String) throws {
        let folder = try MadeRuns.folder([try #require(Timestamp(iso8601: utc))])
        let history = try ask(folder, "history")
        #expect(history.output.count(of: local) == 2 && !history.output.contains("Z"), "\(history)")
        let show = try ask(folder, "show", "com.example.notes.export").output
        #expect(show.contains(local.replacing(" +", with: ".000 +")), "\(show)")
        // --utc, and the document whatever the zone.
        let plain = try ask(folder, "history", "--utc").output
        #expect(plain.count(of: utc) == 2 && !plain.contains(local), "\(plain)")
        let documents = try ["Europe/Berlin", "UTC"].map {
            try ask(folder, "history", "--json", zone: ["TZ": $0]).output
        }
        #expect(documents[0] == documents[1] && documents[0].contains(#""submittedAt":"\#(utc)""#))
    }

    @Test("are relative in list where they are near, and dates where they are not")
    func near() throws {
        let now = Timestamp(nanoseconds: Int64(Date().timeIntervalSince1970) * 1_000_000_000)
        for (age, text) in [(TimeSpan.minutes(180), "3 h ago"), (.seconds(300), "5 min ago"), (.seconds(864_000), nil)]
            as [(TimeSpan, String?)]
        {
            let start = now - age
            let folder = try MadeRuns.folder([start], of: "com.example.cli", application: "com.example.cli")
            try folder.write("m/cli.json", try Plugin.manifest())
            let list = ["list", "--manifests", folder.file("m").path, "--state", folder.file("state").path]
            let output = try Tool.run(list, environment: Self.berlin).output
            let last = (start + .seconds(1))
            if let text {
                #expect(output.contains("  \(text)\n"), "\(output)")
            } else {
                let offset: Int64 = output.contains("+02:00") ? 7200 : 3600
                #expect(output.contains(last.local(offset: offset)), "\(output)")
            }
            let plain = try Tool.run(list + ["--utc"], environment: Self.berlin).output
            #expect(plain.contains(last.iso8601) && !plain.contains("ago"), "\(plain)")
        }
    }
}

/// Verbs that ask a host: its documents and its sentences have times in UTC.
@Suite("Times that a host prints")
final class ToldTimesTests {
    let host: ScriptedHost

    init() throws { host = try ScriptedHost() }
    deinit { host.stop() }

    private static let local = "2026-03-01 13:00:00 +01:00"
    private static let utc = "2026-03-01T12:00:00.000Z"

    @Test(
        "are local in every verb, with --utc in UTC",
        arguments: [["journal"], ["status"], ["why", "com.example.good"], ["list"]])
    func verbs(_ words: [String]) throws {
        func ask(_ more: String...) throws -> String {
            let tool = try Tool.run(
                words + ["--state", host.state.path] + more, environment: ["TZ": "Europe/Berlin"])
            #expect(tool.status == 0, "\(tool)")
            return tool.output
        }
        let (local, utc) = (try ask(), try ask("--utc"))
        #expect(local.contains(Self.local) && !local.contains(Self.utc), "\(local)")
        #expect(utc.contains(Self.utc) && !utc.contains(Self.local), "\(utc)")
        #expect(try ask("--json").contains(Self.utc))
    }
}
