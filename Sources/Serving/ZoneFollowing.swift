import Conditions
import Host
import Linux
import Record
import Scheduling
import Setting
import TaskModel

/// Brings the times of schedules in line with the machine's time zones when these change: a portion of the tasks in each turn,
/// so that no turn takes longer for it.
final class ZoneFollowing: TimedSource {
    private unowned let host: Host
    private var watch: ZoneWatch?
    /// Called when a time zone has changed.
    private let didChange: () -> Void
    /// The next task to update; nil: all are up to date.
    private var next: Int?

    /// Watches for changes of the machine's time zone from now on: create it before the first schedule is read. When the
    /// user's limit of watches is reached, `taskhost reload` is needed.
    init(host: Host, didChange: @escaping () -> Void) {
        self.host = host
        self.didChange = didChange
        guard let file = host.installed.timeZones.machineFile else { return }
        watch = try? ZoneWatch(path: file) { [unowned self] in look() }
    }

    /// Adds it, and its watch, to the host's loop.
    func begin() throws(HostError) {
        if let watch { try host.add(watch) }
        try host.add(self)
    }

    /// Reads the zones again, and sees whether anything comes of it.
    func look() {
        let zones = host.installed.timeZones
        let isOther = zones.renew()
        if isOther.own {
            let offset = (zones.rules(named: nil) ?? .utc).offset(at: host.moment.time.nanoseconds / 1_000_000_000)
            host.note(
                .timeZoneChanged, "",
                "the machine has another time zone; its clocks are \(TimeSpan.seconds(offset)) from UTC now")
        }
        if isOther.any {
            next = 0
            didChange()
        }
    }

    // MARK: EventSource

    var nextDeadline: Instant { next == nil ? .distantFuture : Instant(nanoseconds: 0) }

    func advance(to now: ClockReading) {
        guard let first = next else { return }
        let portion = TurnPortion()
        for number in first..<host.installed.tasks.count {
            host.installed.renewSchedule(of: TaskIndex(number: UInt32(number)))
            next = number + 1
            if portion.isOver { return }
        }
        next = nil
    }

    func close() { next = nil }
}
