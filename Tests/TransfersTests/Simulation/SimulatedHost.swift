import TaskModel
import TestSupport
import Transfers

struct Violation: Error, CustomStringConvertible {
    var description: String
}

/// A host around the queue: it keeps what a record would, and believes nothing else.
final class SimulatedHost {
    /// A row of the record, and what the transfer process does for it.
    struct Row {
        var new: BackgroundTransfer
        var session: Int
        var isHeld = false
        var isEnded = false
        /// It has an end, which is written later.
        var hasEnd = false
        /// Its attempt has brought all of it, and its application's folders are being weighed.
        var isWeighed = false
        /// Its application was asked something.
        var asks = false
        var wasAsked = false
        /// Its date came while its session launched nobody: it may begin unasked.
        var mayBeginUnasked = false
        /// An attempt runs; it was asked to stop.
        var runs = false
        var stops = false
        /// Its body is whole: it holds no connection.
        var isWhole = false
        /// On the monotonic clock.
        var expires: Instant
        var handle: TransferHandle

        var needsNetwork: Bool { !new.request.url.hasPrefix("http://localhost") }
    }

    struct Session {
        var new: NewSession
        var handle: SessionHandle
        var isOpen = false
        var awaitsHandling = false
        /// Something came since its application was woken.
        var isOwed = false
    }

    struct Application {
        var standing = TransferStanding.notRunning
        var isQuit = false
        var isMissing = false
    }

    struct Count {
        var steps = 0
        var begins = 0
        var ends = 0
        var told = 0
        var wakes = 0
        var stops = 0
        var restarts = 0
        var timeouts = 0
        var questions = 0
        var weighings = 0
        var strays = 0
        var waits: Set<TransferWait> = []
    }

    let seed: UInt64
    var random: SeededGenerator
    let limits: TransferLimits
    var queue: TransferQueue
    var now = ClockReading(
        instant: Instant(nanoseconds: 5_000_000_000), time: Timestamp(nanoseconds: 1_772_366_400_000_000_000))
    var conditions = DeviceConditions()
    var free = Int64.max
    var applications: [Application]
    var sessions: [Session] = []
    var rows: [Int: Row] = [:]
    var nextRow = 0
    var byHandle: [TransferHandle: Int] = [:]
    var count = Count()
    var trace: [String] = []
    /// Kinds of events that do not happen to this host: so rare mixes of the others appear.
    let absent: Set<Kind>

