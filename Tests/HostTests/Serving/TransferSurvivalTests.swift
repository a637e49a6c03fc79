import Foundation
import Glibc
import Setting
import TestSupport
import Testing

/// Ten files are under way whenever something dies.
@Suite("Transfers that outlive what dies")
struct TransferSurvivalTests {
    private static func downloads() throws -> Downloads { try Downloads(files: 10, bytes: 36_000, rate: 24_000) }

    #if DEBUG
    struct Death: CustomStringConvertible {
        var point: Failpoint
        var count: Int
        var description: String { "\(point.rawValue):\(count)" }
    }

    static let deaths: [Death] = [
        (.recoverBefore, [1]), (.recoverAfter, [1]), (.clearAfter, [1]), (.transferBegin, [1, 4, 9]),
        (.transferEnd, [1, 10]), (.transferPublish, [1, 5]), (.transferTell, [1, 2, 20]),
        (.commitBefore, [2, 7]), (.commitAfter, [2, 7]), (.flushBefore, [2, 5]), (.flushAfter, [2, 5]),
    ].flatMap { (point: Failpoint, counts: [Int]) in counts.map { Death(point: point, count: $0) } }

    @Test("continue when the host dies, wherever that is", arguments: deaths)
    func hostDies(_ death: Death) throws {
        let downloads = try Self.downloads()
        let first = try Daemon(downloads.station)
        let run = try downloads.begin(first)
        try first.kill()
        #expect(try downloads.recorded() == 10)
        #expect(try !run.finish().succeeded)

        let doomed = try downloads.station.start(["serve"], environment: ["TASKHOST_FAILPOINT": death.description])
        #expect(try doomed.finish().signal == SIGKILL)
        downloads.station.expectEveryProcessEnds()

        let last = try Daemon(downloads.station)
        try downloads.waitForAll(last)
        #expect(try last.stop().status == 0)
        try downloads.expectAll(deaths: 2)
        downloads.station.expectNothingLeft()
    }

    @Test("resume after what is known to be on disk when the machine loses its power", arguments: [false, true])
    func powerIsLost(hasEnds: Bool) throws {
        let downloads = try Self.downloads()
        let first = try Daemon(
            downloads.station,
            environment: hasEnds ? ["TASKHOST_FAILPOINT": Death(point: .transferPublish, count: 1).description] : [:])
        let run = try downloads.begin(first)
        if hasEnds {
            // The end of one is on record, and its file has not been moved yet.
            #expect(try first.program.finish().signal == SIGKILL)
            downloads.station.expectEveryProcessEnds()
            #expect(try downloads.recorded(state: 5) > 0)
        } else {
            try first.kill()
        }
        #expect(try !run.finish().succeeded)
        try downloads.loseWhatIsNotDurable()

        let last = try Daemon(downloads.station)
        try downloads.waitForAll(last)
        #expect(try last.stop().status == 0)
        try downloads.expectAll(deaths: 1)
    }
    #endif

    @Test("continue when their process dies, again and again")
    func transferProcessDies() throws {
        let downloads = try Self.downloads()
        let daemon = try Daemon(downloads.station)
        let run = try downloads.begin(daemon)
        for count in 2...3 {
            #expect(kill(try downloads.transferProcess(of: daemon), SIGKILL) == 0)
            // All six that were under way are begun again.
            try downloads.waitForResponses(6 * count)
        }
        #expect(try run.finish().succeeded)
        try daemon.tell("quit", Downloads.application)
        #expect(try daemon.stop().status == 0)
        try downloads.expectAll(deaths: 0)
        downloads.station.expectNothingLeft()
    }

    @Test("continue when their application dies, which is launched for their ends")
    func applicationDies() throws {
        let downloads = try Self.downloads()
        let daemon = try Daemon(downloads.station)
        let run = try downloads.begin(daemon)
        #expect(kill(try downloads.worker(of: daemon), SIGKILL) == 0)
        #expect(try !run.finish().succeeded)
        try downloads.waitForAll(daemon)
        #expect(try daemon.stop().status == 0)
        try downloads.expectAll(deaths: 1)
        let told = downloads.heard.drop { !$0.hasPrefix("handle-events s ") }.filter { !$0.hasPrefix("known ") }
        #expect(told.count == 2 + 20 + 2, "\(told)")
        #expect(told.dropLast().last?.hasPrefix("all-told s ") == true, "\(told)")
        downloads.station.expectNothingLeft()
    }

    @Test("are delivered again when their application dies while it receives them", arguments: ["7", "9", "11"])
    func applicationDiesInEvents(kind: String) throws {
        let downloads = try Self.downloads()
        let daemon = try Daemon(downloads.station)
        let run = try downloads.begin(daemon)
        try downloads.setLaunch("crash \(kind)")
        #expect(kill(try downloads.worker(of: daemon), SIGKILL) == 0)
        #expect(try !run.finish().succeeded)
        // It is launched for the events, and dies of the first one of that kind.
        try daemon.waitUntil {
            try downloads.heard.contains { $0.hasPrefix("handle-events s ") }
                && downloads.isAtRest(daemon, "notRunning")
        }
        // Then a user opens it: it receives the rest without being called for it.
        try downloads.setLaunch("have s")
        try daemon.tell("foreground", Downloads.application)
        try daemon.tell("background", Downloads.application)
        try daemon.waitUntil { try downloads.haveCompleted && downloads.isAtRest(daemon) }
        #expect(try daemon.stop().status == 0)
        try downloads.expectAll(deaths: 2)
    }
}
