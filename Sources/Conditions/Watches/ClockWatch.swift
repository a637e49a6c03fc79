package import Linux
package import TaskModel

/// A change of the clocks.
package struct ClockJump: Hashable, Sendable {
    /// By how much the wall clock was set, beyond the time that passed; negative: backwards.
    package var step: TimeSpan
    /// How long the machine slept. CLOCK_MONOTONIC, the clock of deadlines, stopped for that time.
    package var slept: TimeSpan

    package init(step: TimeSpan, slept: TimeSpan) {
        self.step = step
        self.slept = slept
    }

    /// Time services set clocks by fractions of a second, and containers by nothing: not worth a message.
    package var isNotable: Bool {
        let least = TimeSpan.milliseconds(100).nanoseconds
        return step.nanoseconds.magnitude >= least || slept.nanoseconds.magnitude >= least
    }
}

/// Announces that the wall clock was set, and that the machine has slept: both invalidate waits for calendar times. A
/// clock whose rate is adjusted (adjtime(3)) causes nothing.
package final class ClockWatch: EventSource {
    private let onJump: (ClockJump) -> Void
    private weak var registry: (any SourceRegistry)?
    private var timer: ClockChanges?
    /// Wall clock and CLOCK_MONOTONIC against CLOCK_BOOTTIME, in nanoseconds.
    private var offsets: (wall: Int64, slept: Int64) = (0, 0)

    package init(onJump: @escaping (ClockJump) -> Void) { self.onJump = onJump }

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        let timer = try ClockChanges()
        try registry.add(timer.descriptor.number, tag: 0, urgent: false)
        self.timer = consume timer
        self.registry = registry
        offsets = Self.readOffsets()
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        guard timer?.take() == true else { return }
        let before = offsets
        offsets = Self.readOffsets()
        onJump(
            ClockJump(
                step: TimeSpan(nanoseconds: offsets.wall - before.wall),
                slept: TimeSpan(nanoseconds: offsets.slept - before.slept)))
    }

    package func close() {
        if let number = timer?.descriptor.number { registry?.remove(number) }
        timer = nil
    }

    private static func readOffsets() -> (wall: Int64, slept: Int64) {
        let now = Clock.moment()
        let boot = Int64(clamping: Clock.sinceBoot())
        return (now.time.nanoseconds - boot, boot - Int64(clamping: now.instant.nanoseconds))
    }
}