    /// What can happen.
    enum Kind: CaseIterable {
        case change, asking, standing, listening, passing, machine, manifest, quit, jump, process, restart, weighing
        case late, stray
    }

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        absent = Set(Kind.allCases.shuffled(using: &random).prefix(seed % 4 == 0 ? 0 : Kind.allCases.count / 2))
        var limits = TransferLimits()
        limits.concurrency = Int.random(in: 1...6, using: &random)
        limits.perApplication = Int.random(in: 1...6, using: &random)
        limits.perHost = Int.random(in: 1...4, using: &random)
        limits.diskFloor = random.chance(0.5) ? 100 : 0
        if random.chance(0.3) { limits.rate = 1000 }
        limits.slowest = [0, 10, 1000].randomElement(using: &random) ?? 0
        if random.chance(0.3) { limits.applicationRate = 500 }
        self.limits = limits
        queue = TransferQueue(limits: limits)
        applications = Array(repeating: Application(), count: 3)
        call("begin") { $0.begin(at: $1) }
    }

    /// Violations are thrown by the step that is under way.
    var violation: Violation?

    func expect(_ isTrue: Bool, _ text: @autoclosure () -> String) {
        guard !isTrue, violation == nil else { return }
        violation = Violation(
            description: "seed \(seed), step \(count.steps): \(text())\n" + trace.suffix(30).joined(separator: "\n"))
    }

    func call(_ text: String, _ body: (inout TransferQueue, ClockReading) -> Void) {
        for (id, row) in rows where row.new.request.earliest.map({ $0 <= now.time }) == true {
            if !sessions[row.session].new.sendsLaunchEvents { rows[id]?.mayBeginUnasked = true }
        }
        body(&queue, now)
        let decisions = queue.decisions
        queue.removeDecisions()
        trace.append("\(text) -> \(decisions.map { "\($0)" }.joined(separator: "; "))")
        if let fault = queue.check() { expect(false, "\(text): \(fault)") }
        for decision in decisions { take(decision) }
        // What ended is written in the same turn, unless its attempt is to be stopped first.
        for decision in decisions {
            guard case .end(let handle, _, _) = decision, let id = byHandle[handle] else { continue }
            if absent.contains(.late) || random.chance(0.5) { write(id) }
        }
    }

    func write(_ id: Int) {
        guard let row = rows[id], !row.isEnded else { return }
        rows[id]?.isEnded = true
        rows[id]?.runs = false
        rows[id]?.asks = false
        rows[id]?.isWeighed = false
        sessions[row.session].isOwed = true
        count.ends += 1
        var isEnd = false
        call("ended \(id)") { isEnd = $0.ended(row.handle, at: $1) }
        expect(isEnd, "\(id) has no way to its end")
    }

    func take(_ decision: TransferDecision) {
        switch decision {
        case .begin(let handle): begin(handle)
        case .stop(let handle):
            guard let id = byHandle[handle], let row = rows[id] else { return }
            expect(row.runs && !row.stops, "an attempt is stopped that does not continue")
            rows[id]?.stops = true
            count.stops += 1
        case .end(let handle, let error, let reason): end(handle, error, reason)
        case .askDelayed(let handle):
            guard let id = byHandle[handle], let row = rows[id] else { return expect(false, "a stranger is asked") }
            expect(!row.wasAsked && !row.isEnded, "it is asked twice")
            expect(row.new.request.earliest.map { $0 <= now.time } == true, "it is asked before its date")
            rows[id]?.asks = true
            rows[id]?.wasAsked = true
            sessions[row.session].isOwed = true
            count.questions += 1
        case .withdrawQuestion(let handle):
            guard let id = byHandle[handle], let row = rows[id] else { return expect(false, "a stranger is not asked") }
            expect(row.asks && !row.isEnded, "a question is withdrawn that nobody was asked")
            rows[id]?.asks = false
        case .waitsForNetwork, .rate: break
        case .wake(let handle): wake(handle)
        }
    }

    private func begin(_ handle: TransferHandle) {
        guard let id = byHandle[handle], let row = rows[id] else { return expect(false, "a stranger begins") }
        let session = sessions[row.session]
        let application = applications[Int(session.new.application.number)]
        expect(!row.runs && !row.isEnded && !row.hasEnd && !row.isWeighed, "\(id) begins though it runs or has ended")
        expect(!row.asks && !row.isHeld && row.new.state != .suspended, "\(id) begins though it must not")
        expect(!application.isMissing, "\(id) begins without its application")
        expect(
            row.new.request.earliest == nil || row.wasAsked || row.new.progress.attempts > 0
                || row.mayBeginUnasked,
            "\(id) begins before it was asked")
        expect(gate(row) == nil, "\(id) begins though the machine holds it back")
        rows[id]?.runs = true
        rows[id]?.isWhole = false
        rows[id]?.new.progress.attempts += 1
        count.begins += 1
        let running = rows.values.filter { $0.runs && !$0.isWhole }
        expect(running.count <= limits.concurrency, "too many run")
        let ofApplication = running.filter { sessions[$0.session].new.application == session.new.application }
        expect(ofApplication.count <= limits.share, "too many of one application run")
        let ofRoute = running.filter { $0.session == row.session && $0.new.request.url == row.new.request.url }
        let bound = max(1, min(Int(session.new.connectionsPerHost), limits.perHost))
        expect(ofRoute.count <= bound, "too many connections to one host")
        if free < .max { expect(free >= limits.diskFloor, "\(id) begins on a full disk") }
    }

    private func end(_ handle: TransferHandle, _ error: TransferError, _ reason: TransferCancelReason?) {
        guard let id = byHandle[handle], let row = rows[id] else { return expect(false, "a stranger ends") }
        expect(!row.hasEnd && !row.isEnded, "\(id) ends twice")
        rows[id]?.hasEnd = true
        rows[id]?.runs = false
        rows[id]?.isWeighed = false
        rows[id]?.asks = false
        if error == .timedOut {
            expect(row.expires <= now.instant, "\(id) has time left")
            count.timeouts += 1
        }
        let isQuit = applications[Int(sessions[row.session].new.application.number)].isQuit
        expect(reason == nil || isQuit, "\(id) is cancelled for a reason that is none")
    }

    private func wake(_ handle: SessionHandle) {
        guard let index = sessions.firstIndex(where: { $0.handle == handle }) else {
            return expect(false, "a stranger is woken")
        }
        let session = sessions[index]
        expect(mayWake(index), "session \(index) is woken though it must not be")
        expect(
            session.isOwed && hasEvents(index) || session.new.awaitsHandling, "session \(index) is woken for nothing")
        sessions[index].awaitsHandling = true
        sessions[index].new.awaitsHandling = false
        sessions[index].isOwed = false
        count.wakes += 1
    }

    // MARK: Rules, from their description

    func mayWake(_ index: Int) -> Bool {
        let session = sessions[index]
        let application = applications[Int(session.new.application.number)]
        return session.new.sendsLaunchEvents && !session.awaitsHandling && !application.isQuit && !application.isMissing
            && application.standing != .foreground && !(application.standing == .background && session.isOpen)
    }

    func hasEvents(_ index: Int) -> Bool {
        let mine = rows.values.filter { $0.session == index }
        let isOver = mine.allSatisfy { $0.isEnded || $0.new.state == .suspended }
        return mine.contains { $0.asks && $0.new.state != .suspended } || isOver && mine.contains(where: \.isEnded)
    }

    func gate(_ row: Row) -> TransferWait? {
        let session = sessions[row.session].new
        if conditions.isAsleep == .yes { return .sleep }
        let isDiscretionary = session.isDiscretionary || row.new.isFromBackground
        if row.needsNetwork {
            guard conditions.network >= .constrained else { return .network }
            let isFrugal =
                !(session.allowsExpensive && session.allowsConstrained && row.new.request.allowsExpensive
                && row.new.request.allowsConstrained)
            if (isFrugal || isDiscretionary) && conditions.network != .ok { return .unmeteredNetwork }
        }
        guard isDiscretionary else { return nil }
        if conditions.externalPower != .yes { return .power }
        if conditions.windowClosed == .yes { return .window }
        return conditions.lowPowerMode == .yes ? .lowPower : nil
    }

    /// What the queue says of each, against what is known of it; and whether one waits that could begin.
    func check() {
        let underWay = rows.values.count(where: \.runs)
        let running = rows.values.filter { $0.runs && !$0.isWhole }
        expect(queue.counts.running == underWay, "\(queue.counts.running) run instead of \(underWay)")
        expect(queue.counts.open == rows.values.count { !$0.isEnded }, "not as many are open")
        expect(queue.counts.untold == rows.values.count { $0.isEnded }, "not as many are untold")
        for (id, row) in rows where !row.isEnded { check(id, row, running) }
        for index in sessions.indices where sessions[index].isOwed && mayWake(index) && hasEvents(index) {
            let left = queue.nextDeadline(at: now) - now.instant
            expect(left <= limits.longestDelay, "session \(index) is never woken")
        }
    }

    private func check(_ id: Int, _ row: Row, _ running: [Row]) {
        let wait = queue.wait(of: row.handle, at: now)
        if let wait { count.waits.insert(wait.reason) }
        let session = sessions[row.session]
        let of = running.filter { sessions[$0.session].new.application == session.new.application }.count
        switch wait?.reason {
        case nil: expect(row.runs || row.isWeighed || row.hasEnd, "\(id) waits for nothing")
        case .notServed: expect(false, "\(id) waits for a daemon in a daemon")
        case .suspended: expect(row.new.state == .suspended, "\(id) is not suspended")
        case .person: expect(row.isHeld, "no user holds \(id)")
        case .applicationMissing:
            expect(applications[Int(session.new.application.number)].isMissing, "the application of \(id) is there")
        case .date: expect(row.new.request.earliest.map { $0 > now.time } == true, "the date of \(id) has come")
        case .delay: expect(row.new.isFromBackground, "\(id) is delayed for nothing")
        case .backoff: expect(row.new.progress.attempts > 0, "\(id) did not fail")
        case .answer: expect(row.asks, "\(id) asks nothing")
        case .disk: expect(free < .max || row.new.progress.attempts > 0, "there is room for \(id)")
        case .perHost:
            let route = running.filter { $0.session == row.session && $0.new.request.url == row.new.request.url }
            expect(
                route.count >= max(1, min(Int(session.new.connectionsPerHost), limits.perHost)),
                "\(id) could be connected")
        case .concurrency:
            expect(running.count >= limits.concurrency || of >= limits.share, "\(id) could go")
        case .network, .unmeteredNetwork, .power, .lowPower, .window, .sleep:
            expect(gate(row) == wait?.reason, "\(id) does not wait for \(wait?.reason.name ?? "")")
        }
    }
}
