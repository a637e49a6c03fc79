import Foundation
import TestSupport
import Testing

@Suite("Documentation/PluginABI.md")
struct DocumentationTests {
    /// The page's files and build commands, laid out in a folder from which its relative paths work.
    struct Page {
        var folder: Folder
        /// Commands by the library that they build.
        var builds: [(library: String, command: String)]
        var files: [String]

        init() throws {
            folder = try Folder()
            builds = []
            files = []
            let url = Places.root.appending(path: "Documentation/PluginABI.md")
            let text = try String(contentsOf: url, encoding: .utf8)
            let block = /<!-- (file|build): (\S+) -->\n```\w+\n([^`]*)```/
            for match in text.matches(of: block) {
                let (_, kind, name, body) = match.output
                if kind == "file" {
                    try folder.write(String(name), String(body))
                    files.append(String(name))
                } else {
                    builds.append((String(name), String(body)))
                }
            }
            try FileManager.default.createSymbolicLink(
                at: folder.file("Sources"), withDestinationURL: Places.root.appending(path: "Sources"))
        }
    }

    @Test(
        "has plugins in C and Swift that build with the commands it gives, and run",
        .disabled(if: Places.isSanitized, "a plain host cannot load a sanitized library"))
    func plugins() throws {
        let page = try Page()
        #expect(page.builds.map(\.library) == ["libAgain.so", "libLines.so", "libPrimes.so"])
        for build in page.builds {
            let command = try Command.run("sh", ["-c", build.command], in: page.folder.url)
            #expect(command.succeeded, "\(command.output)")
            #expect(command.output.isEmpty, "a warning: \(command.output)")
        }
        try page.folder.write("lines.txt", "one\ntwo\nthree\n")
        let lines = try Harness.run(page.folder.file("libLines.so"), ["count_lines"], state: page.folder)
        #expect(lines.outcome == "succeeded", "\(lines.output)")
        #expect(lines.lines(of: "log") == ["1 3 lines"])

        // The harness has no services: a plugin must do without.
        let again = try Harness.run(page.folder.file("libAgain.so"), ["run_again"], state: page.folder)
        #expect(again.lines(of: "log") == ["4 this host takes no requests"], "\(again.output)")

        let primes = page.folder.file("libPrimes.so")
        for last in [7919, 17389] {
            let run = try Harness.run(primes, ["find_primes"], state: page.folder)
            #expect(run.outcome == "succeeded", "\(run.output)")
            #expect(run.lines(of: "log") == ["1 1000 primes more, the last one is \(last)"])
        }
        let expired = try Harness.run(
            primes, ["find_primes"], state: page.folder, options: ["--expire-after-lines", "5"])
        #expect(expired.outcome == "expired", "\(expired.output)")
    }

    @Test("has an application that compiles as C and C++, and runs")
    func application() throws {
        let page = try Page()
        for (compiler, language) in [("gcc", "c"), ("g++", "c++")] {
            let library = page.folder.file("lib\(language).so")
            let build = try Command.run(
                compiler,
                [
                    "-x", language, "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-fvisibility=hidden", "-I",
                    Places.include.path, "-o", library.path, page.folder.file("counter.c").path,
                ])
            #expect(build.succeeded, "\(build.output)")
            let run = try Harness.run(library, ["--task", "org.example.counter.increment"])
            #expect(run.outcome == "succeeded", "\(run.output)")
        }
    }

    @Test("has manifests that are JSON and name libraries and symbols of the page")
    func manifests() throws {
        let page = try Page()
        let manifests = page.files.filter { $0.hasSuffix(".json") }
        #expect(manifests.count == 3)
        let sources = try page.files.filter { !$0.hasSuffix(".json") }
            .map { try String(contentsOf: page.folder.file($0), encoding: .utf8) }.joined()
        for name in manifests {
            let manifest = try Manifest(page.folder.file(name))
            #expect(name == manifest.identifier + ".json")
            if let library = manifest.library { #expect(page.builds.contains { $0.library == library }) }
            for handler in manifest.symbols { #expect(sources.contains("\(handler)")) }
        }
    }
}
