import Foundation
import Glibc
import TestSupport
import Testing

@Suite("What applications keep on the disk")
struct DiskTests {
    private static let keeper = "org.taskhost.keeper"

    private func manifest(disk: String, wallClock: String = "30s", grace: String = "1s") throws -> ManifestText {
        var manifest = ManifestText(members: [
            "identifier": Self.keeper, "library": try Places.built.get().appending(path: "libkeeper.so").path,
        ])
        var tasks: [String: Any] = [:]
        for word in ["keep", "scatter", "clean", "fill", "heed"] {
            tasks["\(Self.keeper).\(word)"] =
                [
                    "kind": "processing", "handler": "keeper_\(word)", "requires": ["idle": false],
                    "budget": ["wallClock": wallClock, "grace": grace, "disk": disk],
                ] as [String: Any]
        }
        manifest["tasks"] = tasks
        return manifest
    }

    private func run(_ station: Station, _ word: String, _ payload: Int = 0) throws -> RunDocument {
        let report = try station.run("\(Self.keeper).\(word)", "--payload-text", "\(payload)")
        return try #require(report["\(Self.keeper).\(word)"], "\(report.command)")
    }

    @Test func `A run that keeps more than its budget has exceeded it, also when it says that it is done`() throws {
        let station = try Station()
        try station.add(manifest(disk: "8MiB"))
        #expect(try run(station, "keep", 4).outcome == "succeeded")
        let report = try station.run("\(Self.keeper).keep", "--payload-text", "64")
        #expect(report.runs.map(\.outcome) == ["exceededDisk"], "\(report.command)")
        #expect(report.command.status == 18)
    }

    @Test(
        "For each user and each isolation, a run that fills its folders is killed, and no other run is",
        arguments: ["zygote", "run", "exec"], [true, false])
    func isolated(_ isolation: String, asRoot: Bool) throws {
        try #require(Machine.isRoot, "only root can become another user")
        let station = try asRoot ? Station() : Station(user: Machine.nobody)
        var manifest = try ManifestText(fixture: "hostile.fill-disk")
        manifest["isolation"] = isolation
        try station.add(manifest)
        let echo = try station.add(fixture: "fixtures.echo").tasks[0]
        let report = try station.run(manifest.tasks[0], echo, "--payload-text", "x")
        #expect(report[manifest.tasks[0]]?.outcome == "exceededDisk", "\(report.command)")
        #expect(report[echo]?.outcome == "succeeded", "\(report.command)")
        station.expectNothingLeft()
    }

    @Test func `Who has too much may clean up, and may not add to it`() throws {
        let station = try Station()
        try station.add(manifest(disk: "64MiB"))
        #expect(try run(station, "keep", 40).outcome == "succeeded")
        // The manifest of the same application, with less.
        try station.add(manifest(disk: "8MiB"))
        #expect(try run(station, "clean").outcome == "succeeded")
        #expect(try run(station, "keep", 2).outcome == "succeeded")
    }

    @Test func `A folder with more files than are counted counts as full`() throws {
        let station = try Station()
        try station.add(manifest(disk: "1GiB"))
        #expect(try run(station, "scatter", 1000).outcome == "succeeded")
        #expect(try run(station, "scatter", 100_001).outcome == "exceededDisk")
    }
}

/// A host whose state folder is on a small file system.
@Suite("A full disk", .enabled(if: SmallDisk.isPossible, "only root can mount a small file system"))
struct FullDiskTests {
    private static let keeper = "org.taskhost.keeper"

    private func station(_ disk: SmallDisk, _ words: [String], budget: String) throws -> Station {
        let station = try Station(state: disk.folder.file("state").path)
        var tasks: [String: Any] = [:]
        for word in words {
            tasks["\(Self.keeper).\(word)"] =
                [
                    "kind": "processing", "handler": "keeper_\(word)", "requires": ["idle": false],
                    "budget": ["wallClock": "60s", "grace": "1s", "disk": budget],
                ] as [String: Any]
        }
        try station.add(
            ManifestText(members: [
                "identifier": Self.keeper, "tasks": tasks,
                "library": try Places.built.get().appending(path: "libkeeper.so").path,
            ]))
        try station.add(fixture: "fixtures.echo")
        return station
    }

    @Test func `A plugin that fills the disk ends alone: the daemon serves on, records, and starts again`() throws {
        let disk = try SmallDisk(bytes: 48 << 20)
        let station = try station(disk, ["fill"], budget: "1GiB")
        var daemon = try Daemon(station)
        try daemon.tell("submit", "\(Self.keeper).fill")
        try daemon.wait(for: "run.ended", "\(Self.keeper).fill")
        let run = try #require(try station.history().first { $0.identifier == "\(Self.keeper).fill" })
        #expect(run.reason == "diskLow", "\(run)")
        #expect(run.outcome == "overran", "\(run)")
        // It is still full. A request is recorded all the same, and waits.
        try daemon.tell("submit", "\(Self.keeper).fill")
        #expect(try daemon.why("\(Self.keeper).fill").holding.contains("diskSpace"))
        try daemon.program.signal(SIGKILL)
        _ = try daemon.program.finish()
        try disk.fill()
        daemon = try Daemon(station)
        #expect(try daemon.why("\(Self.keeper).fill").holding.contains("diskSpace"))
    }
}
