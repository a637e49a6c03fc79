import Foundation
import Linux
import TestSupport
import Testing

@Suite("What executing a file executes")
struct ProgramFileTests {
    private let folder: TestSupport.Folder

    init() throws { folder = try TestSupport.Folder() }

    private func write(_ name: String, _ text: String, mode: Int = 0o755) throws -> String {
        let path = try folder.write(name, Data(text.utf8)).path
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test("is the program and its loader")
    func program() throws {
        let chain = try ProgramFile.chain(of: "/usr/bin/env")
        #expect(chain.count == 2 && chain[0] == "/usr/bin/env" && chain[1].contains("/ld-linux"), "\(chain)")
    }

    @Test(
        "is a script, its interpreter and what that needs", arguments: ["#!/bin/sh\n", "#! /bin/sh -e\n", "#!/bin/sh"])
    func script(_ line: String) throws {
        let path = try write("script", line)
        let chain = try ProgramFile.chain(of: path)
        #expect(chain.prefix(2) == [path, "/bin/sh"] && chain.count == 3, "\(chain)")
    }

    @Test("is what env looks for as well", arguments: ["#!/usr/bin/env sh\n", "#!/usr/bin/env -S A=b sh -e\n"])
    func looked(_ line: String) throws {
        let chain = try ProgramFile.chain(of: try write("script", line))
        #expect(chain.contains("/usr/bin/env") && chain.contains("/usr/bin/sh"), "\(chain)")
    }

    @Test("ends with a sentence where the kernel would refuse it")
    func faults() throws {
        let loop = try write("loop", "#!\(folder.file("loop").path)\n")
        let cases = [
            (folder.file("absent").path, "which is not there"), (folder.path, "which cannot be read"),
            (try write("plain", "echo", mode: 0o644), "which nobody may execute"),
            (try write("text", "echo"), "neither a program"), (try write("empty", ""), "neither a program"),
            (try write("nothing", "#!\n"), "without the absolute path"),
            (try write("bare", "#!sh\n"), "without the absolute path"),
            (try write("lost", "#!/usr/bin/env not-there-at-all\n"), "whose interpreter is not in"),
            (try write("gone", "#!/not/there\n"), "/not/there, which is not there"), (loop, "more than 5 interpreters"),
            (try write("cut", "\u{7F}ELF\u{02}\u{01}"), ""),
        ]
        for (path, words) in cases where !words.isEmpty {
            let fault = #expect(throws: ProgramFile.Fault.self) { try ProgramFile.chain(of: path) }
            #expect(fault?.sentence.contains(words) == true, "\(path): \(fault?.sentence ?? "")")
        }
        // No loader is named: the kernel has the last word.
        #expect(try ProgramFile.chain(of: folder.file("cut").path).count == 1)
    }
}
