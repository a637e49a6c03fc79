import Engine
import Record
import Scheduling
import TaskModel
import TestSupport

// What the record receives, when that is durable, and what is left when the host dies.
extension JointHost {
    static func memories(of world: JointWorld, in kept: MemoryStore) -> [ApplicationMemory] {
        world.applications.indices.map { kept.memories[Int64($0.number) + 1] ?? ApplicationMemory() }
    }

    /// Of a run: no two have the same.
    func nextID() -> ULID {
        ids += 1
        return ULID(high: seed, low: ids)
    }

    // MARK: The turn

    /// One turn's writes, and what it does once they are durable. A turn with neither is none.
    func commit(_ actions: [Action]) {
        if runWrites.isEmpty && requestWrites.isEmpty && writes.isEmpty && effects.isEmpty && actions.isEmpty { return }
        number += 1
        var record = TurnRecord(turn: number)
        for write in runWrites + requestWrites + writes { record.append(write) }
        writes.removeAll(keepingCapacity: true)
        runWrites.removeAll(keepingCapacity: true)
        requestWrites.removeAll(keepingCapacity: true)
        var promise = JointPromise()
        for known in pending.values { promise.waiting[Submitted(known.request)] = known.request.attempt }
        for known in running.values { promise.running[Submitted(known.request)] = known.request.attempt }
        for known in [pending.values, running.values].joined() {
            promise.failures[Submitted(known.request)] = known.failures
        }
        for known in pending.values { promise.deferrals[Submitted(known.request)] = known.deferrals }
        promise.stops = recordedStops
        promises[number] = promise
        held.append((number, actions, effects))
        effects.removeAll(keepingCapacity: true)
        do {
            try store.write(record)
            if store.isBehind { count.late += 1 }
        } catch {
            isBroken = true
        }
    }

    /// What has become durable since.
    func hear() throws {
        do {
            try store.settle()
        } catch {
            isBroken = true
            return
        }
        try actOnDurable()
    }

    /// Acts for every turn that is durable, in their order.
    func actOnDurable() throws {
        while let turn = held.first?.turn, turn <= store.durableTurn {
            let (_, actions, effects) = held.removeFirst()
            try expect(kept.durableTurn >= turn, "turn \(turn) is reported as durable, and is not")
            promises[told] = nil
            told = turn
            for action in actions { try act(on: action) }
            for effect in effects { try act(on: effect) }
        }
    }

    // MARK: Runs

    func noteBeginning(of run: RunHandle) {
        guard let slot = engine.runs[run] else { return }
        runWrites.append(
            .runBegan(
                RunStart(
                    id: slot.id, task: Int64(slot.task.number), attempt: slot.attempt, submittedAt: slot.submitted,
                    startedAt: slot.started?.time), waits: []))
    }

    func noteWarning(of run: RunHandle) {
        guard let slot = engine.runs[run], let expired = slot.expired, let reason = slot.reason, slot.phase != .ended
        else { return }
        runWrites.append(.runExpired(slot.id, at: expired, reason))
    }

    func noteEnd(of run: RunHandle) {
        guard let slot = engine.runs[run], let outcome = slot.outcome, let ended = slot.ended else { return }
        let end = RunEnd(
            id: slot.id, outcome: outcome, reason: slot.reason, startedAt: slot.started?.time, expiredAt: slot.expired,
            endedAt: ended)
        runWrites.append(.runEnded(end, slot.events))
    }

    // MARK: Lives

    /// The record is that of one turn, no earlier than the outside knows: no request that was acknowledged is lost, nor
    /// is an end.
    func inspectRemains() throws {
        let turn = kept.durableTurn
        try expect(turn >= told, "turn \(told) was reported as durable, and \(turn) is what is left")
        if turn > told { count.unheard += 1 }
        guard let promise = promises[turn] else { return try expect(false, "turn \(turn) was never written") }
        func rows(_ requests: [Int64: TaskRequest]) -> [Submitted: UInt32] {
            Dictionary(uniqueKeysWithValues: requests.values.map { (Submitted($0), $0.attempt) })
        }
        try expect(rows(kept.waiting) == promise.waiting, "of turn \(turn) other requests wait than were promised")
        try expect(rows(kept.running) == promise.running, "of turn \(turn) other requests run than were promised")
        try expect(kept.paused == promise.stops, "of turn \(turn) other pauses are left than were promised")
        for request in [kept.waiting.values, kept.running.values].joined() {
            try expect(!acknowledged.contains(Submitted(request)), "\(request) is left, and its end was reported")
        }
    }

    /// What a host does first.
    ///
    /// - Returns: how many requests wait again.
    func recover() throws -> Int {
        let (waiting, running) = (kept.waiting, kept.running)
        let cancelled = Set(kept.unfinished.filter { $0.reason == .userCancelled }.map(\.id))
        let recovery = Recovery(
            runs: try kept.unfinishedRuns(), requests: try kept.interruptedRequests(), at: now.time)
        try kept.write(recovery.record)
        try expect(kept.unfinished.isEmpty && kept.running.isEmpty, "something runs that has no host")
        var count = 0
        for (identity, request) in running {
            let newer = waiting[identity]
            let isComing = newer?.terms.origin == .schedule && (newer?.scheduledFor).map { $0 > now.time } ?? false
            let isCancelled = request.running.map(cancelled.contains) ?? false
            let returns = !isCancelled && (newer == nil || isComing)
            let left = kept.waiting[identity]
            try expect(
                left?.submitted == (returns ? request.submitted : newer?.submitted), "\(identity) is recovered wrongly")
            if returns {
                try expect(left?.attempt == request.attempt + 1, "\(identity) has attempt \(left?.attempt ?? 0)")
            }
            count += returns ? 1 : 0
        }
        return count
    }

    /// A store for one life. Turns are counted from 1 again.
    func beginStore() throws {
        (number, told) = (0, 0)
        promises.removeAll()
        promises[0] = JointPromise()
        promises[0]?.stops = kept.paused
        for request in kept.waiting.values {
            promises[0]?.waiting[Submitted(request)] = request.attempt
            promises[0]?.failures[Submitted(request)] = request.failures
            promises[0]?.deferrals[Submitted(request)] = request.deferrals
        }
        acknowledged.removeAll()
        mood = random.chance(0.4) || isCalm ? .prompt : JointMood.allCases.randomElement(using: &random) ?? .prompt
        var fates = SeededGenerator(seed: random.next())
        let (mood, last, slowest) = (
            mood, UInt64.random(in: 1...600, using: &random), Int.random(in: 1...8, using: &random)
        )
        store = try LateStore(kept) { turn in
            switch mood {
            case .prompt: .done(after: 0)
            case .stalls where turn > last: .never
            case .breaks where turn > last: .broken
            case .late, .stalls, .breaks: .done(after: Int.random(in: 0...slowest, using: &fates))
            }
        }
    }
}
