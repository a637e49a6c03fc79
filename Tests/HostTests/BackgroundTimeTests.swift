import Engine
import Foundation
import Host
import Record
import Setting
import TaskModel
import TestSupport
import Testing

/// The seeds' listings under hosts whose background time is seconds: these tests are the host themselves.
@Suite("Background time", .enabled(if: !Places.isSanitized))
struct BackgroundTimeTests {
    private static let name = "org.taskhost.listings"

    private func host(_ profile: LimitsProfile, in folder: Folder) throws -> HostUnderTest {
        let manifest = [
            "identifier": Self.name, "library": try Places.products.appending(path: "libSeedBackgroundTime.so").path,
        ]
        let path = try folder.write("app.json", JSONSerialization.data(withJSONObject: manifest)).path
        var configuration = HostConfiguration()
        configuration.choose(profile)
        let host = try HostUnderTest(stateFolder: folder.file("state").path, configuration: configuration)
        _ = try host.install(try #require(Catalogue([path], profile: profile).applications.first))
        return host
    }

    @Test(
        "ends the seeds' loop by its expiration, under each profile, and the application lives on",
        arguments: [(LimitsProfile.ios6, 9), (.ios7, 8), (.modern, 7)])
    func loop(_ profile: LimitsProfile, _ seconds: Int) throws {
        var shrunk = profile
        // The time to end is the profile's own: a busy machine needs it.
        shrunk.backgroundTime = .seconds(Int64(seconds))
        let folder = try Folder()
        let host = try host(shrunk, in: folder)
        let log = folder.file("state/applications/\(Self.name)/state/Documents/log.txt")
        func lines() -> [Substring] { ((try? String(contentsOf: log, encoding: .utf8)) ?? "").split(separator: "\n") }
        var state: ApplicationState { host.decider.state(of: .first) }
        /// Turns until it is so; fails when the application is ended, after which nothing would change.
        func turn(until isSo: () -> Bool) throws {
            var wasThere = false
            try host.run {
                let isGone = state == .notRunning && wasThere
                wasThere = wasThere || state != .notRunning
                return isGone || isSo()
            }
            try #require(state != .notRunning, "\(lines())")
        }

        // The loop of its first time in the background ends by its flag, or because the application is in front again.
        for time in 1...2 {
            host.applications.foreground(.first)
            try turn { state == .active && (time == 1 || lines().contains("the loop is done")) }
            host.applications.background(.first)
            try turn { state != .active }
        }
        try turn { state == .suspended && lines().contains("Exhausted time") }
        host.applications.foreground(.first)
        try turn { state == .active }
        #expect(try host.history.terminations(application: Self.name, before: nil, limit: 1).elements.isEmpty)
        try host.close()

        let first = try #require(lines().firstIndex(of: "the loop is done"))
        let left = lines()[first...].compactMap { Double($0) }
        #expect(left.first.map { $0 <= Double(seconds) && $0 > 1 } == true, "\(lines())")
        #expect(left.count <= seconds)
        #expect(zip(left, left.dropFirst()).allSatisfy { $1 <= $0 - 1 && $1 > 0 }, "a second at least for each step")
        #expect(lines().count { $0 == "the loop is done" } == 1)
    }
}
