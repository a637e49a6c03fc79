import Linux
import Setting
import TaskModel
import Transferring
import Wire

/// What the host itself sends: webhooks and traces, as POST requests of `taskhost-transfer`. Nothing waits for them; what does not
/// get through is tried again, then dropped and counted. Thread: the loop's.
package final class Outgoing: TimedSource {
    /// What is sent in one order, one after another. What one receiver delays holds up no other.
    enum Lane: Hashable {
        case webhook(ApplicationIndex, origin: String)
        case traces
    }

    struct Letter {
        var lane: Lane
        var url: String
        var headers: [HTTPHeader]
        var body: [UInt8]
        /// How many things it carries.
        var count = 1
        /// Where it may be sent, and whom it trusts, at the time when it is sent. Throws a sentence.
        var prepare: (inout TransferOrder) throws(TransferRefusal) -> Void
        /// It is through, or dropped: a clause for people.
        var didEnd: (_ isDelivered: Bool, String) -> Void = { _, _ in }
    }

    /// By kind; the metrics show them.
    package struct Figures {
        package var delivered: UInt64 = 0
        package var retried: UInt64 = 0
        package var dropped: UInt64 = 0
        package var waiting: UInt64 = 0
    }

    private struct Queue {
        var letters: [Letter] = []
        /// The first letter is on its way.
        var handle: TransferHandle?
        /// Of its answer.
        var status: UInt16 = 0
        var tries = 0
        /// When the first letter is tried, or given up as unanswered.
        var deadline = Instant(nanoseconds: 0)
        /// Letters that were lost since the last one that got through.
        var lost: UInt64 = 0
    }

    /// Handles of the transfer process from here on are of letters: the table of transfers never grows so far.
    private static let firstHandle: UInt32 = 1 << 31
    /// Letters on their way at once.
    private static let mostSent = 8
    /// Webhooks that wait, of one application and in all.
    private static let mostOfOne = Limit.webhooks.most
    private static let most = Limit.allWebhooks.most
    private static let mostTries = 6
    /// Before the second try; doubles with every further one.
    private static let pause = TimeSpan.seconds(1)
    private static let longestRetryAfter = TimeSpan.minutes(5)
    /// A whole try.
    private static let patience = TimeSpan.seconds(10)
    private static let mostAnswer: Int64 = 64 << 10

    private let process: TransferProcess
    private let decider: Decider
    private let announcer: Announcer
    private var queues: [Lane: Queue] = [:]
    private var lanes: [TransferHandle: Lane] = [:]
    private var next: UInt32 = 0
    private var counts: [String: Figures] = ["webhooks": Figures(), "spans": Figures()]

    init(_ process: TransferProcess, _ decider: Decider, _ announcer: Announcer) {
        self.process = process
        self.decider = decider
        self.announcer = announcer
    }

    /// Whether a report of the transfer process is about a letter.
    static func owns(_ handle: TransferHandle) -> Bool { handle.index >= firstHandle }

    /// What was sent of each kind.
    package var figures: [(kind: String, figures: Figures)] {
        counts.sorted { $0.key < $1.key }.map { kind, figures in
            var figures = figures
            for (lane, queue) in queues where lane.kind == kind {
                figures.waiting += queue.letters.reduce(0) { $0 + UInt64($1.count) }
            }
            return (kind, figures)
        }
    }

    /// Nothing is on its way.
    var isEmpty: Bool { queues.allSatisfy { $0.value.letters.isEmpty } }

    /// How many letters of a lane wait, those on their way included.
    func waiting(in lane: Lane) -> Int { queues[lane]?.letters.count ?? 0 }

    // MARK: Sending

    /// Call it when what the letter tells is recorded.
    func post(_ letter: Letter) {
        guard hasRoom(for: letter) else {
            return drop(letter, "too much waits already", at: decider.now.instant)
        }
        queues[letter.lane, default: Queue()].letters.append(letter)
        send(at: decider.now.instant)
    }

    /// Something of that kind was lost before it became a letter.
    func noteLoss(of count: Int, in lane: Lane) {
        counts[lane.kind, default: Figures()].dropped += UInt64(count)
        noteLoss(in: lane, count, "too much waits already")
    }

    private func hasRoom(for letter: Letter) -> Bool {
        guard case .webhook(let application, _) = letter.lane else { return true }
        var (own, all) = (0, 0)
        for case (.webhook(let other, _), let queue) in queues {
            all += queue.letters.count
            if other == application { own += queue.letters.count }
        }
        return own < Self.mostOfOne && all < Self.most
    }

    /// Sends the first letter of each lane that is due, as far as there is room.
    private func send(at now: Instant) {
        for lane in Array(queues.keys) {
            guard lanes.count < Self.mostSent else { return }
            guard let queue = queues[lane], queue.handle == nil, queue.deadline <= now, let letter = queue.letters.first
            else { continue }
            send(letter, in: lane, at: now)
        }
    }

    private func send(_ letter: Letter, in lane: Lane, at now: Instant) {
        next = next &+ 1
        let handle = TransferHandle(index: Self.firstHandle | (next & ~Self.firstHandle), generation: 0)
        var order = TransferOrder(transfer: handle, kind: .upload, url: letter.url, method: "POST")
        order.headers = letter.headers
        order.total = Int64(letter.body.count)
        order.sizeLimit = Self.mostAnswer
        order.timeout = Self.patience
        order.acceptsChallenge = true
        do throws(TransferRefusal) {
            try letter.prepare(&order)
        } catch {
            return end(lane, .dropped(error.sentence), at: now)
        }
        do throws(SystemError) {
            let answer = try Descriptor.inMemory("answer")
            // Its barriers cost nothing: what is in memory needs none.
            let folder = try answer.duplicate()
            try process.begin(order, file: answer, folder: folder, source: Descriptor.inMemory("letter", letter.body))
        } catch {
            let isLasting = error.code == .EMSGSIZE
            return end(lane, isLasting ? .dropped("\(error)") : .interrupted("\(error)", after: nil), at: now)
        }
        lanes[handle] = lane
        queues[lane]?.handle = handle
        queues[lane]?.status = 0
        queues[lane]?.deadline = now + Self.patience
    }

    // MARK: Reports

    func hear(_ report: TransferReport, of handle: TransferHandle) {
        guard let lane = lanes[handle] else { return }
        switch report {
        case .answered(let response, _, _, _, _): queues[lane]?.status = response.status
        case .ended(let result): hear(result, in: lane)
        case .progress, .durable, .whole, .uploadCreated, .informed: return
        }
    }

    private func hear(_ result: TransferResult, in lane: Lane) {
        let status = result.status != 0 ? result.status : queues[lane]?.status ?? 0
        let pause = result.retryAfter.map { TimeSpan.seconds($0) }
        let fate: Fate =
            switch result.kind {
            case .finished where (200..<300).contains(status): .delivered("answered with status \(status)")
            case .finished where [429, 502, 503, 504].contains(status):
                .interrupted("answered with status \(status)", after: pause)
            case .finished: .dropped("answered with status \(status)")
            case .interrupted: .interrupted(result.sentence, after: pause)
            case .stopped: .interrupted("did not answer within \(Self.patience)", after: nil)
            case .noSpace: .interrupted("answered with more than there is memory for", after: nil)
            case .failed, .challenged: .dropped(result.sentence)
            }
        end(lane, fate, at: decider.now.instant)
    }

    /// The transfer process has ended: what it had is tried again.
    func processIsLost() {
        for lane in Array(lanes.values) {
            end(lane, .interrupted("the transfer process was lost", after: nil), at: decider.now.instant)
        }
    }

    /// How a try ended, with a clause.
    private enum Fate {
        case delivered(String)
        case interrupted(String, after: TimeSpan?)
        case dropped(String)
    }

    private func end(_ lane: Lane, _ fate: Fate, at now: Instant) {
        guard var queue = queues[lane], let letter = queue.letters.first else { return }
        if let handle = queue.handle { lanes[handle] = nil }
        queue.handle = nil
        queue.tries += 1
        if case .interrupted(_, let pause) = fate, queue.tries < Self.mostTries {
            let usual = TimeSpan(nanoseconds: Self.pause.nanoseconds << Int64(queue.tries - 1))
            queue.deadline = now + max(usual, min(pause ?? .zero, Self.longestRetryAfter))
            queues[lane] = queue
            counts[lane.kind, default: Figures()].retried += UInt64(letter.count)
            return send(at: now)
        }
        queue.letters.removeFirst()
        queue.tries = 0
        queue.deadline = now
        let lost = queue.lost
        if case .delivered = fate { queue.lost = 0 }
        queues[lane] = queue.letters.isEmpty && queue.lost == 0 ? nil : queue
        switch fate {
        case .delivered(let clause):
            counts[lane.kind, default: Figures()].delivered += UInt64(letter.count)
            if lost > 0 { log("\(lane.kind) get through again; \(lane.place(of: letter)); \(lost) were lost") }
            letter.didEnd(true, clause)
        case .interrupted(let clause, _), .dropped(let clause): drop(letter, clause, at: now)
        }
        send(at: now)
    }

    private func drop(_ letter: Letter, _ clause: String, at now: Instant) {
        counts[letter.lane.kind, default: Figures()].dropped += UInt64(letter.count)
        noteLoss(in: letter.lane, letter.count, "\(letter.lane.place(of: letter)): \(clause)")
        letter.didEnd(false, clause)
    }

    /// The log has the first loss of a row.
    private func noteLoss(in lane: Lane, _ count: Int, _ clause: String) {
        let isFirst = queues[lane]?.lost ?? 0 == 0
        queues[lane, default: Queue()].lost += UInt64(count)
        if isFirst {
            log("\(lane.kind) are lost; \(clause); see the receiver, and taskhost_outgoing_total for their number")
        }
    }

    private func log(_ sentence: String) { announcer.log?.add(LogEntry(.warning, nil, sentence)) }

    // MARK: EventSource

    var nextDeadline: Instant {
        guard !queues.isEmpty else { return .distantFuture }
        let isFull = lanes.count >= Self.mostSent
        var earliest = Instant.distantFuture
        for queue in queues.values where !queue.letters.isEmpty && (queue.handle != nil || !isFull) {
            earliest = min(earliest, queue.deadline)
        }
        return earliest
    }

    func advance(to now: ClockReading) {
        for (lane, queue) in queues where queue.deadline <= now.instant {
            guard let handle = queue.handle else { continue }
            process.stop(handle)
            queues[lane]?.deadline = .distantFuture
        }
        send(at: now.instant)
    }

    func close() { queues = [:] }
}

extension Outgoing.Lane {
    /// The kind in the metrics.
    var kind: String {
        switch self {
        case .webhook: "webhooks"
        case .traces: "spans"
        }
    }

    /// What may be shown of a letter's URL: a path may be a secret.
    fileprivate func place(of letter: Outgoing.Letter) -> String {
        WebURL(letter.url)?.origin ?? ShownURL.none
    }
}
