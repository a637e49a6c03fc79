import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// An application that lays traps where its finished files are put, or says that it has files which it has not.
@Suite("A download by a hostile application")
struct HostileFileTests {
    private let bench: TransferBench
    private let outside: String

    init() throws {
        bench = try TransferBench(files: ["a": 40_000, "b": 60_000, "big": 600_000])
        try bench.daemon.tell("foreground", TransferBench.application)
        try bench.perform("open s", "replay s")
        outside = bench.station.folder.path + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try Data("untouched".utf8).write(to: URL(filePath: outside + "/file"))
        // A process that follows a link could write there.
        _ = chmod(outside, 0o777)
        _ = chmod(outside + "/file", 0o666)
    }

    private func download(_ number: Int, _ name: String = "a", _ verb: String = "download") throws -> String {
        try bench.perform("\(verb) s \(bench.web.url(name))")
        try bench.waitFor("completed s \(number) ")
        return try #require(try bench.trace().last { $0.hasPrefix("completed s \(number) ") })
    }

    private func expectNothingOutside() throws {
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["file"])
        #expect(try String(contentsOfFile: outside + "/file", encoding: .utf8) == "untouched")
    }

    private func parts() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: bench.folder("transfers")).filter { $0.hasSuffix(".part") }
    }

    @Test("replaces whatever is in its place, but no link")
    func traps() throws {
        let files = FileManager.default
        func place(_ id: Int) -> String { bench.folder("cache") + "/taskhost-\(id).download" }
        try files.createSymbolicLink(atPath: place(1), withDestinationPath: outside + "/file")
        try files.createSymbolicLink(atPath: place(2), withDestinationPath: outside + "/new")
        try #require(mkfifo(place(3), 0o666) == 0)
        // What cannot be taken away is moved aside: its file would stay with the host, beyond what the application may have.
        try files.createDirectory(atPath: place(4) + "/full/of", withIntermediateDirectories: true)
        try files.createDirectory(atPath: place(5) + "/full", withIntermediateDirectories: true)
        for number in 1...3 {
            try files.createDirectory(atPath: place(5) + ".\(number)/full", withIntermediateDirectories: true)
        }
        try files.createSymbolicLink(atPath: place(6), withDestinationPath: outside)
        for number in 1...6 {
            let end = try download(number)
            #expect(end.contains(" error 0 "), "\(end)")
            #expect(try bench.kept(number) == bench.files["a"], "\(number)")
        }
        try expectNothingOutside()
        #expect(try parts() == [])
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("stays in the folder that the host has open, whatever takes its name")
    func swappedFolder() throws {
        // More than its code can do, which does not own the folder above.
        #expect(try download(1).contains(" error 0 "))
        let cache = bench.folder("cache")
        try bench.perform("download s \(bench.web.url("throttled/b?rate=60k"))")
        try #require(rename(cache, cache + "-before") == 0)
        try FileManager.default.createSymbolicLink(atPath: cache, withDestinationPath: outside)
        try bench.waitFor("completed s 2 ")
        let end = try #require(try bench.trace().last { $0.hasPrefix("completed s 2 ") })
        // Or refused: the host cannot know how much such an application has.
        let isThere = FileManager.default.fileExists(atPath: cache + "-before/taskhost-2.download")
        #expect(isThere || end.contains(" error -1103 "), "\(end)")
        try expectNothingOutside()
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("starts again from the beginning with resume data that it made up")
    func forgedResumeData() throws {
        let url = bench.web.url("a")
        let magic = "taskhost.resume/1"
        let forged = [
            "", "taskhost", magic, "\(magic)\n1\n2\n3", "\(magic)\n1\n20000\n\"x\"\n\(url)",
            "\(magic)\n-1\n-1\n\"x\"\n\(url)", "\(magic)\n9223372036854775807\n9223372036854775807\n\"x\"\n\(url)",
            "\(magic)\n99999999999999999999\n1\n\"x\"\n\(url)", "\(magic)\n../../../etc/passwd\n1\n\"x\"\n\(url)",
            "\(magic)\n1\n1\n\"x\"\r\nX-Forged: 1\n\(url)",
            "\(magic)\n1\n1\n\(String(repeating: "x", count: 1900))\n\(url)",
            "taskhost.resume-upload/1\n1\n1\n1\nhttp://127.0.0.1:1/\n\(url)",
        ]
        for (place, text) in forged.enumerated() {
            try forge(text)
            let end = try download(place + 1, "a", "continue")
            #expect(end.contains(" error 0 ") && end.contains(" received 40000 "), "\(text): \(end)")
            #expect(try bench.kept(place + 1) == bench.files["a"], "\(text)")
        }
        #expect(try parts() == [])
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("puts no added header beside the validator of its resume data")
    func forgedValidator() throws {
        let url = bench.web.url("throttled/big?rate=100k")
        try bench.perform("download s \(url)")
        try bench.waitFor("progress s 1 ")
        try bench.perform("cancel-resumable s 1")
        try bench.waitFor("completed s 1 ")
        #expect(try parts() == ["1.part"])
        try forge("taskhost.resume/1\n1\n10\n\"x\"\rX-Forged: 1\n\(url)")
        try bench.perform("continue s \(url)")
        try bench.waitFor("completed s 2 ")
        #expect(try bench.kept(2) == bench.files["big"])
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("resumes no file of a transfer that is under way")
    func partUnderWay() throws {
        let url = bench.web.url("throttled/big?rate=100k")
        try bench.perform("download s \(url)")
        try bench.waitFor("progress s 1 ")
        try forge("taskhost.resume/1\n1\n10\n\"x\"\n\(url)")
        try bench.perform("continue s \(url)")
        try bench.waitFor("completed s 1 ")
        try bench.waitFor("completed s 2 ")
        for number in 1...2 { #expect(try bench.kept(number) == bench.files["big"], "\(number)") }
        #expect(try bench.daemon.stop().status == 0)
    }

    private func forge(_ resumeData: String) throws {
        let digits = resumeData.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        try bench.perform("forge " + digits.joined())
    }
}
