package import Linux
package import TaskModel

/// Whether there is a default route. Announcements only say when to read: `route replace` and a link that goes down do not
/// announce what they remove, so only a dump of the table is reliable.
package final class RouteWatch: EventSource {
    /// nil until the first dump is complete, and when the kernel refuses it.
    package private(set) var found: DefaultRoutes?
    private let changed: ChangeFlag
    private var socket: NetlinkSocket?
    private weak var registry: (any SourceRegistry)?

    private enum State {
        case idle
        /// A change was announced: a dump is due when the changes that come together have come.
        case due(Instant)
        /// `isStale`: something has changed, or the kernel marked the dump as inconsistent.
        case dumping(DefaultRoutes, isStale: Bool)
    }
    private var state = State.idle
    private var sequence: UInt32 = 0
    /// Dumps in a row during which something changed.
    private var staleDumps = 0
    /// Whether dumps ask for the main table's unicast routes alone.
    private var isFiltered = true

    /// From the first announcement to the dump.
    package static let settling = TimeSpan.milliseconds(50)
    /// After this many stale dumps in a row, one is accepted anyway.
    private static let patience = 6

    package init(changed: ChangeFlag) { self.changed = changed }

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        // RTMGRP_LINK, RTMGRP_IPV4_ROUTE, RTMGRP_IPV6_ROUTE. Dumps come in datagrams of up to 32 KiB.
        // Where the socket is refused, as in some containers, routes stay unknown.
        let opened = try? NetlinkSocket(.route, groups: 0x1 | 0x40 | 0x400, capacity: 32 << 10)
        guard let socket = opened else { return }
        socket.filterDumps()
        try registry.add(socket.descriptor.number, tag: 0, urgent: false)
        self.socket = socket
        self.registry = registry
        state = .due(Instant(nanoseconds: 0))
    }

    /// Whether no dump is due or in progress.
    package var isSettled: Bool {
        if case .idle = state { true } else { false }
    }

    package var nextDeadline: Instant {
        if case .due(let instant) = state { instant } else { .distantFuture }
    }

    package func advance(to now: ClockReading) {
        guard case .due(let instant) = state, instant <= now.instant, let socket else { return }
        sequence &+= 1
        state = .dumping(DefaultRoutes(), isStale: false)
        do throws(SystemError) {
            try socket.send(Self.dumpRequest(sequence, isFiltered: isFiltered))
        } catch {
            state = .due(now.instant + .seconds(1))  // no memory for the message
        }
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        guard let socket else { return }
        socket.readAll(lost: { announced(at: now) }) { bytes in
            NetlinkMessages.forEach(in: bytes) { take($0, bytes, at: now) }
        }
    }

    package func close() {
        if let socket { registry?.remove(socket.descriptor.number) }
        socket = nil
        state = .idle
    }

    private func take(_ header: NetlinkMessages.Header, _ bytes: RawSpan, at now: ClockReading) {
        guard case .dumping(var routes, var isStale) = state, header.sequence == sequence,
            header.port == socket?.port
        else {
            announced(at: now)
            return
        }
        isStale = isStale || header.flags & NetlinkMessages.dumpInterrupted != 0
        switch header.type {
        case NetlinkMessages.done:
            let isTooOld = staleDumps >= Self.patience
            if isStale {
                // A table that changes all the time is read less and less often.
                let factor = Int64(1) << Int64(staleDumps)
                state = .due(now.instant + TimeSpan(nanoseconds: Self.settling.nanoseconds * factor))
                staleDumps = min(staleDumps + 1, Self.patience)
            } else {
                state = .idle
                staleDumps = 0
            }
            if !isStale || isTooOld { conclude(routes) }
        case NetlinkMessages.error:
            // A kernel without the filter is asked for the whole table. Otherwise memory is short: the known routes
            // hold, and the next change asks again.
            state = isFiltered ? .due(now.instant + Self.settling) : .idle
            isFiltered = false
        default:
            routes.add(bytes, header.body)
            state = .dumping(routes, isStale: isStale)
        }
    }

    private func announced(at now: ClockReading) {
        switch state {
        case .idle: state = .due(now.instant + Self.settling)
        case .due: break
        case .dumping(let routes, _): state = .dumping(routes, isStale: true)
        }
    }

    private func conclude(_ routes: DefaultRoutes) {
        guard routes != found else { return }
        found = routes
        changed.raise()
    }

    /// RTM_GETROUTE for both families; filtered to main table and unicast, the rest stays in the kernel.
    private static func dumpRequest(_ sequence: UInt32, isFiltered: Bool) -> [UInt8] {
        // struct rtmsg; AF_UNSPEC dumps every family. Table main, type unicast.
        let filter: [UInt8] = isFiltered ? [0, 0, 0, 0, 254, 0, 0, 1, 0, 0, 0, 0] : Array(repeating: 0, count: 12)
        // RTM_GETROUTE with NLM_F_REQUEST | NLM_F_DUMP.
        return NetlinkMessages.message(26, flags: 0x301, sequence: sequence, filter)
    }
}
