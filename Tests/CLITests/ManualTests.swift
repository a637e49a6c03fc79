import Foundation
import JSON
import TestSupport
import Testing

/// The manual pages, as `make install` writes them.
@Suite("The manual pages", .plainBuild)
struct ManualTests {
    private static let root = Places.root

    /// What `man` shows of a page; groff has nothing to warn of.
    private func shown(_ page: String) throws -> String {
        let folder = try Folder()
        try folder.write("page", page)
        // Wide lines keep words together.
        let warnings = try Tool.execute(
            "/usr/bin/env", ["groff", "-Kutf8", "-man", "-ww", "-z", "-Tutf8", "page"], in: folder)
        #expect(warnings.status == 0 && warnings.errors.isEmpty, "\(warnings.errors)")
        let text = try Tool.execute(
            "/usr/bin/env", ["groff", "-Kutf8", "-man", "-Tutf8", "-P-cbou", "-rLL=2000n", "page"], in: folder)
        return text.output
    }

    @Test("taskhost(1) has every verb and each of its options")
    func verbs() throws {
        let page = try Tool.execute(
            "/bin/sh", [Self.root.appending(path: "Tools/man.sh").path, try Places.taskhost.path, "1.0"])
        #expect(page.status == 0, "\(page.errors)")
        let text = try shown(page.output)
        let sections = text.components(separatedBy: "\n   taskhost ").dropFirst()
        let overview = try Tool.run("--help").output
        let list = try #require(overview.components(separatedBy: "\n\n").first { $0.hasPrefix("  run ") })
        let verbs = list.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(verbs.count > 30 && sections.count == verbs.count)
        for verb in verbs {
            let section = try #require(sections.first { $0.hasPrefix("\(verb)\n") }, "\(verb)")
            let help = try Tool.run(verb, "--help").output
            for option in help.matches(of: /\n  (--[a-z0-9-]+)/) {
                #expect(section.contains(" \(option.1) "), "\(verb) \(option.1)")
            }
        }
    }

    @Test(
        "of files have every key of their schema, with its description",
        arguments: [
            ("manifests/schema.json", "taskhost-manifest", 75),
            ("Documentation/config.schema.json", "taskhost-config", 55),
        ])
    func keys(_ path: String, _ name: String, least: Int) throws {
        let page = try Tool.execute(
            "/usr/bin/env",
            ["python3", Self.root.appending(path: "Tools/man-schema.py").path, Self.root.appending(path: path).path]
                + [name, "1.0"])
        #expect(page.status == 0, "\(page.errors)")
        let text = try shown(page.output)
        var keys: Set<String> = []
        var descriptions: Set<String> = []
        func walk(_ value: JSONValue) {
            for part in value.array ?? [] { walk(part) }
            for member in value.object ?? [] {
                if member.key == "properties" {
                    for property in member.value.object ?? [] {
                        keys.insert(property.key)
                        if let words = property.value["description"]?.string { descriptions.insert(words) }
                    }
                }
                walk(member.value)
            }
        }
        let schema = try Data(contentsOf: Self.root.appending(path: path))
        walk(try JSONParser.parse(Array(schema), maximumBytes: 1 << 20))
        let plain = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("       ") && !$0.hasPrefix("        ") }
        let named = Set(
            headings.compactMap { $0.split(separator: " ").first?.split(separator: ".").last.map(String.init) })
        for key in keys { #expect(named.contains(key), "\(key)") }
        for words in descriptions {
            let expected = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(plain.contains(expected), "\(expected)")
        }
        #expect(headings.count >= least, "\(headings.count) keys")
    }
}
