import Host
import Linux
import Setting
import TaskModel

/// Has tasks whose schedule is the boot of the machine run once a boot, and marks the boot when their requests are on disk. Thread:
/// the loop's.
final class BootWatch: EventSource {
    /// The time of a boot is so far ahead that the scheduler has begun by then.
    private static let delay = TimeSpan.seconds(1)

    private let mark: BootMark
    private let say: (String) -> Void
    private var isSettled = false

    /// Gives the schedules their time. Call it before the scheduler begins.
    init(_ host: Host, say: @escaping (String) -> Void) {
        mark = BootMark(stateFolder: host.place.state.path)
        self.say = say
        if mark.isNew { host.installed.setBoot(host.moment.time + Self.delay) }
    }

    func attach(to registry: any SourceRegistry) {}
    func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {}

    func afterCommit(at now: ClockReading) -> Bool {
        guard !isSettled else { return false }
        isSettled = true
        do throws(SystemError) {
            try mark.settle()
        } catch {
            say("the boot is not marked; \(error); its tasks run again when the host is started again")
        }
        return false
    }

    func close() {}
}
