import CLinux
import Foundation
import Glibc
import Linux
import TestSupport
import Testing

@Suite("Opening below a folder")
struct OpeningTests {
    private static let paths = [
        "file", "./file", "a/b/file", "a/../file", "a/b/../../file", "a//b/./file", "a/", "a", ".", "..",
        "../root/file",
        "a/../../root/file", "", "/etc/passwd", "missing", "a/missing", "file/", "file/more", "inside", "a/up",
        "a/upTwice",
        "folder/file", "chain", "absolute", "out", "circle", "dangling", "a/b/out/x", "locked/file",
        String(repeating: "x", count: 300), String(repeating: "a/../", count: 200) + "file",
    ]

    private func tree() throws -> TestSupport.Folder {
        let folder = try TestSupport.Folder()
        let command = try Command.run(
            "sh",
            [
                "-ec",
                """
                mkdir -p root/a/b && cd root
                echo file > file && echo deep > a/b/file && echo secret > ../secret
                ln -s a/b/file inside; ln -s ../file a/up; ln -s ../../file a/upTwice; ln -s a/b folder
                ln -s folder/../../inside chain; ln -s /etc/passwd absolute; ln -s ../secret out; ln -s circle circle
                ln -s nowhere dangling; ln -s ../../.. a/b/out; ln -s a/../../root locked
                """,
            ], in: folder.url)
        guard command.succeeded else { throw Problem(command.output) }
        return folder
    }

    /// What an open file is, or the error.
    private func facts(_ number: Int32) throws -> (code: Int32, facts: FileSystem.Facts?) {
        guard number >= 0 else { return (number, nil) }
        return (0, try FileSystem.facts(of: Descriptor(adopting: number)))
    }

    @Test("is the same by parts as by the kernel in one call", arguments: [O_RDONLY, OpenFlags.O_PATH.rawValue])
    func same(_ flags: Int32) throws {
        let folder = try tree()
        let root = try Descriptor.open(folder.file("root").path, [.O_PATH, .O_DIRECTORY])
        for path in Self.paths {
            let kernel = try facts(clinux_open_beneath(root.number, path, flags))
            let parts = try facts(clinux_open_by_parts(root.number, path, flags, 1))
            #expect(kernel == parts, "\(path)")
        }
        for path in Self.paths where !path.hasPrefix("/") {
            let place = folder.file("root").path + "/" + path
            let kernel = try facts(clinux_open_path_without_links(place))
            let parts = try facts(
                clinux_open_by_parts(root.number, path.isEmpty ? "." : path, OpenFlags.O_PATH.rawValue, 0))
            // Above the root is more, which the whole path may name.
            if parts.code != -EXDEV { #expect(kernel == parts, "\(path)") }
        }
    }

    @Test("by parts goes no deeper than it says, and leaves nothing open")
    func depth() async throws {
        let folder = try TestSupport.Folder()
        let deep = Array(repeating: "d", count: 80).joined(separator: "/")
        #expect(try Command.run("mkdir", ["-p", folder.file(deep).path]).succeeded)
        // A separate process: other tests open files beside this one.
        await #expect(processExitsWith: .success) { [path = folder.path as String, deep = deep as String] in
            let root = try Descriptor.open(path, [.O_PATH, .O_DIRECTORY])
            let before = try FileSystem.names(in: "/proc/self/fd")
            for _ in 0..<300 {
                #expect(clinux_open_by_parts(root.number, deep, O_RDONLY, 1) == -ENAMETOOLONG)
                #expect(clinux_open_by_parts(root.number, deep + "/..", O_RDONLY, 1) == -ENAMETOOLONG)
            }
            // One a call would be hundreds; the test's library may open one meanwhile.
            let left = Set(try FileSystem.names(in: "/proc/self/fd")).subtracting(before)
            #expect(left.count < 300, "\(left)")
        }
    }
}
