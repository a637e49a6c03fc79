import Conditions
import Foundation
import Linux
import TaskModel
import TestSupport
import Testing

@Suite("What tasks run")
struct HandlerFilesTests {
    /// The files of one manifest, in a loop, and another file that marks the end of a silence.
    private final class Watched {
        private(set) var reports = 0
        private var ends = 0
        private let paths: [String]
        private let folder: TestSupport.Folder
        let loop: TestLoop
        private let files: HandlerFiles
        private final class Told { weak var owner: Watched? }

        init(_ paths: String..., in folder: TestSupport.Folder) throws {
            self.folder = folder
            self.paths = paths.map { folder.path + "/" + $0 }
            try folder.shell("echo > end")
            let told = Told()
            files = try HandlerFiles { manifest in
                if manifest == "end" { told.owner?.ends += 1 } else { told.owner?.reports += 1 }
            }
            loop = try TestLoop(files)
            told.owner = self
            read()
        }

        func read() {
            let now = Instant(nanoseconds: 0)
            files.set(paths.flatMap(PathStep.steps), of: "job", at: now)
            files.set(PathStep.steps(to: folder.path + "/end"), of: "end", at: now)
        }

        func mountsChanged() { files.mountsChanged(at: Clock.moment().instant) }

        /// Turns until a change is announced, and reads the files as they are then.
        func expectChange(_ script: String) throws {
            let before = reports
            try folder.shell(script)
            try loop.run { reports > before }
            read()
            try expectNone(":")
        }

        /// Turns until a later change, of the other file, is announced.
        func expectNone(_ script: String) throws {
            let before = (reports, ends)
            try folder.shell(script + "\nchmod u+w,g+w end; chmod g-w end")
            try loop.run { ends > before.1 }
            #expect(reports == before.0)
            read()
        }
    }

    /// Each has to be announced.
    static let changes = [
        "echo 2 > .new; mv .new job", "echo more >> job", "rm job", "mv job away", "chmod 700 job", "rm -r ../bin",
        "cp job copy; mv copy job", "mv ../bin ../was; mkdir ../bin; echo > ../bin/job",
    ]

    @Test("A file that changes, appears or goes is announced", arguments: changes)
    func change(_ script: String) throws {
        let folder = try TestSupport.Folder()
        try folder.shell("mkdir bin; echo 1 > bin/job; chmod 755 bin/job; echo > bin/other")
        let watched = try Watched("bin/job", in: folder)
        try watched.expectNone("echo > bin/other; rm bin/other; cat bin/job")
        try watched.expectChange("cd bin; " + script)
    }

    @Test func `One that is missing is awaited, with its folder, and again when that goes`() throws {
        let folder = try TestSupport.Folder()
        let watched = try Watched("far/off/job", in: folder)
        try watched.expectNone("mkdir -p far/off; echo > far/off/other")
        try watched.expectChange("echo > far/off/job")
        try watched.expectChange("mv far gone")
        try watched.expectChange("mv gone far")
    }

    @Test func `A link that leads elsewhere is another file`() throws {
        let folder = try TestSupport.Folder()
        try folder.shell("mkdir 1 2; echo > 1/job; echo > 2/job; ln -s 1 current")
        let watched = try Watched("current/job", in: folder)
        try watched.expectNone("echo > 2/job")
        try watched.expectChange("ln -s 2 next; mv -T next current")
        try watched.expectNone("echo > 1/job")
        try watched.expectChange("echo more > 2/job")
    }

    @Test func `One that nobody reads again is announced once, and one that is let go never`() throws {
        let folder = try TestSupport.Folder()
        try folder.shell("echo > job; echo > end")
        var reports: [String] = []
        let files = try HandlerFiles { reports.append($0) }
        let loop = try TestLoop(files)
        let now = Instant(nanoseconds: 0)
        files.set(PathStep.steps(to: folder.path + "/job"), of: "job", at: now)
        for name in ["first", "second"] { files.set(PathStep.steps(to: folder.path + "/end"), of: name, at: now) }
        try folder.shell("chmod 700 job")
        try loop.run { !reports.isEmpty }
        files.set([], of: "first", at: now)
        try folder.shell("touch other; chmod 700 end")
        try loop.run { reports.count > 1 }
        #expect(reports == ["job", "second"])
    }

    @Test("A file system that is mounted over it is announced", .enabled(if: ThisProcess.isRoot))
    func mounts() throws {
        let folder = try TestSupport.Folder()
        try folder.shell("mkdir disk; echo > disk/job")
        let watched = try Watched("disk/job", in: folder)
        // The kernel's word comes in a loop of its own.
        var changes = 0
        let mounts = try TestLoop(
            MountWatch { _ in
                changes += 1
                watched.mountsChanged()
            })
        defer { _ = try? folder.shell("umount disk") }
        func expectChange(_ script: String) throws {
            let before = (changes, watched.reports)
            try folder.shell(script)
            try mounts.run { changes > before.0 }
            try watched.loop.run { watched.reports > before.1 }
            watched.read()
        }
        try expectChange("mount -t tmpfs none disk")
        try watched.expectChange("echo > disk/job")
        try expectChange("umount disk")
    }
}
