import TaskModel
import Testing

@testable import Host

@Suite("The processor time of a worker under a virtual clock")
struct CPULoadTests {
    private static let start = Instant(nanoseconds: 1_000_000_000)

    /// What a minute of the moved clock adds, after a second of the machine's in which the worker used and waited so long.
    private func extra(used: TimeSpan, waiting: TimeSpan) -> TimeSpan {
        var load = CPULoad(host: Self.start, machine: Self.start, processors: 2)
        let later = Self.start + .seconds(1)
        _ = load.reading(used, waiting: waiting, isBusy: true, host: Self.start, machine: later)
        let moved = Self.start + .seconds(60)
        return load.reading(used, waiting: waiting, isBusy: true, host: moved, machine: later) - used
    }

    @Test("grows at the rate at which it was used")
    func rate() {
        #expect(extra(used: .milliseconds(500), waiting: .zero) == .seconds(30))
        #expect(extra(used: .zero, waiting: .zero) == .zero)
    }

    @Test("grows as on an idle machine, whatever else keeps the processors busy, and no faster than they allow")
    func shared() {
        #expect(extra(used: .milliseconds(250), waiting: .milliseconds(750)) == .seconds(60))
        #expect(extra(used: .milliseconds(250), waiting: .seconds(15)) == .seconds(120))
    }
}
