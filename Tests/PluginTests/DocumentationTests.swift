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
        #expect(page.builds.map(\.library) == ["libAgain.so", "libFetch.so", "libLines.so", "libPrimes.so"])
        for build in page.builds {
            let command = try Command.run("sh", ["-c", build.command], in: page.folder.url)
            #expect(command.succeeded, "\(command.output)")
            #expect(command.output.isEmpty, "a warning: \(command.output)")
        }
        try page.folder.write("lines.txt", "one\ntwo\nthree\n")
        let lines = try Harness.run(page.folder.file("libLines.so"), ["count_lines"], state: page.folder)
        #expect(lines.outcome == "succeeded", "\(lines.output)")
        #expect(lines.lines(of: "log") == ["1 3 lines"])

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

    @Test(
        "has an application that asks for its next run, reads what is pending, and refuses to live without the service",
        .disabled(if: Places.isSanitized, "a plain host cannot load a sanitized library"))
    func schedulingApplication() throws {
        let page = try Page()
        let build = try #require(page.builds.first { $0.library == "libAgain.so" })
        #expect(try Command.run("sh", ["-c", build.command], in: page.folder.url).succeeded)
        let harness = page.folder.file("application-harness")
        let source = Places.fixtures.appending(path: "application-harness.c")
        let compiled = try Command.run(
            "cc", ["-I", Places.include.path, "-o", harness.path, source.path, "-ldl", "-pthread"])
        #expect(compiled.succeeded, "\(compiled.output)")
        let task = "org.example.again.refresh"
        let words = ["--permit", "1:\(task)", page.folder.file("libAgain.so").path]
        let good = try Command.run(harness.path, words + ["run=\(task)", "end=\(task)"])
        #expect(good.succeeded, "\(good.output)")
        #expect(good.output.contains("submitted \(task) kind=1 flags=3 "), "\(good.output)")
        #expect(good.output.contains("pending: \(task)\ncompleted \(task) success\n"), "\(good.output)")
        let refused = try Command.run(harness.path, words + ["code=2", "run=\(task)", "end=\(task)"])
        #expect(refused.output.contains("refused by script; try code 0\ncompleted \(task) failure\n"))
        let alone = try Command.run(harness.path, ["--no-extensions", "1"] + words)
        #expect(alone.status == 17 && alone.output.contains("launched 3"), "\(alone.output)")
    }

    @Test(
        "has an application that downloads a file, keeps it, and acknowledges its events",
        .disabled(if: Places.isSanitized, "a plain host cannot load a sanitized library"))
    func transferringApplication() throws {
        let page = try Page()
        let build = try #require(page.builds.first { $0.library == "libFetch.so" })
        #expect(try Command.run("sh", ["-c", build.command], in: page.folder.url).succeeded)
        let harness = page.folder.file("application-harness")
        let source = Places.fixtures.appending(path: "application-harness.c")
        let compiled = try Command.run(
            "cc", ["-I", Places.include.path, "-o", harness.path, source.path, "-ldl", "-pthread"])
        #expect(compiled.succeeded, "\(compiled.output)")
        let task = "org.example.fetch.get"
        let run = try Command.run(
            harness.path,
            [
                "--permit", "1:\(task)", "--folder", page.folder.url.path, page.folder.file("libFetch.so").path,
                "run=\(task)", "end=\(task)", "told=1:1:3", "told=7:1:news", "told=9:1:0", "told=9:2:-1001",
                "text=acknowledged 3",
            ])
        #expect(run.succeeded, "\(run.output)")
        let heard = run.output.split(separator: "\n").filter { line in
            ["create ", "resume ", "completed ", "acknowledged "].contains { line.hasPrefix($0) }
        }
        #expect(
            heard == [
                "create 1 kind 1  https://example.com/news.json file [] resume [] headers 0", "resume 1",
                "completed \(task) success",
                "acknowledged 1", "acknowledged 2", "acknowledged 3",
            ], "\(run.output)")
        #expect(try String(contentsOf: page.folder.file("news.json"), encoding: .utf8) == "news")
    }

    @Test("has manifests that are JSON and name libraries and symbols of the page")
    func manifests() throws {
        let page = try Page()
        let manifests = page.files.filter { $0.hasSuffix(".json") }
        #expect(manifests.count == 5)
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
