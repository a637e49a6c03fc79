package import Linux
package import Record
package import TaskModel

/// Claims of a fleet in a PostgreSQL database (`Schema` has the protocol). Two connections: claims have one, on which
/// the server also wakes this host; leases, ends and submissions have the other, so that no renewal waits behind a claim.
///
/// It is a source of the host's loop, and never waits. What the server refuses for good is told to `report`. *Thread*: the
/// loop's.
package final class PostgresClaims: ClaimStore, EventSource {
    private enum Tag: UInt32 {
        case duty = 0
        case claims = 1
    }

    /// Without news it looks for requests that often: notifications are a hint, and their connection may be dead.
    static let poll = TimeSpan.seconds(40)
    /// After a notification it looks once more, this much later at most.
    static let echo = TimeSpan.seconds(1)
    /// A claim that found nothing is not followed by another at once, whatever the server says is free.
    static let leastPause = TimeSpan.milliseconds(200)

    /// A claim for several places costs the server hardly more than one for one: while fewer than half of them are free, or the
    /// server has ends to answer, it waits so long for others to become free.
    static let gathering = TimeSpan.milliseconds(5)

    /// At its end the host waits so long for the answer to its last word.
    static let farewell = TimeSpan.seconds(1)
    /// How often a host looks after the tables, at most.
    static let care = TimeSpan.seconds(3600)
    /// What could not be taken is asked for again after so long.
    static let rolloutPause = TimeSpan.seconds(60)
    /// So much was removed that there is more (`taskhost.keep`).
    static let muchToKeep = 1000

    /// Says why the fleet is out of reach, and nil when it is there again.
    package var report: (String?) -> Void = { _ in }
    /// What the fleet shows of this host: the tasks that it installs, and those of them that it could start now.
    package var standing: () -> FleetStanding = { FleetStanding(installs: [], ready: []) }

    /// Takes the manifests that this host is to have of the fleet, all of them, and says whether it has them now; nil: it takes
    /// none.
    package var rolledOut: (([FleetManifest]) -> Bool)?

    let member: FleetMember
    /// For people: where it leads.
    let place: String
    let duty: PostgresLink
    let search: PostgresLink
    /// The clock of the loop's deadlines.
    private let clock: () -> Instant
    var now: Instant { clock() }
    /// CLOCK_BOOTTIME: leases end while the machine sleeps.
    let bootTime: () -> Instant
    /// This life of the host in the database; nil: it has not joined yet.
    var host: String?
    package internal(set) var isReached = false
    var isListening = false
    var wish = ClaimWish.none {
        didSet { identifiers = .array(wish.identifiers.sorted()) }
    }
    /// Of the wish, as statements have them: it changes less often than it is asked for.
    var identifiers = ServerStatement.Parameter.array([])
    /// What the database knows of `waits`.
    var saidWaiting = false
    /// How many changes of rollouts there had been when it looked last; nil: it has not looked.
    var knownRollouts: String?
    /// When to look again for rollouts that the host could not take.
    var rolloutsAgain = Instant.distantFuture
    /// Ends of the leases that this host holds, as far as it knows, by the boot clock.
    var held: [ClaimToken: Instant] = [:]
    /// Ends that the server has not answered. Until it has, it counts their requests as held, so that a claim would be in vain.
    var unansweredEnds = 0
    var isLooking = false
    /// A look under way was for an earlier wish, or something changed since.
    var looksAgain = false
    var nextLook = Instant.distantFuture
    /// When to look for as many requests as places have become free.
    var gatheringEnd = Instant.distantFuture
    /// The next look is for what nobody told of.
    var isPollNext = false
    /// When to look for what a notification did not tell of.
    var echo = Instant(nanoseconds: 0)
    var nextSign = Instant.distantFuture
    var nextKeep = Instant.distantFuture
    /// What people ask, by number: each is called when no answer can come any more.
    var questions: [Int: () -> Void] = [:]
    var lastQuestion = 0
    private var events: [ClaimEvent] = []
    private let signal: Descriptor

    /// - Parameters:
    ///   - resolve: asks for the addresses of names without waiting, and calls back once, on the loop's thread.
    ///   - clock: that of the loop's deadlines.
    ///   - bootTime: the clock of leases, which counts sleep.
    package init(
        _ options: ConnectionOptions, as member: FleetMember,
        resolve: @escaping ([String], @escaping ([String: [NetworkAddress]]) -> Void) -> Void,
        clock: @escaping () -> Instant = { Clock.moment().instant },
        bootTime: @escaping () -> Instant = { Instant(nanoseconds: Clock.sinceBoot()) }
    ) throws(FleetError) {
        let library = try LibPQ.map()
        self.member = member
        place = options.place
        self.clock = clock
        self.bootTime = bootTime
        do throws(SystemError) { signal = try Descriptor.eventCounter() } catch { throw .unreachable("\(error)") }
        duty = PostgresLink(options, library, tag: Tag.duty.rawValue, clock: clock, resolve: resolve)
        search = PostgresLink(options, library, tag: Tag.claims.rawValue, clock: clock, resolve: resolve)
        duty.opened = { [unowned self] in join() }
        duty.broke = { [unowned self] in lose($0) }
        search.opened = { [unowned self] in listen() }
        search.broke = { [unowned self] words in
            (isListening, isLooking) = (false, false)
            endQuestions()
            // The other one tells of a server that is gone.
            if isReached { report(words) }
        }
        search.notified = { [unowned self] in hearNews() }
    }

    /// It is connected, every call has its answer, and nothing is due.
    package var isQuiet: Bool {
        duty.isQuiet && search.isQuiet && isReached && isListening && min(nextLook, nextSign, gatheringEnd) > now
    }

    // MARK: ClaimStore

    package func submit(_ key: ULID, _ request: TaskRequest) {
        ask(FleetStatement.submit(key, request)) { [unowned self] answer in
            guard case .refused(let fault) = answer else { return tell(.submitted(key)) }
            guard fault.isLasting else { return duty.close(fault.message) }
            // It would be refused for ever: the host says it, and is done with it.
            report("a request was refused; \(fault.message)")
            tell(.submitted(key))
        }
    }

    package func claim(_ wish: ClaimWish) {
        self.wish = wish
        if isReached, waits != saidWaiting { nextSign = min(nextSign, now) }
        lookForMore()
    }

    package func renew(_ tokens: [ClaimToken]) {
        guard let host else { return }
        let end = bootTime() + member.lease
        ask(FleetStatement.renew(host, tokens, member.lease)) { [unowned self] answer in
            if case .refused(let fault) = answer { return duty.close(fault.message) }
            guard case .rows(let rows) = answer else { return }
            let kept = Set(rows.compactMap(ClaimToken.init(row:)))
            for token in tokens where !kept.contains(token) {
                held[token] = nil
                tell(.leaseLost(token))
            }
            if kept.count < tokens.count { look() }
            guard !kept.isEmpty else { return }
            for token in kept { held[token] = end }
            tell(.renewed(tokens.filter(kept.contains), end: end))
        }
    }

    package func complete(_ token: ClaimToken, _ end: ClaimEnd, _ report: ClaimReport) {
        held[token] = nil
        guard let host, isReached else { return }
        unansweredEnds += 1
        // Ends of one time have one commit: the server's disk is what they wait for.
        duty.share(FleetStatement.complete(host, token, end, report)) { [unowned self] answer in
            unansweredEnds -= 1
            switch answer {
            case .rows(let rows): tell(.completed(token, isAccepted: rows.first?.first == "t"))
            case .refused(let fault) where fault.isLasting:
                self.report("the end of request \(token.key) was refused; \(fault.message)")
                tell(.completed(token, isAccepted: false))
            case .refused(let fault): return duty.close(fault.message)
            }
            lookForMore()
        }
    }

    package func takeEvent() -> ClaimEvent? {
        guard !events.isEmpty else { return nil }
        let event = events.removeFirst()
        if events.isEmpty { signal.clear() }
        return event
    }

    package var eventDescriptor: Int32? { signal.number }

    func tell(_ event: ClaimEvent) {
        if events.isEmpty { signal.raise() }
        events.append(event)
    }

    func ask(_ statement: ServerStatement, then: @escaping (StatementAnswer) -> Void) {
        if isReached { duty.ask(statement, then: then) }
    }

    // MARK: EventSource

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        duty.attach(to: registry)
        search.attach(to: registry)
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        (tag == Tag.duty.rawValue ? duty : search).serve(ready)
    }

    package var nextDeadline: Instant {
        min(min(duty.nextDeadline, search.nextDeadline), min(nextLook, gatheringEnd, nextSign, nextKeep))
    }

    package func advance(to now: ClockReading) {
        duty.advance(to: now.instant)
        search.advance(to: now.instant)
        if nextSign <= now.instant { sign() }
        if nextKeep <= now.instant { keep() }
        if nextLook <= now.instant {
            nextLook = .distantFuture
            if isPollNext { poll() } else { look() }
        }
        if gatheringEnd <= now.instant {
            gatheringEnd = .distantFuture
            look()
        }
    }

    package func close() {
        search.close()
        endQuestions()
        if let host, isReached {
            duty.ask(FleetStatement.leave(host)) { _ in }
            duty.finish(within: Self.farewell)
        }
        duty.close()
    }
}
