import CSystemd
package import Linux
package import TaskModel

/// Tells systemd how the host is (sd_notify(3)), and keeps its watchdog content for as long as the loop turns. Without systemd
/// all of it does nothing.
package final class SystemdNotifier: EventSource {
    /// Between two signs of life: half of what systemd allows; nil: it wants none.
    package let period: TimeSpan?
    private var next = Instant.distantFuture

    package init() {
        var microseconds: UInt64 = 0
        let isWanted = unsafe sd_watchdog_enabled(0, &microseconds) > 0 && microseconds > 1
        period = isWanted ? TimeSpan(nanoseconds: Int64(clamping: microseconds / 2 * 1000)) : nil
    }

    /// The start, or a reload, is complete.
    package func ready(status: String) { notify("READY=1\nSTATUS=" + Self.line(status)) }
    package func stopping(status: String) { notify("STOPPING=1\nSTATUS=" + Self.line(status)) }
    /// Followed by `ready`.
    package func reloading() { notify("RELOADING=1\nMONOTONIC_USEC=\(Clock.monotonic() / 1000)") }
    /// What the host is doing, for `systemctl status`.
    package func status(_ text: String) { notify("STATUS=" + Self.line(text)) }

    package func attach(to registry: any SourceRegistry) {
        if period != nil { next = Instant(nanoseconds: 0) }
    }
    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {}
    package var nextDeadline: Instant { next }
    package func advance(to now: ClockReading) {
        guard let period, next <= now.instant else { return }
        notify("WATCHDOG=1")
        next = now.instant + period
    }
    package func close() { next = .distantFuture }

    /// Fails only when systemd does not listen, which is its own affair.
    private func notify(_ state: String) { _ = unsafe sd_notify(0, state) }

    private static func line(_ text: String) -> String { String(text.map { $0 == "\n" ? " " : $0 }) }
}
