import Foundation
import Glibc
import Linux
import TestSupport
import Testing

@Suite("Giving a folder's files to another user", .enabled(if: geteuid() == 0, "only root can give files away"))
struct FolderHandoverTests {
    private static let former: UInt32 = 2_000_000_301
    private static let user: UInt32 = 2_000_000_302

    private func owner(_ folder: TestSupport.Folder, _ name: String) throws -> [UInt32] {
        let facts = try FileSystem.facts(ofPath: folder.file(name).path)
        return [facts.user, facts.group]
    }

    @Test("gives the user's own, at any depth, and neither links, nor files with two names, nor those of others")
    func gives() throws {
        let folder = try TestSupport.Folder()
        for name in ["own", "inner/deep/own", "twice", "others", "outside"] { try folder.write(name, "text") }
        try FileManager.default.linkItem(at: folder.file("twice"), to: folder.file("again"))
        try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("others"))
        for name in ["own", "inner", "inner/deep", "inner/deep/own", "twice", "link"] {
            try FileSystem.changeOwner(folder.file(name).path, user: Self.former, group: Self.former)
        }
        let place = try Descriptor.open(folder.path, [.O_PATH, .O_DIRECTORY])
        var handover = FolderHandover(from: Self.former, to: Self.user, group: 7)
        try handover.give(contentsOf: place, naming: folder.path)
        for name in ["own", "inner", "inner/deep", "inner/deep/own", "link"] {
            #expect(try owner(folder, name) == [Self.user, 7], "\(name)")
        }
        #expect(try owner(folder, "twice") == [Self.former, Self.former])
        #expect(try owner(folder, "others") == [0, 0])
    }

    @Test("gives up below 64 folders")
    func tooDeep() throws {
        let folder = try TestSupport.Folder()
        var path = folder.path
        for _ in 0..<70 {
            path += "/a"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try FileSystem.changeOwner(path, user: Self.former, group: Self.former)
        }
        let place = try Descriptor.open(folder.path, [.O_PATH, .O_DIRECTORY])
        var handover = FolderHandover(from: Self.former, to: Self.user, group: 7)
        let error = #expect(throws: SystemError.self) { try handover.give(contentsOf: place, naming: folder.path) }
        #expect(error?.code == .ELOOP)
    }
}
