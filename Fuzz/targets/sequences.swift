import Engine
import TaskModel
import Wire

/// Reads the input as a story: what workers say in valid frames, in whatever order, of whatever run, between what the host does
/// and what the machine does to it. The host's state machine has to keep its promises whatever they say: each run is
/// remembered, ends once and is told once; nothing is asked of a worker that is gone; and in the end all is quiet.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var story = Story(UnsafeRawBufferPointer(start: start, count: count))
    story.play()
    return 0
}

private struct Story: ~Copyable {
    private var input: UnsafeRawBufferPointer
    private var position = 0
    private var engine: Engine
    private var now = ClockReading(
        instant: Instant(nanoseconds: 1_000_000_000_000), time: Timestamp(nanoseconds: 1_772_366_400_000_000_000))
    private var tasks: [TaskIndex] = []
    private var applications: [ApplicationIndex] = []
    private var submissions: UInt64 = 0
    /// Remembered and not told yet; true: its end is remembered.
    private var runs: [RunHandle: Bool] = [:]
    /// In the order of their launch. True: its process has ended.
    private var workers: [(handle: WorkerHandle, hasExited: Bool)] = []
    private var used: Int64 = 0

    init(_ input: UnsafeRawBufferPointer) {
        self.input = input
        engine = Engine(
            limits: EngineLimits(
                profile: .modern, concurrency: 4, cores: 2, metersMemory: true, idleWorkers: 2, launches: 2,
                diskFloor: .mebibytes(1)),
            nextSequence: 1)
        for number in 0..<3 {
            let application = engine.addApplication(
                ApplicationRules(isolatesRuns: number == 2, hasLifecycle: number == 1, mayHaveSpare: true))
            applications.append(application)
            for isMonitored in [false, true] {
                tasks.append(
                    engine.addTask(
                        TaskRules(
                            application: application, wallClock: .seconds(30), grace: .seconds(5),
                            cpuTime: isMonitored ? .seconds(10) : nil, memory: .mebibytes(64), disk: .mebibytes(256),
                            isMonitored: isMonitored, stall: isMonitored ? .seconds(9) : nil,
                            sharesDeadline: isMonitored, callback: nil)))
            }
        }
    }

    // MARK: The input

    private mutating func byte() -> UInt8 {
        guard position < input.count else { return 0 }
        defer { position += 1 }
        return input[position]
    }

    private mutating func choice<Element>(of elements: [Element]) -> Element? {
        let number = Int(byte())
        return elements.isEmpty ? nil : elements[number % elements.count]
    }

    /// One of those that there are, or one that is none.
    private mutating func anyRun() -> RunHandle {
        let known = runs.keys.sorted { ($0.index, $0.generation) < ($1.index, $1.generation) }
        let number = byte()
        if number < 32 || known.isEmpty { return RunHandle(index: UInt32(number), generation: UInt32(byte())) }
        return known[Int(number) % known.count]
    }

    // MARK: The story

    mutating func play() {
        for _ in 0..<2000 where position < input.count { step() }
        end()
    }

    private mutating func step() {
        switch byte() % 16 {
        case 0, 1:
            guard let task = choice(of: tasks) else { return }
            submissions += 1
            let facts = byte()
            feed(
                .submitted(
                    Submission(
                        task: task, id: ULID(high: 0, low: submissions), requester: UInt32(submissions),
                        launch: UInt32(facts & 3), isOnPower: facts & 4 != 0, hasRequest: facts & 8 != 0)))
        case 2, 3, 4, 5, 6, 7, 8:
            guard let worker = choice(of: workers), !worker.hasExited else { return }
            let run = anyRun()
            hear(frame(of: run), from: worker.handle)
        case 9: pass(.milliseconds(Int64(byte()) * 100))
        case 10: if let number = workers.indices.randomElement(by: byte()) { leave(number, status: Int32(byte())) }
        case 11: if let one = choice(of: applications) { feed(.foreground(application: one, byte() & 1 == 0)) }
        case 12: person()
        case 13: machine()
        case 14: if let one = choice(of: applications) { feed(.sessionEvents(application: one)) }
        default: passToDeadline()
        }
    }

    private mutating func person() {
        let run = anyRun()
        switch byte() % 6 {
        case 0: feed(.cancelled(run))
        case 1: feed(.simulatedExpiration(run))
        case 2: feed(.expired(run, .networkLost))
        case 3: if let one = choice(of: applications) { feed(.wake(application: one)) }
        case 4: if let one = choice(of: applications) { feed(.renewed(application: one)) }
        default:
            if let one = choice(of: applications) {
                feed(.terminateApplication(application: one, .applicationTerminated))
            }
        }
    }

