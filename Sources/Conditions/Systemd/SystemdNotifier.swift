import CSystemd
package import Linux
package import TaskModel

/// Notifies systemd of the host's state (sd_notify(3)), and feeds its watchdog while the loop turns. Without systemd it does
/// nothing.
package final class SystemdNotifier: EventSource {
    /// The interval between two signs of life: half of systemd's limit; nil: it requires none.
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
    /// The host's activity, for `systemctl status`.
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
