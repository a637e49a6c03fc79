package import Glibc
import Synchronization

/// How long a test waits for an event before it gives up: a multiple of what this machine needed for a known piece of work a
/// moment ago. The piece is the life of one process, from its start until its end is known.
///
/// It comes in rounds, and each begins with a look at the machine: one that got slower meanwhile gets more time. It only
/// decides how late a failure is reported; a wait ends with its event.
package struct Patience {
    private var rounds: Int
    private var end: ContinuousClock.Instant

    private static let roundsOfAWait = 20
    /// Lives of processes in a round: some seconds on an idle machine.
    private static let livesOfARound = 3000

    /// - Parameter scale: how many times the usual work is waited for.
    package init(_ scale: Int = 1) {
        rounds = Self.roundsOfAWait * scale
        end = Self.endOfRound()
    }

    /// For what compiles, or does many things one after the other.
    package static var long: Patience { Patience(5) }

    /// Milliseconds for poll(2) until the test asks again; nil: the patience has run out.
    package mutating func milliseconds() -> Int32? {
        var left = ContinuousClock.now.duration(to: end)
        if left <= .zero {
            rounds -= 1
            guard rounds > 0 else { return nil }
            end = Self.endOfRound()
            left = ContinuousClock.now.duration(to: end)
        }
        let (seconds, fraction) = left.components
        return Int32(clamping: max(0, seconds * 1000 + fraction / 1_000_000_000_000_000) + 1)
    }

    private static func endOfRound() -> ContinuousClock.Instant {
        ContinuousClock.now + life() * livesOfARound
    }

    /// poll(2) for one descriptor; false when the patience has run out.
    package mutating func poll(_ source: inout pollfd) -> Bool {
        while let milliseconds = milliseconds() {
            if Glibc.poll(&source, 1, milliseconds) > 0 { return true }
        }
        return false
    }

    /// Looks again and again, where no event says that something is there.
    ///
    /// - Throws: `Problem` when the patience has run out.
    package static func wait(for what: String, _ isThere: () throws -> Bool) throws {
        var patience = Patience()
        while try !isThere() {
            guard let milliseconds = patience.milliseconds() else { throw Problem("waited in vain for \(what)") }
            usleep(UInt32(min(milliseconds, 50)) * 1000)
        }
    }

    /// The whole of it as this machine is now, in seconds: for a program that waits by itself, and does nothing else meanwhile.
    package static var seconds: Int64 {
        let lives: Int = livesOfARound * roundsOfAWait
        return (life() * lives).components.seconds
    }

    // MARK: The machine

    private struct Measured {
        var at: ContinuousClock.Instant
        var life: Duration
    }
    private static let measured = Mutex<Measured?>(nil)
    /// Older figures say nothing of the machine as it is.
    private static let freshness = Duration.seconds(5)

    /// What the life of a process takes now.
    package static func life() -> Duration {
        let now = ContinuousClock.now
        let known = measured.withLock { $0 }
        if let known, known.at.duration(to: now) < freshness { return known.life }
        let lives = (0..<3).map { _ in ContinuousClock().measure(liveOnce) }
        let life = max(.microseconds(500), lives.reduce(.zero, +) / lives.count)
        measured.withLock { $0 = Measured(at: now, life: life) }
        return life
    }

    private static func liveOnce() {
        var process: pid_t = 0
        let name = strdup("true")
        defer { free(name) }
        guard posix_spawnp(&process, "true", nil, nil, [name, nil], environ) == 0 else { return }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    }
}