    private mutating func machine() {
        let worker = choice(of: workers)
        switch byte() % 9 {
        case 0: feed(.sleeps(waitsUntil: now.instant + .seconds(5)))
        case 1: feed(.awoke)
        case 2: feed(.memoryPressure(byte() & 1 == 0))
        case 3: feed(.spaceMetered(free: .mebibytes(UInt64(byte()))))
        case 4: if let worker, !worker.hasExited { feed(.memoryRanOut(worker.handle)) }
        case 5: if let worker, !worker.hasExited { feed(.outOfMemory(worker.handle)) }
        case 6: if let worker, !worker.hasExited { feed(.disconnected(worker.handle)) }
        case 7: if let worker, !worker.hasExited { feed(.leavesWhenIdle(worker.handle)) }
        default:
            if let worker, !worker.hasExited { feed(.flooded(worker.handle, by: byte() & 1 == 0 ? nil : anyRun())) }
        }
    }

    /// The first process of a worker ends, and its tree with it or later.
    private mutating func leave(_ number: Int, status: Int32) {
        let worker = workers[number]
        if !worker.hasExited {
            workers[number].hasExited = true
            meter(worker.handle)
            feed(.exited(worker.handle, WorkerExit(signal: status & 15, status: status, outOfMemory: status & 16 != 0)))
        } else {
            feed(.treeExited(worker.handle))
        }
    }

    /// All processes end, and nobody wants anything any more.
    private mutating func end() {
        feed(.stopping)
        feed(.stopping)
        for _ in 0..<1000 where !engine.isQuiet {
            for number in workers.indices.reversed() where number < workers.count {
                leave(number, status: 9)
            }
            passToDeadline()
        }
        precondition(engine.isQuiet, "everything has ended")
        precondition(runs.isEmpty, "and everybody was told")
        precondition(workers.isEmpty, "and nothing is held of any worker")
    }

    private mutating func pass(_ span: TimeSpan) {
        now.instant = now.instant + span
        now.time = Timestamp(nanoseconds: now.time.nanoseconds + span.nanoseconds)
        engine.advance(to: now)
        performAll()
    }

    private mutating func passToDeadline() {
        let deadline = engine.nextDeadline
        guard deadline < .distantFuture else { return }
        pass(deadline > now.instant ? deadline - now.instant : .zero)
    }

    // MARK: Frames

    /// A valid frame of a worker.
    private mutating func frame(of run: RunHandle) -> [UInt8] {
        switch byte() % 8 {
        case 0: return FrameWriter(.ready).finished() ?? []
        case 1, 2:
            var bytes = [UInt8](repeating: 0, count: Completion.frameSize)
            let facts = byte()
            let deferral = facts & 2 == 0 ? nil : Deferral(seconds: Double(byte()) * 60)
            let completion =
                deferral.map { Completion($0) }
                ?? Completion(success: facts & 1 == 0, result: nil, automatic: facts & 4 != 0)
            bytes.withUnsafeMutableBytes { completion.write(run: run, to: $0) }
            return bytes
        case 3: return FrameWriter(.unreported, run: run).finished() ?? []
        case 4:
            var frame = FrameWriter(.declined, run: run)
            frame.text("no such handler")
            return frame.finished() ?? []
        case 5:
            return ProgressReport(completed: Int64(byte()), total: 255, text: "so far").frame(run: run)
        case 6: return FrameWriter(.returned, run: RunHandle(callID: UInt32(byte() & 7))).finished() ?? []
        default: return LaunchRefusal(code: 1, sentence: "it cannot").frame(.refused, run: run)
        }
    }

