import Foundation
import TestSupport
import Testing

/// UserDefaults of applications that never call `synchronize()`, in real workers.
@Suite("Defaults of applications", .enabled(if: !Places.isSanitized))
struct DefaultsTests {
    private let folder: Folder
    private let places: [String]

    init() throws {
        folder = try Folder()
        places = ["--state", folder.file("state").path, "--manifests", folder.path]
        try FileManager.default.copyItem(
            at: Built.folder.get().appending(path: "libDefaults.so"), to: folder.file("libDefaults.so"))
    }

    private func install(_ more: String = "") throws {
        let names = ["count", "killed", "exits", "others", "values", "again", "unstorable", "full"]
        let tasks = names.map {
            #""com.ex.app.\#($0)": { "kind": "processing", "budget": { "wallClock": "60s" } }"#
        }
        try folder.write(
            "com.ex.app.json",
            #"{ "identifier": "com.ex.app", "library": "libDefaults.so"\#(more), "tasks": { \#(tasks.joined(separator: ", ")) } }"#
        )
    }

    private func run(_ task: String) throws -> Command {
        try Command.run(Places.taskhost, ["run", "com.ex.app.\(task)"] + places)
    }

    private var file: URL { folder.file("state/applications/com.ex.app/state/.config/com.ex.app.plist") }

    private func stored() throws -> [String: Any] {
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        return try #require(list as? [String: Any])
    }

    @Test("a counter counts over runs, kills and ends of its process", arguments: ["zygote", "run", "exec"])
    func counter(_ isolation: String) throws {
        try install(#", "isolation": "\#(isolation)""#)
        for (number, task) in ["count", "count", "killed", "count", "exits", "count"].enumerated() {
            let run = try run(task)
            if task == "killed" {
                #expect(!run.succeeded)
            } else {
                #expect(run.output.contains("count \(number)\n"), "\(run.output)")
            }
        }
        #expect(try stored()["count"] as? Int == 6)
    }

    @Test("a daemon's restart, and its kill, lose nothing")
    func restart() throws {
        try install()
        for number in 0...2 {
            let daemon = try Program(Places.taskhost, ["serve"] + places)
            try daemon.wait(forText: "serving ")
            let run = try Command.run(Places.taskhost, ["run", "com.ex.app.count"] + places.prefix(2))
            #expect(run.output.contains("count \(number)\n"), "\(run.output)")
            try daemon.signal(number == 1 ? SIGKILL : SIGTERM)
            _ = try daemon.finish()
        }
    }

    @Test("what another process has written is merged, and then seen")
    func merged() throws {
        try install()
        let run = try run("others")
        #expect(run.output.contains("written true, before nothing\nafter 7\n"), "\(run.output)")
        #expect(try stored()["mine"] as? Int == 2 && stored()["theirs"] as? Int == 7)
    }

    @Test("values of every kind come back, in the same process and in the next")
    func values() throws {
        try install()
        let first = try run("values")
        let all =
            "text true, bytes 1048576, list 4 1 2.5 true, date 1.0, flag true, float 1.5, place /tmp/x, address https://example.com/v1?a=b, shadowed stored, "
            + "removed true, keys [\"flag\"]\n"
        #expect(first.output.contains("changes 10, suite shared, same true\n" + all), "\(first.output)")
        let next = try run("again")
        #expect(next.output.contains("suite shared\n" + all), "\(next.output)")
    }

    @Test("a damaged file is set aside and named, and the defaults start anew")
    func damaged() throws {
        try install()
        _ = try run("again")
        for bytes in ["bplist00 half of it", "", "a text"] {
            try bytes.write(to: file, atomically: false, encoding: .utf8)
            let run = try run("count")
            #expect(run.output.contains("count 0\n"), "\(run.output)")
            let journal = try Command.run(Places.taskhost, ["journal"] + places.prefix(2)).output
            #expect(journal.contains("the defaults are damaged; "), "\(journal)")
            let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
            let aside = try #require(names.first { $0.hasPrefix("com.ex.app.plist.damaged-") }, "\(names)")
            let path = file.deletingLastPathComponent().appending(path: aside)
            #expect(try String(contentsOf: path, encoding: .utf8) == bytes)
            try FileManager.default.removeItem(at: path)
        }
    }

    @Test("Foundation's own file, in XML, is read")
    func earlier() throws {
        try install()
        _ = try run("again")
        try PropertyListSerialization.data(fromPropertyList: ["count": 41], format: .xml, options: 0).write(to: file)
        #expect(try run("count").output.contains("count 41\n"))
        #expect(try stored()["count"] as? Int == 42)
    }

    @Test("a value that no property list holds is misuse", arguments: [true, false])
    func unstorable(_ isStrict: Bool) throws {
        try install(#", "misuse": "\#(isStrict ? "trap" : "report")""#)
        let run = try run("unstorable")
        #expect(run.succeeded != isStrict)
        #expect(run.output.contains("unstorable true\n") != isStrict)
        let journal = try Command.run(Places.taskhost, ["journal"] + places.prefix(2)).output
        #expect(
            (run.output + journal).contains("Attempt to insert non-property list object"), "\(run.output)\(journal)")
    }

    @Test("a full disk leaves the old file, and the values in memory are written later")
    func full() throws {
        try install()
        #expect(try run("count").succeeded)
        let run = try run("full")
        #expect(run.output.contains("failed true, count 1, late true, then true\n"), "\(run.output)")
        #expect(try stored()["late"] as? String == String(repeating: "x", count: 100))
        let journal = try Command.run(Places.taskhost, ["journal"] + places.prefix(2)).output
        #expect(journal.contains("the defaults cannot be written; "), "\(journal)")
    }
}
