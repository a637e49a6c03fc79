import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Scrub", .disabled(if: Places.isSanitized, "a plain host cannot load a sanitized library"))
struct ScrubTests {
    /// A folder to scrub, and Scrub's memory of it.
    struct Bench {
        let files: Folder
        let state: Folder

        init() throws {
            files = try Folder()
            state = try Folder()
        }

        func scrub(_ settings: String = "", options: [String] = []) throws -> Harness {
            try Harness.run(
                Places.products.appending(path: "libScrub.so"), ["scrub"], state: state,
                settings: #"{"folder": "\#(files.path)"\#(settings.isEmpty ? "" : ", \(settings)")}"#,
                options: ["--wall", "60"] + options)
        }

        func index() throws -> SQLite { try SQLite(state.file("scrub.sqlite")) }
    }

    /// Changes one byte as a failing disk does: neither size nor modification time shows it.
    private func rot(_ file: URL, at offset: Int = 0) throws {
        var status = stat()
        #expect(stat(file.path, &status) == 0)
        var bytes = try Data(contentsOf: file)
        bytes[offset] ^= 0x10
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: bytes)
        try handle.close()
        #expect(utimensat(AT_FDCWD, file.path, [status.st_atim, status.st_mtim], 0) == 0)
    }

    @Test("keeps the SHA-256 of every file, whatever its length")
    func checksums() throws {
        let bench = try Bench()
        let lengths = [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 262_143, 262_144, 262_145, 700_001]
        for length in lengths {
            try bench.files.write("file\(length)", (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) })
        }
        let run = try bench.scrub()
        #expect(run.outcome == "succeeded", "\(run.output)")
        let index = try bench.index()
        for length in lengths {
            let sum = try Command.run("sha256sum", [bench.files.file("file\(length)").path]).output.prefix(64)
            #expect(
                try index.column("SELECT lower(hex(checksum)) FROM files WHERE path = 'file\(length)'") == [String(sum)]
            )
        }
    }

    @Test("reports a file that rotted, in every pass until it is whole again")
    func reportsRot() throws {
        let bench = try Bench()
        for number in 0..<10 { try bench.files.write("folder\(number % 3)/file\(number)", "content \(number)") }
        #expect(try bench.scrub().outcome == "succeeded")

        let victim = bench.files.file("folder1/file4")
        try rot(victim)
        for _ in 0..<2 {
            let run = try bench.scrub()
            #expect(run.outcome == "failed", "\(run.output)")
            let errors = run.lines(of: "log").filter { $0.hasPrefix("4 ") }
            #expect(errors.count == 1)
            #expect(errors.first?.contains("\(victim.path): rotted") == true)
            #expect(try bench.index().column("SELECT path FROM rot") == ["folder1/file4"])
        }
        try rot(victim)
        #expect(try bench.scrub().outcome == "succeeded")
        #expect(try bench.index().column("SELECT path FROM rot").isEmpty)
    }

    @Test("takes a change that shows in size or modification time for a change")
    func acceptsChanges() throws {
        let bench = try Bench()
        try bench.files.write("longer", "content")
        try bench.files.write("touched", "content")
        try bench.files.write("removed", "content")
        #expect(try bench.scrub().outcome == "succeeded")
        try bench.files.write("longer", "content and more")
        try rot(bench.files.file("touched"))
        let later = timespec(tv_sec: 2_000_000_000, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, bench.files.file("touched").path, [later, later], 0) == 0)
        try FileManager.default.removeItem(at: bench.files.file("removed"))
        try bench.files.write("added", "content")
        #expect(try bench.scrub().outcome == "succeeded")
        #expect(try bench.index().column("SELECT path FROM files") == ["added", "longer", "touched"])
    }

    @Test("stops when it expires, and the next run resumes where it stopped")
    func resumes() throws {
        let bench = try Bench()
        for number in 0..<600 {
            try bench.files.write("folder\(number % 7)/sub\(number % 5)/file\(number)", "\(number)")
        }
        let first = try bench.scrub(options: ["--expire-after-lines", "2"])
        #expect(first.outcome == "expired", "\(first.output)")
        let known = try bench.index().column("SELECT count(*) FROM files")
        #expect(known == ["256"])
        // Meanwhile the last file that was read is removed: its place in the order remains.
        let position = try bench.index().column("SELECT position FROM walks")[0]
        try FileManager.default.removeItem(at: bench.files.file(position))

        let second = try bench.scrub()
        #expect(second.outcome == "succeeded", "\(second.output)")
        #expect(second.lines(of: "log").contains { $0.contains("pass 1 continues after \(position)") })
        // Read once each: 600 in both runs together.
        #expect(second.lines(of: "log").contains { $0.contains("pass 1 is done: 600 files") }, "\(second.output)")
        #expect(try bench.index().column("SELECT pass || position FROM walks") == ["2"])
        #expect(try bench.scrub().outcome == "succeeded")
        #expect(try bench.index().column("SELECT count(*) FROM files") == ["599"])
    }

    @Test("resumes in the middle of a file that is too long for one run")
    func resumesWithinFile() throws {
        let bench = try Bench()
        let chunk = 256 * 1024
        let file = try bench.files.write("large", (0..<(5 * chunk + 77)).map { UInt8(truncatingIfNeeded: $0 >> 3) })
        var runs = 0
        var run: Harness
        repeat {
            run = try bench.scrub(options: ["--expire-after-looks", "3"])
            runs += 1
        } while run.outcome == "expired" && runs < 20
        #expect(run.outcome == "succeeded", "\(run.output)")
        #expect(runs > 3)
        let sum = try Command.run("sha256sum", [file.path]).output.prefix(64)
        #expect(try bench.index().column("SELECT lower(hex(checksum)) FROM files") == [String(sum)])
    }

    @Test("begins a long file again when it changed between two runs")
    func noticesChangeBetweenRuns() throws {
        let bench = try Bench()
        let file = try bench.files.write("large", [UInt8](repeating: 1, count: 1_000_000))
        #expect(try bench.scrub(options: ["--expire-after-looks", "3"]).outcome == "expired")
        try bench.files.write("large", [UInt8](repeating: 2, count: 1_000_000))
        #expect(try bench.scrub().outcome == "succeeded")
        let sum = try Command.run("sha256sum", [file.path]).output.prefix(64)
        #expect(try bench.index().column("SELECT lower(hex(checksum)) FROM files") == [String(sum)])
    }

    @Test("fails when rot was found by an earlier run of the same pass")
    func rotCountsForThePass() throws {
        let bench = try Bench()
        for number in 100..<500 { try bench.files.write("file\(number)", "\(number)") }
        #expect(try bench.scrub().outcome == "succeeded")
        try rot(bench.files.file("file100"))
        #expect(try bench.scrub(options: ["--expire-after-lines", "2"]).outcome == "expired")
        #expect(try bench.scrub().outcome == "failed")
        try rot(bench.files.file("file100"))
        #expect(try bench.scrub().outcome == "succeeded")
    }

    @Test("reads no more files than maximumFiles, and leaves the rest to the next run")
    func maximumFiles() throws {
        let bench = try Bench()
        for number in 0..<25 { try bench.files.write("file\(number)", "\(number)") }
        for known in ["10", "20", "25"] {
            #expect(try bench.scrub(#""maximumFiles": 10"#).outcome == "succeeded")
            #expect(try bench.index().column("SELECT count(*) FROM files") == [known])
        }
    }

    @Test("follows no links, and counts what it cannot read")
    func linksAndUnreadable() throws {
        let bench = try Bench()
        let elsewhere = try Folder()
        try elsewhere.write("outside", "content")
        try bench.files.write("inside", "content")
        let manager = FileManager.default
        try manager.createSymbolicLink(at: bench.files.file("link"), withDestinationURL: elsewhere.url)
        try manager.createSymbolicLink(at: bench.files.file("filelink"), withDestinationURL: elsewhere.file("outside"))
        try manager.createSymbolicLink(at: bench.files.file("loop"), withDestinationURL: bench.files.url)
        #expect(mkfifo(bench.files.file("pipe").path, 0o600) == 0)
        try bench.files.write((0..<110).map { "deep\($0)" }.joined(separator: "/") + "/bottom", "content")
        let run = try bench.scrub()
        #expect(run.outcome == "succeeded", "\(run.output)")
        #expect(
            run.lines(of: "log").contains { $0.contains("1 files, 0 MiB, 0 rotted, 1 unreadable") }, "\(run.output)")
        #expect(try bench.index().column("SELECT path FROM files") == ["inside"])
    }

    @Test("keeps names that are no UTF-8 or hold control characters, and logs them harmlessly")
    func oddNames() throws {
        let bench = try Bench()
        for name in [[0xff, 0xfe], Array("line\nbreak".utf8), Array("héllo".utf8)] as [[UInt8]] {
            let path = Array(bench.files.path.utf8) + [0x2f] + name + [0]
            let descriptor = path.withUnsafeBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    $0.baseAddress.map { open($0, O_WRONLY | O_CREAT, 0o600) } ?? -1
                }
            }
            #expect(descriptor >= 0)
            close(descriptor)
        }
        #expect(try bench.scrub().outcome == "succeeded")
        #expect(
            try bench.index().column("SELECT hex(path) FROM files") == ["68C3A96C6C6F", "6C696E650A627265616B", "FFFE"])
        // The index forgets what it wrongly holds: the file's rot is logged by name.
        try bench.index().execute("UPDATE files SET checksum = x'00'")
        let run = try bench.scrub()
        #expect(run.outcome == "failed")
        let errors = run.lines(of: "log").filter { $0.hasPrefix("4 ") }
        #expect(errors.count == 3)
        #expect(errors.contains { $0.contains(#"line\u{a}break: rotted"#) }, "\(run.output)")
    }

    @Test("lets one run at a time have its index, and stops waiting for it when it expires")
    func waitsForTheIndex() throws {
        let bench = try Bench()
        try bench.files.write("file", "content")
        #expect(try bench.scrub().outcome == "succeeded")
        let other = try bench.index()
        try other.execute("BEGIN EXCLUSIVE")
        let expired = try bench.scrub(options: ["--expire-after-looks", "3"])
        #expect(expired.outcome == "expired", "\(expired.output)")
        #expect(expired.output.contains("database is locked"))
        try other.execute("ROLLBACK")
    }

    @Test(
        "says what is wrong with its settings",
        arguments: [
            ("{", "not valid JSON"), ("{}", "\"folder\" is missing"), (#"{"folder": 7}"#, "\"folder\" is missing"),
            (#"{"folder": "relative"}"#, "give an absolute path"),
            (#"{"folder": "/nonexistent/folder"}"#, "/nonexistent/folder: cannot read this folder"),
            (#"{"folder": "/usr", "maximumFiles": 0}"#, "above zero"),
            (#"{"folder": "/usr", "maximumFiles": "many"}"#, "above zero"),
        ])
    func refusesSettings(_ settings: String, _ sentence: String) throws {
        let run = try Harness.run(
            Places.products.appending(path: "libScrub.so"), ["scrub"], state: Folder(), settings: settings)
        #expect(run.outcome == "failed", "\(run.output)")
        #expect(run.lines(of: "log").contains { $0.hasPrefix("4 ") && $0.contains(sentence) }, "\(run.output)")
    }

    @Test("replaces the variables that may begin a path")
    func variables() throws {
        let state = try Folder()
        try state.write("own/file", "content")
        let run = try Harness.run(
            Places.products.appending(path: "libScrub.so"), ["scrub"], state: state,
            settings: #"{"folder": "$STATE/own/"}"#)
        #expect(run.outcome == "succeeded", "\(run.output)")
        #expect(try SQLite(state.file("scrub.sqlite")).column("SELECT folder FROM files") == [state.file("own").path])
    }
}
