import Foundation
import TestSupport
import Testing

/// The names that public code for iOS needs and that a system without Apple's frameworks lacks, in the table
/// `Tests/Fixtures/Clients/names.tsv`: a name, its state here, and the client file that uses it, or why none does.
///
/// The states: `present`, all that does not need a screen or a user works; `part`, members of it are missing, or nothing
/// ever calls it; `empty module`; `refused`, it cannot do its job here; `own`, the code that uses it declares it.
@Suite("Names of public code")
struct ClientNameTests {
    private struct Row {
        var name: String
        var state: String
        var detail: String

        init(_ line: Substring) throws {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 3 else { throw Problem("not three fields: \(line)") }
            (name, state, detail) = (fields[0], fields[1], fields[2])
        }

        /// What the client file has to contain.
        func isUsed(in source: String) -> Bool {
            if name.hasPrefix("module ") {
                return source.split(separator: "\n").contains("import \(name.dropFirst("module ".count))")
            }
            let words = Set(source.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
            let last = name.split(separator: " ").last ?? ""
            // A member's own name; of two frameworks one.
            return last.contains("/")
                ? last.split(separator: "/").contains(where: words.contains)
                : last.split(separator: ".").last.map(words.contains) == true
        }
    }

    private static func rows() throws -> [Row] {
        let table = try String(contentsOf: Places.fixtures.appending(path: "Clients/names.tsv"), encoding: .utf8)
        return try table.split(separator: "\n").map(Row.init)
    }

    @Test("have a client file that uses them, which runs where there is something to run, or a reason")
    func table() throws {
        let rows = try Self.rows()
        #expect(rows.count == 102 && Set(rows.map(\.name)).count == rows.count)
        for row in rows {
            switch row.state {
            case "present", "part", "empty module":
                let client = row.detail.hasSuffix(".swift") ? String(row.detail.dropLast(6)) : row.detail
                #expect(Client.names.contains(client), "\(row)")
                #expect(try row.isUsed(in: Client.source(client)), "\(row)")
                #expect(row.state == "empty module" || Client.running.contains(client), "\(row)")
            case "refused", "own":
                #expect(row.detail.hasSuffix(".") && row.detail.contains(" "), "a sentence: \(row)")
            default: Issue.record("an unknown state: \(row)")
            }
        }
    }

    @Test("do what their client files expect, in a confined worker", .enabled(if: !Places.isSanitized))
    func run() throws {
        let folder = try Folder()
        try FileManager.default.copyItem(
            at: Built.folder.get().appending(path: "libClientNames.so"), to: folder.file("libClientNames.so"))
        try folder.write(
            "com.ex.app.json",
            """
            {
              "identifier": "com.ex.app", "name": "names", "library": "libClientNames.so",
              "backgroundModes": ["fetch", "processing"], "tasks": { "com.ex.app.p1": { "kind": "processing" } }
            }
            """)
        let places = ["--state", folder.file("state").path, "--manifests", folder.path]
        let run = try Command.run(Places.taskhost, ["run", "com.ex.app.p1"] + places)
        #expect(run.succeeded, "\(run.output)")
        #expect(Client.running.count >= 12)
        let lines = run.output.split(separator: "\n")
        #expect(lines.filter { $0.hasSuffix(" works") }.map { $0.dropLast(6) } == Client.running.map { $0[...] })
    }
}
