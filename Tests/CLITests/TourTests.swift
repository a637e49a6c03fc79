import Foundation
import Testing

@Suite("Documentation/Tour.md", .plainBuild)
struct TourTests {
    /// The user who follows the tour.
    enum Person: String, CaseIterable {
        case root, somebody
        static var here: [Person] { Places.isRoot ? allCases : [.somebody] }
    }

    /// Whether a daemon serves, and since when.
    enum Daemon: CaseIterable {
        case fromItsLine, fromTheStart, never
    }

    struct Step {
        var line: String
        var status: Int
    }

    /// The lines of the first code block below "Five minutes".
    private static func lines() throws -> [String] {
        let page = try String(contentsOf: Places.root.appending(path: "Documentation/Tour.md"), encoding: .utf8)
        let chapter = try #require(page.split(separator: "\n## Five minutes\n").dropFirst().first)
        let block = chapter.split(separator: "```", omittingEmptySubsequences: false)
        return try #require(block.dropFirst().first).split(separator: "\n").map(String.init)
    }

    /// Evaluates a file's lines one after the other, as a user would who reads no output, and notes each one's status.
    /// As root below an empty /var/lib.
    private static let walk = """
        if [ "$(id -u)" = 0 ]; then mount -t tmpfs -o mode=0755 none /var/lib || exit; fi
        if [ "$daemon" = start ]; then
            PATH=$PWD/.build/release:$PATH
            taskhost serve 2>early & until grep -q serving early; do read -rt 0.05 <> <(:); done
        fi
        n=0
        while IFS= read -r line; do
            eval "$line" </dev/null 2>>"errors.$n"
            echo $? >"status.$n"
            n=$((n + 1))
        done <tour
        for job in $(jobs -p); do kill "$job"; done
        wait
        """

    private func walk(_ lines: [String], as person: Person, daemon: Daemon) throws -> ([Step], Folder, Tool) {
        let folder = try Folder()
        try folder.write("tour", lines.joined(separator: "\n") + "\n")
        try folder.makeFolder(".build")
        try FileManager.default.createSymbolicLink(
            at: folder.file(".build/release"), withDestinationURL: try Places.products)
        try FileManager.default.copyItem(
            at: Places.root.appending(path: "manifests"), to: folder.file("manifests"))
        var words = ["bash", "-c", Self.walk]
        if person == .root {
            words = ["unshare", "-m"] + words
        } else if Places.isRoot {
            let owner = try Tool.execute("/usr/bin/env", ["chown", "-R", "65534:65534", folder.path])
            #expect(owner.status == 0, "\(owner.errors)")
            words = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] + words
        }
        let environment = ["HOME": folder.path, "daemon": daemon == .fromTheStart ? "start" : ""]
        let tool = try Tool.execute("/usr/bin/env", words, in: folder, environment: environment)
        let steps = try lines.indices.map { index in
            let status = try String(contentsOf: folder.file("status.\(index)"), encoding: .utf8)
            return Step(line: lines[index], status: try #require(Int(status.dropLast())))
        }
        return (steps, folder, tool)
    }

    private func errors(_ index: Int, _ folder: Folder) -> String {
        (try? String(contentsOf: folder.file("errors.\(index)"), encoding: .utf8)) ?? ""
    }

    @Test("runs as written, from top to bottom", arguments: Person.here, Daemon.allCases)
    func tour(_ person: Person, _ daemon: Daemon) throws {
        var lines = try Self.lines()
        #expect(lines.filter { $0.contains("taskhost ") }.count > 12)
        if daemon == .never { lines.removeAll { $0.contains("taskhost serve &") } }
        let (steps, folder, tool) = try walk(lines, as: person, daemon: daemon)
        for (index, step) in steps.enumerated() {
            if daemon == .never, step.line.contains("taskhost top") {
                // It shows what a daemon does.
                #expect(step.status != 0 && errors(index, folder).contains("taskhost serve"), "\(step.line)")
                continue
            }
            #expect(step.status == 0, "\(step.line): \(errors(index, folder))")
        }
        for words in [
            "good, 9 tasks", "org.taskhost.examples.scrub  succeeded", "waiting: its time", "all probes passed",
        ] {
            #expect(tool.output.contains(words), "\(words) in \(tool.output)")
        }
        let run = try #require(lines.firstIndex { $0.contains("--manifests hello/manifests") })
        #expect(errors(run, folder).contains("-private/") == (daemon != .never), "\(errors(run, folder))")
    }

    @Test(
        "and README have a manifest in which every task can be requested",
        arguments: ["Documentation/Tour.md", "README.md"])
    func manifest(_ page: String) throws {
        let text = try String(contentsOf: Places.root.appending(path: page), encoding: .utf8)
        let json = try #require(text.split(separator: "```json\n").dropFirst().first?.split(separator: "```").first)
        let folder = try Folder()
        // Its libraries and files are not there; what is said of it beyond that would be its fault.
        try folder.write("com.example.json", String(json))
        let checked = try Tool.run("validate", "com.example.json", "--json", in: folder)
        let diagnostics = try #require(try checked.document["diagnostics"] as? [[String: Any]])
        #expect(
            diagnostics.allSatisfy {
                let path = $0["path"] as? String ?? ""
                return path == "$.library" || path.hasPrefix("$.permissions.read[")
            }, "\(checked.output)")
    }
}
