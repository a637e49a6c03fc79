import Engine
import Foundation
import Linux
import Record
import Setting
import TaskModel
import TestSupport
import Testing
@testable import Host

/// The kernel's audit log is filled by a thread of the kernel, which may not get a processor before a run's end.
@Suite("What the audit log tells after a run's end")
struct LateDenialTests {
    private let secret = Denial(.read, "/a", .recorded)
    private let run = ULID(high: 1, low: 1)

    private func instant(_ seconds: Int64) -> Instant { Instant(nanoseconds: 0) + .seconds(seconds) }

    @Test("is of the newest run of its process, once")
    func once() {
        var late = LateDenials()
        let newer = ULID(high: 2, low: 1)
        late.expect(of: run, 7, told: [], at: instant(0))
        late.expect(of: newer, 7, told: [secret], at: instant(1))
        #expect(late.take(secret, of: 7, at: instant(2)) == (true, nil))
        let other = Denial(.read, "/b", .recorded)
        #expect(late.take(other, of: 8, at: instant(2)) == (false, nil))
        #expect(late.take(other, of: 7, at: instant(2)) == (true, newer))
        #expect(late.take(other, of: 7, at: instant(2)) == (true, nil))
        late.forget(7)
        #expect(late.take(other, of: 7, at: instant(2)) == (false, nil))
    }

    @Test("is forgotten after a while, and when many have ended, and is bounded for each")
    func bounded() {
        var late = LateDenials()
        late.expect(of: run, 7, told: [], at: instant(0))
        #expect(late.take(secret, of: 7, at: instant(11)) == (false, nil))
        for number in 0..<40 { late.expect(of: ULID(high: 2, low: UInt64(number)), 8, told: [], at: instant(1)) }
        #expect(late.take(secret, of: 7, at: instant(1)) == (false, nil))
        let many = (0..<64).map { Denial(.read, "/\($0)", .recorded) }
        for _ in 0..<3 { late.expect(of: run, 9, told: many, at: instant(1)) }
        #expect(late.take(secret, of: 9, at: instant(1)) == (true, nil))
    }

    @Test(
        "is in the record of the run",
        .enabled(if: Machine.isRoot && Landlock.version >= RecordedDenials.landlock, "this kernel keeps no such log"))
    func kept() throws {
        let folder = try TestSupport.Folder()
        let task: [String: Any] = ["kind": "processing", "handler": ["command": ["/bin/false"]]]
        let manifest = ManifestText(members: [
            "identifier": "com.example.late", "tasks": ["com.example.late.task": task],
        ])
        let file = folder.file("late.json")
        try manifest.data.write(to: file)
        let host = try HostUnderTest(stateFolder: folder.file("state").path, configuration: HostConfiguration())
        let application = try #require(Catalogue([file.path], profile: .modern).applications.first)
        let index = try #require(try host.install(application).first)
        host.decider.refreshClock()
        let run = host.submit(index, observer: nil)
        // From its launch on, which may be long before its start and shortly before its end.
        var found: (process: Int32, id: ULID)?
        try host.run {
            let worker = host.workers.table.living.first { host.decider.runs(of: $0.handle).contains(run) }
            if let process = worker?.pid, let id = host.decider.run(run)?.id { found = (process, id) }
            return found != nil
        }
        let (process, id) = try #require(found)
        let reader = host.keeper.store.reader
        try host.run { (try? reader.run(id))??.outcome != nil }
        for place in ["/a", "/b", "/a"] {
            host.workers.launcher.recorded?.refused(process, Denial(.read, place, .recorded))
        }
        try host.run { (try? reader.run(id))??.diagnostics.isEmpty == false }
        let told = try #require(try reader.run(id)).diagnostics
        #expect(told == ["/a", "/b"].map { Denial(.read, $0, .recorded).sentence })
        try host.close()
    }
}
