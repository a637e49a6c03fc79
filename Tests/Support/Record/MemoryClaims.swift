import Linux
package import Record
package import TaskModel

/// One host's store of a `ClaimTable`: calls arrive late, events come later, or the connection breaks first, as its fates say.
/// What it looks up by itself for a wish that stands is such a call too.
package final class MemoryClaims: ClaimStore {
    package enum Call: Sendable {
        case submit
        case claim
        case renew
        case complete
        /// A request is free that fits the wish: the store notices it, and asks for it.
        case look
    }

    /// What becomes of a call. Those after it wait for it, there and back.
    package enum Fate: Sendable, Equatable {
        /// It arrives after the first span, and its events are there after the second one.
        case done(there: TimeSpan = .zero, back: TimeSpan = .zero)
        /// The connection breaks for so long, before or after the call is taken. `outOfReach` comes at once, `reached` then.
        case cut(for: TimeSpan, isTaken: Bool)
    }

    private struct Step {
        var at: Instant
        /// By the table's clock.
        var sent: Instant
        var back: TimeSpan
        var action: Action
    }

    private enum Action {
        case submit(ULID, TaskRequest)
        case claim(ClaimWish)
        case renew([ClaimToken])
        case complete(ClaimToken, ClaimEnd)
    }

    /// What the host said of its runs.
    package private(set) var reports: [ClaimToken: ClaimReport] = [:]
    private let table: ClaimTable
    private let fate: (Call) -> Fate
    /// Names this host in the table; another one after each start.
    package private(set) var holder = 0
    private let event: Descriptor
    /// What this host's clock shows at a moment of the table's.
    private let begun: (table: Instant, host: Instant)
    private var wish = ClaimWish.none
    /// The wish as the table knows it.
    private var standing = ClaimWish.none
    /// Calls under way, and events under way, in their order.
    private var calls: [Step] = []
    private var events: [(at: Instant, event: ClaimEvent)] = []
    /// The end of the cut; nil: it is connected.
    private var cutEnd: Instant?
    /// The host sleeps, or its process is stopped: it neither looks for anything by itself nor connects.
    package var isStopped = false {
        didSet {
            if oldValue { lookedAt = table.now }
            table.changed()
        }
    }
    /// What becomes of the next look.
    private var nextLook = Fate.done()
    /// The standing wish is looked after from then on.
    private var lookedAt = Instant(nanoseconds: 0)

    /// - Parameters:
    ///   - clock: what the host's clock shows now. It goes as fast as the table's.
    ///   - fate: what becomes of a call; asked once for each.
    package init(
        _ table: ClaimTable, clock: Instant, fate: @escaping (Call) -> Fate = { _ in .done() }
    ) throws {
        self.table = table
        self.fate = fate
        begun = (table.now, clock)
        event = try Descriptor.eventCounter()
        holder = table.join(self)
        nextLook = fate(.look)
    }

    deinit { table.changed() }

    /// This host's clock.
    package var now: Instant { clock(at: table.now) }

    private func clock(at moment: Instant) -> Instant { begun.host + (moment - begun.table) }

    // MARK: Calls

    package func submit(_ key: ULID, _ request: TaskRequest) { call(.submit, .submit(key, request)) }

    package func claim(_ wish: ClaimWish) {
        self.wish = wish
        call(.claim, .claim(wish))
    }

    package func renew(_ tokens: [ClaimToken]) { call(.renew, .renew(tokens)) }
    package func complete(_ token: ClaimToken, _ end: ClaimEnd, _ report: ClaimReport) {
        if report != .none { reports[token] = report }
        call(.complete, .complete(token, end))
    }

    private func call(_ kind: Call, _ action: Action) {
        guard cutEnd == nil else { return }
        table.changed()
        switch fate(kind) {
        case .done(let there, let back):
            let arrival = max(table.now + there, calls.last?.at ?? table.now)
            calls.append(Step(at: arrival, sent: table.now, back: back, action: action))
            table.advance(to: table.now)
        case .cut(let span, let isTaken):
            if isTaken { take(Step(at: table.now, sent: table.now, back: .unlimited, action: action)) }
            cut(for: span)
        }
    }

    /// The connection breaks: what is under way is lost, in both directions.
    package func cut(for span: TimeSpan) {
        calls.removeAll()
        events.removeAll { $0.at > table.now }
        cutEnd = max(cutEnd ?? table.now, table.now + span)
        table.changed()
        tell([.outOfReach], at: table.now)
    }

    // MARK: Events

    package var eventDescriptor: Int32? { event.number }

    /// When the next event is there, by the table's clock; nil: none is under way.
    package var nextEvent: Instant? { events.first?.at }

    package func takeEvent() -> ClaimEvent? {
        guard let first = events.first, first.at <= table.now else { return nil }
        events.removeFirst()
        signal()
        return first.event
    }

    private var isReadable = false

    /// Makes the descriptor readable while there is an event.
    func signal() {
        let hasEvent = events.first.map { $0.at <= table.now } ?? false
        guard hasEvent != isReadable else { return }
        isReadable = hasEvent
        if hasEvent { event.raise() } else { event.clear() }
    }

    private func tell(_ news: [ClaimEvent], at moment: Instant) {
        let at = max(moment, events.last?.at ?? moment)
        events += news.map { (at, $0) }
        signal()
    }

    // MARK: Steps

    /// When it has something to do.
    var nextStep: Instant {
        if isStopped { return calls.first?.at ?? .distantFuture }
        return cutEnd ?? min(calls.first?.at ?? .distantFuture, look)
    }

    /// When it asks for what fits its wish.
    private var look: Instant {
        guard let free = table.firstFree(for: standing, of: holder) else { return .distantFuture }
        guard case .done(let there, _) = nextLook else { return max(table.now, free, lookedAt) }
        return max(table.now, max(free, lookedAt) + there)
    }

    func step() {
        if cutEnd != nil, !isStopped {
            cutEnd = nil
            standing = wish
            lookedAt = table.now
            return tell([.reached], at: table.now)
        }
        if let first = calls.first, first.at <= table.now {
            calls.removeFirst()
            return take(first)
        }
        let fate = nextLook
        nextLook = self.fate(.look)
        switch fate {
        case .done(_, let back): claim(back: back)
        case .cut(let span, let isTaken):
            if isTaken { claim(back: .unlimited) }
            cut(for: span)
        }
    }

    private func take(_ step: Step) {
        var news: [ClaimEvent] = []
        switch step.action {
        case .submit(let key, let request):
            table.submit(key, request)
            news = [.submitted(key)]
        case .claim(let wish):
            standing = wish
            lookedAt = table.now
        case .renew(let tokens):
            var kept: [ClaimToken] = []
            for token in tokens {
                if table.renew(token) { kept.append(token) } else { news.append(.leaseLost(token)) }
            }
            if !kept.isEmpty { news.append(.renewed(kept, end: clock(at: step.sent) + table.lease)) }
        case .complete(let token, let end):
            news = [.completed(token, isAccepted: table.complete(token, end))]
        }
        tell(news, at: table.now + step.back)
    }

    /// Asks for what fits, now.
    private func claim(back: TimeSpan) {
        let claims = table.claim(standing, for: holder).map { token, row in
            ClaimEvent.claimed(
                Claim(
                    token: token, request: row.request, losses: row.losses, lease: table.lease, end: now + table.lease))
        }
        tell(claims, at: table.now + back)
    }
}
