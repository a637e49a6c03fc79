import Foundation
import Glibc
import Testing

@Suite("taskhost new", .plainBuild)
struct NewTests {
    /// `make` and what follows, as a user types it.
    private func build(_ folder: Folder, _ name: String) throws {
        let make = try Tool.shell("make -C \(name)", in: folder)
        #expect(make.status == 0, "\(make.output)\(make.errors)")
        #expect(!make.errors.contains("warning"), "\(make.errors)")
    }

    @Test("makes a plugin that builds, validates, runs and behaves", arguments: ["c", "swift"])
    func plugin(_ language: String) throws {
        let folder = try Folder()
        let new = try Tool.run("new", "com.example.hello", "--language", language, in: folder)
        #expect(new.status == 0, "\(new.errors)")
        let command = "make -C hello && \(try Places.taskhost.path) run com.example.hello --manifests hello/manifests"
        #expect(new.output.contains("\n  \(command)\n"), "it says what to type next: \(new.output)")
        try build(folder, "hello")
        let run = try Tool.shell("\(command) --state state --json", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("\"outcome\":\"succeeded\""))
        let logs = try Tool.shell(
            #""$taskhost" run com.example.hello --manifests hello/manifests --state state --settings '{"steps": 3}'"#,
            in: folder)
        #expect(logs.errors.contains("3 of 3 steps done"))
        let check = try Tool.run(
            "check", "hello/manifests/libHello.so", "--manifest", "hello/manifests/com.example.hello.json", in: folder)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    @Test("makes an application of the BackgroundTasks framework that builds, validates, runs and behaves")
    func application() throws {
        let folder = try Folder()
        let new = try Tool.run("new", "com.example.swift", "--application", in: folder)
        #expect(new.status == 0, "\(new.errors)")
        try build(folder, "swift")
        #expect(try Tool.run("validate", "swift/manifests", in: folder).output.contains("2 tasks"))
        let run = try Tool.run(
            "run", "com.example.swift", "--manifests", "swift/manifests", "--state", "state", "--json", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.components(separatedBy: #""outcome":"succeeded""#).count == 3, "\(run.output)")
        let logs = try Tool.run(
            "run", "com.example.swift", "--manifests", "swift/manifests", "--state", "state", in: folder)
        #expect(logs.errors.contains("5 steps done") && logs.errors.contains("10 steps done"), "\(logs.errors)")
        // What the refresh asked for.
        let pending = try Tool.run(
            "pending", "--manifests", "swift/manifests", "--state", "state", "--json", in: folder)
        #expect(pending.output.contains(#""identifier":"com.example.swift.refresh""#), "\(pending.output)")
        let check = try Tool.run(
            "check", "swift/manifests/libSwiftPlugin.so", "--manifest", "swift/manifests/com.example.swift.json",
            in: folder)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    @Test(
        "makes a package whose tests pass without a daemon, and which builds and runs",
        arguments: [("ios", 3), ("application", 2)])
    func template(_ template: String, _ count: Int) throws {
        let folder = try Folder()
        let new = try Tool.run("new", "com.example.hello", "--template", template, in: folder)
        #expect(new.status == 0, "\(new.errors)")
        let tests = try Tool.shell("make -C hello test", in: folder)
        #expect(tests.status == 0, "\(tests.output)\(tests.errors)")
        #expect((tests.output + tests.errors).contains("Test run with \(count) tests in 1 suite passed"))
        try build(folder, "hello")
        let run = try Tool.run(
            "run", "com.example.hello", "--manifests", "hello/manifests", "--state", "state", "--json", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.components(separatedBy: #""outcome":"succeeded""#).count == 3, "\(run.output)")
    }

    @Test("makes a program with a test that passes without a daemon")
    func command() throws {
        let folder = try Folder()
        let new = try Tool.run("new", "com.example.tidy-up", "--template", "command", in: folder)
        #expect(new.status == 0, "\(new.errors)")
        let tests = try Tool.shell(#"make -C tidy-up test TASKHOST="$taskhost""#, in: folder)
        #expect(tests.status == 0, "\(tests.output)\(tests.errors)")
        #expect(tests.output.contains("ok: it succeeds\nok: its log says what it did\n"), "\(tests.output)")
        // The test sees a program that fails.
        let program = folder.file("tidy-up/manifests/tidy-up.sh")
        let text = try String(contentsOf: program, encoding: .utf8) + "exit 3\n"
        try Data(text.utf8).write(to: program)
        #expect(try Tool.shell(#"make -C tidy-up test TASKHOST="$taskhost""#, in: folder).status != 0)
    }

    @Test(
        "says what to do with a program below a folder that its user cannot enter",
        .enabled(if: Places.isRoot, "only root's workers have users of their own"))
    func closed() throws {
        let folder = try Folder()
        try folder.makeFolder("private")
        #expect(chmod(folder.file("private").path, 0o700) == 0)
        for (place, isClosed) in [("private/one", true), ("two", false)] {
            let new = try Tool.run(
                "new", "com.example.hello", "--template", "command", "--directory", place, in: folder)
            #expect(new.status == 0)
            let note = "/private is closed to others; move private/one to a folder such as /srv"
            #expect(new.errors.contains(note) == isClosed, "\(new)")
        }
    }

    @Test("refuses templates that it does not know, and those with another shape")
    func templates() throws {
        let folder = try Folder()
        try Tool.run("new", "com.example.hello", "--template", "android", in: folder)
            .expectSentence(["unknown template android", "--template", "ios, application or command"], status: 64)
        for option in [["--application"], ["--events"], ["--language", "c"]] {
            try Tool.run(["new", "com.example.hello", "--template", "ios"] + option, in: folder)
                .expectSentence(["exclude each other", option[0], "leave one out"], status: 64)
        }
    }

    @Test("makes an application without tasks that builds, validates, is called for its events, and behaves")
    func events() throws {
        let folder = try Folder()
        let new = try Tool.run("new", "com.example.reader", "--events", in: folder)
        #expect(new.status == 0 && new.output.contains("run com.example.reader:fetch --manifests"), "\(new)")
        try build(folder, "reader")
        #expect(try Tool.run("validate", "reader/manifests", in: folder).output.contains("1 manifests good, 2 tasks"))
        let run = try Tool.run(
            "run", "com.example.reader:fetch", "--manifests", "reader/manifests", "--state", "state", "--json",
            in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(#""outcome":"succeeded""#) && run.output.contains(#""result":"newData""#))
        let check = try Tool.run(
            "check", "reader/manifests/libReader.so", "--manifest", "reader/manifests/com.example.reader.json",
            in: folder)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        #expect(check.output.contains("answers a notification"), "\(check.output)")
    }

    @Test("makes a plugin whose name is a system library's", arguments: ["swift", "foundation"])
    func reserved(_ label: String) throws {
        let folder = try Folder()
        #expect(try Tool.run("new", "com.example." + label, "--language", "swift", in: folder).status == 0)
        try build(folder, label)
        let run = try Tool.run(
            "run", "com.example." + label, "--manifests", label + "/manifests", "--state", "state", in: folder)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("stops its plugin's work when it expires", arguments: ["c", "swift"])
    func expiration(_ language: String) throws {
        let folder = try Folder()
        #expect(try Tool.run("new", "com.example.hello", "--language", language, in: folder).status == 0)
        let manifest = folder.file("hello/manifests/com.example.hello.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
            .replacing(#""wallClock": "30s""#, with: #""wallClock": "2300ms""#)
            .replacing(#""steps": 5"#, with: #""steps": 1000"#)
        try folder.write("hello/manifests/com.example.hello.json", text)
        try build(folder, "hello")
        let run = try Tool.run(
            "run", "com.example.hello", "--manifests", "hello/manifests", "--state", "state", in: folder)
        #expect(run.status == 10, "\(run.output)\(run.errors)")
    }

    @Test("takes names of files, functions and modules from the identifier's last part")
    func names() throws {
        let cases = [
            ("com.example.disk-care", "libDiskCare.so", "run_disk_care"),
            ("com.example.3d", "libPlugin3d.so", "run_3d"),
            ("my_first-plugin", "libMyFirstPlugin.so", "run_my_first_plugin"),
        ]
        for (identifier, library, function) in cases {
            let folder = try Folder()
            let new = try Tool.run("new", identifier, "--json", in: folder)
            #expect(new.status == 0)
            #expect(Set(try new.document.keys) == ["identifier", "directory", "files", "next"])
            let name = try #require(try new.document["directory"] as? String)
            #expect(identifier == name || identifier.hasSuffix("." + name))
            let files = try #require(try new.document["files"] as? [String])
            for file in files {
                let text = try String(contentsOf: folder.file(name + "/" + file), encoding: .utf8)
                #expect(text.firstMatch(of: /@[A-Z]+@/) == nil, "\(file) is filled in")
            }
            #expect(files.contains("manifests/\(identifier).json"))
            try build(folder, name)
            #expect(FileManager.default.fileExists(atPath: folder.file("\(name)/manifests/\(library)").path))
            let source = try String(contentsOf: folder.file(name + "/plugin.c"), encoding: .utf8)
            #expect(source.contains("void \(function)(taskhost_task_t *task)"))
        }
    }

    @Test("overwrites nothing")
    func overwrites() throws {
        let folder = try Folder()
        try folder.write("hello/mine", "keep")
        try Tool.run("new", "com.example.hello", in: folder)
            .expectSentence(["there is something already; hello", "--directory"], status: 73)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("hello").path) == ["mine"])
        try folder.write("file", "")
        try Tool.run("new", "com.example.hello", "--directory", "file/x", in: folder)
            .expectSentence(["cannot be written", "file"], status: 73)
        try folder.makeFolder("empty")
        #expect(try Tool.run("new", "com.example.hello", "--directory", "empty", in: folder).status == 0)
        let odd = try Tool.run("new", "com.example.hello", "--directory", "it's here", in: folder)
        #expect(odd.output.contains(#"make -C 'it'\''s here' &&"#), "\(odd.output)")
    }

    @Test("gives the header that this host speaks")
    func header() throws {
        let folder = try Folder()
        #expect(try Tool.run("new", "com.example.hello", in: folder).status == 0)
        let own = try Data(contentsOf: Places.root.appending(path: "Sources/CTaskHost/include/taskhost.h"))
        #expect(try Data(contentsOf: folder.file("hello/include/taskhost.h")) == own)
        let transfer = try Data(
            contentsOf: Places.root.appending(path: "Sources/CTaskHost/include/taskhost_transfer.h"))
        #expect(try Data(contentsOf: folder.file("hello/include/taskhost_transfer.h")) == transfer)
    }
}