    /// Takes a frame as the host's listener does.
    private mutating func hear(_ frame: [UInt8], from worker: WorkerHandle) {
        let event: Event? = frame.withUnsafeBytes { frame -> Event? in
            do throws(WireError) {
                let header = try FrameHeader(reading: frame)
                guard let kind = FrameKind(rawValue: header.kind) else { return nil }
                var reader = FrameReader(body: frame)
                switch kind {
                case .ready: return .ready(worker)
                case .refused: return .refused(worker)
                case .completed:
                    let completion = try Completion(reading: frame)
                    if let deferral = completion.deferral { return .deferred(worker, header.run, deferral) }
                    return .completed(
                        worker, header.run, success: completion.success, result: completion.result,
                        automatic: completion.automatic)
                case .unreported: return .unreported(worker, header.run)
                case .declined: return .declined(worker, header.run)
                case .progress:
                    return .progressed(worker, header.run, completed: try ProgressReport(from: &reader).completed)
                case .returned: return .returned(worker, state: header.run.callID)
                default: return nil
                }
            } catch {
                preconditionFailure("it is valid: \(error)")
            }
        }
        guard let event else { preconditionFailure("it is a worker's") }
        // The listener lets a worker be ready once.
        if case .ready = event, !ready.insert(worker).inserted { return feed(.violated(worker)) }
        if case .refused = event, !ready.insert(worker).inserted { return feed(.violated(worker)) }
        meter(worker)
        feed(event)
    }
    private var ready: Set<WorkerHandle> = []

    private mutating func meter(_ worker: WorkerHandle) {
        used += 1_000_000
        feed(.metered(worker, cpu: TimeSpan(nanoseconds: used), peak: .mebibytes(2)))
    }

    // MARK: What the host does

    private mutating func feed(_ event: Event) {
        engine.handle(event, at: now)
        performAll()
    }

    private mutating func performAll() {
        precondition(engine.check() == nil, engine.check() ?? "")
        let actions = engine.actions
        engine.removeActions()
        perform(actions)
    }

    private func isThere(_ worker: WorkerHandle) -> Bool { workers.contains { $0.handle == worker } }

    private mutating func perform(_ actions: [Action]) {
        // What they answer follows when they are done.
        var answers: [Event] = []
        for action in actions {
            switch action {
            case .write(.insert(let run)):
                precondition(runs.updateValue(false, forKey: run) == nil, "a run begins once")
            case .write(.finish(let run)): precondition(runs.updateValue(true, forKey: run) == false, "a run ends once")
            case .effect(.reply(let run)):
                precondition(runs.removeValue(forKey: run) == true, "its end is remembered and told once")
                engine.release(run)
            case .write(.markExpired(let run)), .write(.pause(let run)), .write(.resume(let run)):
                precondition(runs[run] == false, "it is under way")
            case .urgent(.launch(let worker, _, _)), .urgent(.prepare(let worker, _, _)):
                precondition(!isThere(worker), "a worker is launched once")
                workers.append((worker, false))
            case .effect(.retire(let worker)):
                precondition(workers.contains { $0.handle == worker && $0.hasExited }, "its processes are gone")
                workers.removeAll { $0.handle == worker }
                ready.remove(worker)
                engine.release(worker)
            case .effect(.start(let worker, let run)), .urgent(.expire(let worker, let run, _)),
                .effect(.expired(let worker, let run, _)):
                precondition(isThere(worker) && ready.contains(worker), "the worker is ready")
                precondition(runs[run] == false, "the run is under way")
            case .effect(.setDeadline(let worker, _)), .effect(.state(let worker, _)),
                .effect(.expireAssertions(let worker)),
                .effect(.limitMemory(let worker, _)), .effect(.sweep(let worker)), .effect(.terminate(let worker)),
                .urgent(.adopt(let worker, _)), .urgent(.kill(let worker)), .effect(.kill(let worker)),
                .effect(.thaw(let worker)), .write(.terminated(let worker, _, _, _)):
                precondition(isThere(worker), "the worker is there")
            case .effect(.meter(let worker)):
                used += 1_000_000
                answers.append(.metered(worker, cpu: TimeSpan(nanoseconds: used), peak: .mebibytes(3)))
            case .effect(.weigh(let worker)):
                answers.append(.weighed(worker, memory: byte() & 1 == 0 ? nil : .mebibytes(5)))
            case .effect(.weighFolders(let one)):
                answers.append(.diskMetered(application: one, used: .mebibytes(UInt64(byte()) * 2)))
            case .effect(.meterSpace): answers.append(.spaceMetered(free: .mebibytes(UInt64(byte()))))
            case .effect(.examine(let worker)):
                answers.append(byte() & 1 == 0 ? .hung(worker) : .lacked(worker, .memory))
            case .effect(.freeze(let worker)): answers.append(.frozen(worker, holdsLock: byte() & 1 == 1))
            case .effect(.handleSessionEvents(let worker)): answers.append(.sessionsHandled(worker))
            case .effect(.allowSleep): break
            }
        }
        for answer in answers { feed(answer) }
    }
}

extension Range<Int> {
    fileprivate func randomElement(by number: UInt8) -> Int? { isEmpty ? nil : lowerBound + Int(number) % count }
}
