import Conditions
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing

@Suite("Clock jumps", .serialized)
struct ClockTests {
    private static let isRoot = geteuid() == 0

    /// Sets the wall clock to what it shows: a jump by the microsecond that this takes.
    private func setClock() throws {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        guard clock_settime(CLOCK_REALTIME, &now) == 0 else { throw Problem("clock_settime: \(errno)") }
    }

    @Test("Each setting of the clock is reported, and time that passes is not", .enabled(if: isRoot))
    func jumps() throws {
        final class Told { var jumps: [ClockJump] = [] }
        let told = Told()
        let loop = try TestLoop(ClockWatch { told.jumps.append($0) })
        try loop.run(for: .milliseconds(300))
        let before = told.jumps.count  // another test, or a time service, may set the clock
        try setClock()
        try loop.run { told.jumps.count > before }
        let first = told.jumps.count
        try setClock()
        try loop.run { told.jumps.count > first }
        for jump in told.jumps {
            #expect(abs(jump.step.seconds) < 1)
            #expect(abs(jump.slept.seconds) < 1)
        }
    }
}

@Suite("A step of the clock")
struct ClockJumpTests {
    @Test(
        "is worth a line from a tenth of a second on",
        arguments: [
            (0, 0, false), (1_700, 0, false), (-99_999_999, 0, false), (-100_000_000, 0, true), (0, 100_000_000, true),
        ])
    func notable(_ step: Int64, _ slept: Int64, _ isNotable: Bool) {
        let jump = ClockJump(step: TimeSpan(nanoseconds: step), slept: TimeSpan(nanoseconds: slept))
        #expect(jump.isNotable == isNotable)
    }
}

@Suite("Spans of time in words")
struct SpanWordsTests {
    @Test(
        "keep their sign",
        arguments: [(-600, "-10 m"), (600, "10 m"), (-5400, "-1 h 30 m"), (-1, "-1 s"), (0, "0 s")])
    func sign(_ seconds: Int64, _ words: String) {
        #expect(TimeSpan.seconds(seconds).description == words)
        #expect(TimeSpan(nanoseconds: .min).description.hasPrefix("-"))
    }
}
