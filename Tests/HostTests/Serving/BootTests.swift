import Foundation
import Setting
import TaskModel
import TestSupport
import Testing

@Suite("A schedule at boot")
struct BootTests {
    private static let task = "org.taskhost.boot.agent"

    private func station() throws -> Station {
        let station = try Station()
        try station.add(
            ManifestText(members: [
                "identifier": "org.taskhost.boot",
                "tasks": [
                    Self.task: [
                        "kind": "processing", "handler": ["command": ["/usr/bin/true"]], "schedule": ["boot": true],
                        "requires": ["idle": false],
                    ] as [String: Any]
                ],
            ]))
        return station
    }

    @Test("has one time a boot of the machine, however often a host is started in it")
    func once() throws {
        let station = try station()
        let mark = station.state + "/boot"
        // Whether the first host of a folder takes the boot for a new one is a matter of the machine's age.
        let first = try Daemon(station)
        #expect(try first.stop().status == 0)
        #expect(try String(contentsOfFile: mark, encoding: .utf8) == BootMark.id + "\n")
        try Data("another boot\n".utf8).write(to: URL(filePath: mark))
        let second = try Daemon(station)
        try second.wait(for: "run.ended", Self.task)
        #expect(try String(contentsOfFile: mark, encoding: .utf8) == BootMark.id + "\n")
        try second.tell("reload")
        #expect(try second.why(Self.task).pending == false)
        #expect(try second.stop().status == 0)
        let runs = try station.history().count
        let third = try Daemon(station)
        #expect(try third.why(Self.task).pending == false)
        #expect(try third.tell("describe", Self.task).contains("once a boot of the machine"))
        #expect(try third.stop().status == 0)
        #expect(try station.history().count == runs)
    }

    @Test("is new when the machine is, and waits for the next boot else")
    func marks() throws {
        let folder = try Folder()
        func mark(_ boot: String, _ age: TimeSpan = .minutes(60)) -> BootMark {
            BootMark(stateFolder: folder.path, boot: boot, age: age)
        }
        #expect(!mark("a").isNew && mark("a", .seconds(59)).isNew)
        try mark("a").settle()
        #expect(!mark("a", .seconds(59)).isNew && mark("b").isNew)
        try mark("b").settle()
        #expect(!mark("b").isNew && mark("a").isNew)
    }
}
