import Conditions
import Foundation
import TaskModel
import TestSupport
import Testing

@Suite("The file of the machine's time zone")
struct ZoneWatchTests {
    private final class Told { var count = 0 }

    private static let changes = [
        "a link that is replaced": "ln -s zones/B next && mv -T next localtime",
        "a link that is removed and made again": "rm localtime && ln -s zones/B localtime",
        "a link that is removed": "rm localtime",
        "a link that becomes a file": "rm localtime && cp zones/B localtime",
        "what it leads to is written": "cat zones/B > zones/A",
        "what it leads to is replaced": "cp zones/B zones/new && mv zones/new zones/A",
        "a folder on the way is replaced": "mv zones old && cp -r old zones",
    ]

    @Test(
        "is watched by its name and through its links, once for all that comes together",
        arguments: changes.keys.sorted())
    func follows(_ name: String) throws {
        let folder = try Folder()
        try folder.shell("mkdir zones && echo a > zones/A && echo b > zones/B && ln -s zones/A localtime")
        let told = Told()
        let loop = try TestLoop(try ZoneWatch(path: folder.file("localtime").path) { told.count += 1 })
        try folder.shell("touch other zones/C && echo c > zones/C")
        try loop.run(for: .milliseconds(300))
        #expect(told.count == 0)
        try folder.shell(try #require(Self.changes[name]))
        try loop.run { told.count == 1 }
        // Wherever it leads now is watched as well.
        try folder.shell("rm -rf localtime zones && mkdir zones && echo d > zones/D && ln -s zones/D localtime")
        try loop.run { told.count == 2 }
        try folder.shell("echo e > zones/D")
        try loop.run { told.count == 3 }
    }

    @Test("is found when it comes, and so is its folder; links in a circle end")
    func comes() throws {
        let folder = try Folder()
        let told = Told()
        let loop = try TestLoop(try ZoneWatch(path: folder.file("etc/zone/localtime").path) { told.count += 1 })
        try folder.shell("mkdir etc")
        try loop.run { told.count == 1 }
        try folder.shell("mkdir etc/zone && ln -s localtime etc/zone/localtime")
        try loop.run { told.count == 2 }
        try folder.shell("ln -sf ../../file etc/zone/localtime && echo > file")
        try loop.run { told.count >= 3 }
        let count = told.count
        try folder.shell("echo b > file")
        try loop.run { told.count > count }
    }
}
