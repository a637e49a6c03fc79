package import Linux
package import TaskModel

/// Watches one pressure file: high when the kernel's trigger fires and the averages bear it out, nominal again when the average of
/// the last 10 s is low.
///
/// A trigger costs a wake-up each time it fires, so it exists only while work waits for it. While pressure is high it is
/// removed, and a deadline reads the average instead. Some kernels (6.18 in a virtual machine) fire for a millisecond of waiting.
package final class PressureWatch: EventSource {
    package struct Thresholds: Sendable {
        /// Microseconds of waiting within a window that make pressure high.
        package var stall: Int
        /// Hundredths of a percent of the last 10 s below which it is nominal again.
        package var calm: Int

        package init(stall: Int, calm: Int) {
            self.stall = stall
            self.calm = calm
        }
    }
    /// Without CAP_SYS_RESOURCE windows are multiples of 2 s.
    private static let window = 2_000_000
    /// While high: the length of the average.
    private static let pause = TimeSpan.seconds(10)

    /// How often the kernel renews its averages (psi.rst).
    private static let renewal = TimeSpan.seconds(2)
    private static let lingering = TimeSpan.seconds(10)

    package private(set) var found = PressureFinding.unwatched
    private let path: String
    private let thresholds: Thresholds
    private let changed: ChangeFlag
    private weak var registry: (any SourceRegistry)?
    private var trigger: Descriptor?
    private var look = Instant.distantFuture
    /// The trigger fired, and the averages did not show it yet.
    private var isDoubted = false
    /// When an unneeded watch ends; zero: the time has just begun.
    private var leave = Instant.distantFuture

    package init(path: String, thresholds: Thresholds, changed: ChangeFlag) {
        self.path = path
        self.thresholds = thresholds
        self.changed = changed
    }

    /// Whether work needs it. Afterwards the watch continues for `lingering`, so that triggers do not come and go with short
    /// pieces of work.
    package var isWanted = false {
        didSet {
            guard isWanted != oldValue else { return }
            leave = isWanted ? .distantFuture : Instant(nanoseconds: 0)
            if isWanted && look == .distantFuture { arm() }
        }
    }

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        self.registry = registry
        if isWanted { arm() }
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) { fire(at: now) }

    /// The trigger fired.
    package func fire(at now: ClockReading) {
        disarm()
        guard !isBorneOut else { return believe(at: now) }
        isDoubted = true
        look = now.instant + Self.renewal
    }

    private func believe(at now: ClockReading) {
        look = now.instant + Self.pause
        tell(.high)
    }

    /// Whether the average of the last 10 s has half of what one window at the threshold brings into it: 2 s are a fifth of it.
    private var isBorneOut: Bool { (average() ?? .max) >= thresholds.stall * 10_000 / Self.window / 10 }

    package var nextDeadline: Instant { min(look, leave) }

    package func advance(to now: ClockReading) {
        if leave == Instant(nanoseconds: 0) {
            leave = now.instant + Self.lingering
        } else if leave <= now.instant {
            disarm()
            isDoubted = false
            look = .distantFuture
            leave = .distantFuture
            tell(.unwatched)
        }
        guard look <= now.instant else { return }
        if isDoubted {
            isDoubted = false
            if isBorneOut { return believe(at: now) }
        }
        guard let average = average(), average >= thresholds.calm else {
            look = .distantFuture
            arm()
            return
        }
        look = now.instant + Self.pause
    }

    package func close() { disarm() }

    private func average() -> Int? {
        (try? FileText.read(path, limit: 4096)).flatMap { PressureText.someAverage(in: $0) }
    }

    private func arm() {
        guard let registry, trigger.number == nil else { return }
        do throws(SystemError) {
            let file = try Self.openTrigger(path, thresholds)
            try registry.add(file.number, tag: 0, urgent: true)
            trigger = consume file
            // A trigger announces future pressure; existing pressure is in the average.
            if let average = average(), average >= 2 * thresholds.calm {
                disarm()
                look = Instant(nanoseconds: 0)
                tell(.high)
            } else {
                tell(.nominal)
            }
        } catch {
            tell(.unavailable(Self.reason(error)))
        }
    }

    private static func openTrigger(_ path: String, _ thresholds: Thresholds) throws(SystemError) -> Descriptor {
        let file = try Descriptor.open(path, [.O_RDWR, .O_NONBLOCK])
        // With its closing zero byte, as the kernel requires.
        try FileText.write("some \(thresholds.stall) \(window)\0", to: file.number, naming: path)
        return file
    }

    /// Finds out why pressure cannot be watched by trying it, and gives nil when it can: for a thread of its own, because the
    /// kernel takes some 10 ms to give a trigger back. nil: it is being watched.
    package var trial: (@Sendable () -> String?)? {
        guard trigger.number == nil else { return nil }
        return { [path, thresholds] in
            do throws(SystemError) {
                _ = try Self.openTrigger(path, thresholds)
                return nil
            } catch {
                return Self.reason(error)
            }
        }
    }

    private static func reason(_ error: SystemError) -> String {
        switch error.code {
        case .ENOENT, .EOPNOTSUPP: "the kernel does not account for pressure (PSI)"
        case .EPERM, .EACCES: "the kernel gives pressure triggers to CAP_SYS_RESOURCE only"
        default: "\(error)"
        }
    }

    private func disarm() {
        if let number = trigger.number { registry?.remove(number) }
        trigger = nil
    }

    private func tell(_ finding: PressureFinding) {
        guard finding != found else { return }
        found = finding
        changed.raise()
    }
}
