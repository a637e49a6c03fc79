import TaskModel
import TestSupport
import Transfers

// What happens to the host, at random, and how it ends well.
extension SimulatedHost {
    func live(steps: Int) throws {
        for _ in 0..<steps {
            count.steps += 1
            step()
            check()
            if let violation { throw violation }
        }
        settle()
        if let violation { throw violation }
    }

    private func step() {
        switch Int.random(in: 0..<112, using: &random) {
        case 0..<4: addSession()
        case 4..<24: add()
        case 24..<34: happens(.change) { change() }
        case 34..<56: attempt()
        case 56..<66: happens(.standing) { stand() }
        case 66..<76: happens(.listening) { listen() }
        case 76..<86: pass(.milliseconds(Int64.random(in: 1...200_000, using: &random)))
        case 86..<88: happens(.passing) { pass(.seconds(Int64.random(in: 1...400_000, using: &random))) }
        case 88..<93: happens(.machine) { changeMachine() }
        case 93..<94: happens(.manifest) { changeManifest() }
        case 94..<95: happens(.quit) { quit() }
        case 95..<96: happens(.jump) { jump() }
        case 96..<98: happens(.process) { loseProcess() }
        case 98..<100: happens(.restart) { restart() }
        case 100..<104: happens(.weighing) { weighed() }
        case 104..<108: happens(.late) { writeLate() }
        default: happens(.stray) { stray() }
        }
    }

    private func happens(_ kind: Kind, _ body: () -> Void) {
        if absent.contains(kind) { attempt() } else { body() }
    }

    private func someRow(where isMeant: (Row) -> Bool = { _ in true }) -> Int? {
        rows.filter { isMeant($0.value) }.keys.sorted().randomElement(using: &random)
    }

    // MARK: Applications' wishes

    private func addSession() {
        guard sessions.count < 6 else { return changeSession() }
        var new = NewSession(
            application: ApplicationIndex(number: UInt32.random(in: 0..<UInt32(applications.count), using: &random)))
        randomize(&new)
        sessions.append(Session(new: new, handle: queue.addSession(new)))
    }

    private func randomize(_ new: inout NewSession) {
        new.isDiscretionary = random.chance(0.2)
        new.sendsLaunchEvents = random.chance(0.8)
        new.allowsExpensive = random.chance(0.8)
        new.allowsConstrained = random.chance(0.9)
        new.connectionsPerHost = UInt16.random(in: 1...6, using: &random)
        new.resourceTimeout = .seconds(Int64.random(in: 1000...1_000_000, using: &random))
    }

    private func changeSession() {
        guard let index = sessions.indices.randomElement(using: &random) else { return }
        let (timeout, awaits) = (sessions[index].new.resourceTimeout, sessions[index].new.awaitsHandling)
        randomize(&sessions[index].new)
        sessions[index].new.resourceTimeout = timeout
        sessions[index].new.awaitsHandling = awaits
        let session = sessions[index]
        call("options \(index)") { $0.setOptions(of: session.handle, session.new, at: $1) }
    }

    private func add() {
        guard let session = sessions.indices.randomElement(using: &random), rows.count < 60 else { return }
        var new = BackgroundTransfer.plain(
            random.chance(0.7) ? .download : .upload, from: UInt32.random(in: 0..<3, using: &random),
            needsNetwork: random.chance(0.9), created: now.time)
        if random.chance(0.1) {
            new.request.earliest = now.time + .seconds(Int64.random(in: -100...10_000, using: &random))
        }
        new.request.priority = [0, 0.25, 0.5, 1].randomElement(using: &random) ?? 0.5
        new.request.allowsExpensive = random.chance(0.9)
        new.isFromBackground = applications[Int(sessions[session].new.application.number)].standing != .foreground
        if random.chance(0.5) { new.progress.total = Int64.random(in: 0...2000, using: &random) }
        let id = insert(new, session)
        if random.chance(0.9) { resume(id) }
    }

    private func insert(_ new: BackgroundTransfer, _ session: Int) -> Int {
        nextRow += 1
        let (id, new) = (nextRow, new)
        let timeout = sessions[session].new.resourceTimeout
        rows[id] = Row(
            new: new, session: session, expires: now.instant + timeout, handle: TransferHandle(index: 0, generation: 0))
        add(id, new)
        return id
    }

    /// Adds a row to the queue.
    private func add(_ id: Int, _ new: BackgroundTransfer) {
        let session = rows[id].map { sessions[$0.session].handle }
        guard let handle = session.flatMap({ queue.add(new, to: $0, at: now) }) else {
            return expect(false, "a session is gone")
        }
        rows[id]?.handle = handle
        byHandle[handle] = id
        let decisions = queue.decisions
        queue.removeDecisions()
        trace.append("add \(id) \(new.request.kind) \(new.request.url) \(new.state) -> \(decisions)")
        for decision in decisions { take(decision) }
    }

    private func resume(_ id: Int) {
        guard let row = rows[id], !row.isEnded else { return }
        rows[id]?.new.state = .waiting
        call("resume \(id)") { $0.resume(row.handle, at: $1) }
    }

    private func change() {
        guard let id = someRow(where: { !$0.isEnded }), let row = rows[id] else { return }
        switch Int.random(in: 0..<8, using: &random) {
        case 0...1: resume(id)
        case 2:
            rows[id]?.new.state = .suspended
            call("suspend \(id)") { $0.suspend(row.handle, at: $1) }
        case 3: call("cancel \(id)") { $0.cancel(row.handle, at: $1) }
        case 4:
            rows[id]?.isHeld = true
            call("hold \(id)") { $0.hold(row.handle, at: $1) }
        case 5:
            rows[id]?.isHeld = false
            call("release \(id)") { $0.release(row.handle, at: $1) }
        case 6:
            let priority = Float.random(in: -1...2, using: &random)
            call("priority \(id)") { $0.setPriority(row.handle, priority, at: $1) }
        default:
            guard !row.wasAsked, row.new.progress.attempts == 0 else { return }
            let date = random.chance(0.5) ? nil : now.time + .seconds(Int64.random(in: 0...5000, using: &random))
            rows[id]?.new.request.earliest = date
            call("earliest \(id)") { $0.setEarliest(row.handle, date, at: $1) }
        }
    }

    // MARK: Attempts

    private func attempt() {
        guard let id = someRow(where: \.runs), let row = rows[id] else { return }
        switch Int.random(in: 0..<(row.stops ? 4 : 11), using: &random) {
        case 0...2 where row.stops: end(id, .stopped)
        case 0...3: finish(id)
        case 4 where absent.contains(.asking): finish(id)
        case 4:
            rows[id]?.asks = true
            sessions[row.session].isOwed = true
            count.questions += 1
            end(id, .asks)
        case 5: end(id, .noSpace)
        case 6...7:
            let after: TimeSpan? = random.chance(0.2) ? .seconds(Int64.random(in: 0...1000, using: &random)) : nil
            end(id, .interrupted(isNetwork: random.chance(0.5), after: after))
        case 8:
            let needs: Int64? = random.chance(0.3) ? nil : Int64.random(in: 0...3000, using: &random)
            call("answered \(id)") { $0.answered(row.handle, needs: needs, at: $1) }
        case 9 where !row.stops:
            rows[id]?.isWhole = true
            call("whole \(id)") { $0.whole(row.handle, at: $1) }
        default:
            let received = Int64.random(in: 0...2000, using: &random)
            call("progressed \(id)") { queue, _ in queue.progressed(row.handle, received: received) }
        }
    }

    private func end(_ id: Int, _ end: AttemptEnd) {
        guard let row = rows[id] else { return }
        rows[id]?.runs = false
        rows[id]?.stops = false
        if end == .finished { rows[id]?.hasEnd = true }
        call("attempt of \(id) \(end)") { $0.attemptEnded(row.handle, end, at: $1) }
    }

    /// All of it is there: its end is written, or the folders are weighed first, or it was refused and ends with the next turn.
    private func finish(_ id: Int) {
        if !absent.contains(.weighing), random.chance(0.5) {
            rows[id]?.isWeighed = true
            count.weighings += 1
            return end(id, .weighed)
        }
        end(id, .finished)
        if absent.contains(.late) || random.chance(0.7) { write(id) }
    }

    /// The folders were weighed: there is room, or not.
    private func weighed() {
        guard let id = someRow(where: \.isWeighed) else { return attempt() }
        endWeighing(id)
    }

    private func endWeighing(_ id: Int) {
        rows[id]?.isWeighed = false
        if random.chance(0.8) { end(id, .finished) }
        rows[id]?.hasEnd = true
        write(id)
    }

    /// An attempt that was to be stopped has ended.
    private func writeLate() {
        guard let id = someRow(where: { $0.hasEnd && !$0.isEnded }) else { return attempt() }
        write(id)
    }

    /// What comes late, twice, or about one that is elsewhere, means nothing.
    private func stray() {
        guard let id = someRow(), let row = rows[id] else { return }
        count.strays += 1
        let ends: [AttemptEnd] = [
            .weighed, .asks, .stopped, .noSpace, .interrupted(isNetwork: true, after: nil), .finished,
        ]
        switch Int.random(in: 0..<5, using: &random) {
        case 0...1 where !row.runs:
            let end = ends[Int.random(in: 0..<(row.isWeighed ? 5 : 6), using: &random)]
            var counts = false
            call("stray \(end) of \(id)") { counts = $0.attemptEnded(row.handle, end, at: $1) }
            expect(!counts, "an attempt of \(id) ends that is not in progress")
        case 2 where row.isEnded:
            var isEnd = true
            call("second end of \(id)") { isEnd = $0.ended(row.handle, at: $1) }
            expect(!isEnd, "\(id) ends twice")
        case 3 where !row.isEnded: call("stray told \(id)") { $0.told(row.handle, at: $1) }
        case 4 where !row.runs: call("stray whole \(id)") { $0.whole(row.handle, at: $1) }
        default: call("second cancel \(id)") { $0.cancel(row.handle, at: $1) }
        }
    }

    private func loseProcess() {
        for id in rows.keys where rows[id]?.runs == true {
            rows[id]?.runs = false
            rows[id]?.stops = false
        }
        call("process lost") { $0.processLost(at: $1) }
    }

    // MARK: Applications' processes

    private func stand() {
        let number = applications.indices.randomElement(using: &random) ?? 0
        stand(number, TransferStanding.allCases.randomElement(using: &random) ?? .notRunning)
    }

    private func stand(_ number: Int, _ standing: TransferStanding) {
        applications[number].standing = standing
        if standing == .foreground { applications[number].isQuit = false }
        if standing == .notRunning {
            for index in sessions.indices where Int(sessions[index].new.application.number) == number { close(index) }
        }
        call("stand \(number) \(standing)") {
            $0.setStanding(of: ApplicationIndex(number: UInt32(number)), standing, at: $1)
        }
    }

    private func close(_ index: Int) {
        if sessions[index].isOpen && rows.values.contains(where: { $0.session == index && ($0.isEnded || $0.asks) }) {
            sessions[index].isOwed = true
        }
        sessions[index].isOpen = false
    }

    /// A process opens a session, takes what there is, answers, or is done with its events.
    private func listen() {
        guard let index = sessions.indices.randomElement(using: &random) else { return }
        let standing = applications[Int(sessions[index].new.application.number)].standing
        guard standing == .foreground || standing == .background else {
            // It was woken, and ends over it.
            if sessions[index].awaitsHandling && random.chance(0.3) { handled(index, inTime: false) }
            return
        }
        if !sessions[index].isOpen { open(index) }
        if random.chance(0.7) { tell(index) }
        if sessions[index].awaitsHandling && random.chance(0.7) { handled(index, inTime: random.chance(0.8)) }
        if random.chance(0.1) {
            close(index)
            let handle = sessions[index].handle
            call("close \(index)") { $0.close(handle, at: $1) }
        }
    }

    private func open(_ index: Int) {
        sessions[index].isOpen = true
        sessions[index].new.awaitsHandling = false
        let handle = sessions[index].handle
        call("open \(index)") { $0.open(handle, at: $1) }
    }

    private func tell(_ index: Int) {
        for id in rows.filter({ $0.value.session == index }).keys.sorted() {
            guard let row = rows[id] else { continue }
            if row.asks {
                rows[id]?.asks = false
                call("answer \(id)") { $0.applicationAnswered(row.handle, at: $1) }
            } else if row.isEnded {
                call("told \(id)") { $0.told(row.handle, at: $1) }
                rows[id] = nil
                byHandle[row.handle] = nil
                count.told += 1
            }
        }
    }

    private func handled(_ index: Int, inTime: Bool) {
        sessions[index].awaitsHandling = false
        if !inTime { sessions[index].isOwed = true }
        let handle = sessions[index].handle
        call("handled \(index) \(inTime)") { $0.eventsHandled(handle, inTime: inTime, at: $1) }
    }

    private func quit() {
        let number = applications.indices.randomElement(using: &random) ?? 0
        applications[number].isQuit = true
        for index in sessions.indices where Int(sessions[index].new.application.number) == number {
            sessions[index].awaitsHandling = false
        }
        call("quit \(number)") { $0.quit(ApplicationIndex(number: UInt32(number)), at: $1) }
        stand(number, .notRunning)
        let isOver = rows.values.allSatisfy {
            Int(sessions[$0.session].new.application.number) != number || $0.isEnded || $0.hasEnd
        }
        expect(isOver, "something of an application that was quit continues")
    }

    // MARK: The world

    private func pass(_ span: TimeSpan) {
        let end = now.instant + span
        // As a host does: it sleeps until the deadline.
        for _ in 0..<2000 {
            let deadline = min(end, queue.nextDeadline(at: now))
            now.time = now.time + (deadline - now.instant)
            now.instant = deadline
            call("advance") { $0.advance(to: $1) }
            if deadline == end { return }
        }
        expect(false, "deadlines without end")
    }

    private func jump() {
        now.time = now.time + .seconds(Int64.random(in: -100_000...100_000, using: &random))
        call("jump") { $0.advance(to: $1) }
    }

    private func changeMachine() {
        switch Int.random(in: 0..<8, using: &random) {
        case 0...1: conditions.network = NetworkAccess.allCases.randomElement(using: &random) ?? .ok
        case 2: conditions.externalPower = Tristate.allCases.randomElement(using: &random) ?? .yes
        case 3: conditions.windowClosed = random.chance(0.5) ? .yes : .no
        case 4: conditions.lowPowerMode = random.chance(0.5) ? .yes : .no
        case 5: conditions.isAsleep = random.chance(0.3) ? .yes : .no
        case 6:
            free = random.chance(0.3) ? .max : Int64.random(in: 0...5000, using: &random)
            let free = free
            return call("free \(free)") { $0.setFreeSpace(free, at: $1) }
        default: conditions = .quiet
        }
        let conditions = conditions
        call("conditions") { $0.setConditions(conditions, at: $1) }
    }

    private func changeManifest() {
        let number = applications.indices.randomElement(using: &random) ?? 0
        applications[number].isMissing.toggle()
        let (isMissing, application) = (applications[number].isMissing, ApplicationIndex(number: UInt32(number)))
        call("missing \(number) \(isMissing)") {
            if isMissing {
                $0.remove(application, at: $1)
            } else {
                $0.restore(application, at: $1)
            }
        }
    }

    private func restart() {
        count.restarts += 1
        queue = TransferQueue(limits: limits)
        byHandle = [:]
        trace.append("restart")
        let (conditions, free) = (conditions, free)
        call("conditions") { $0.setConditions(conditions, at: $1) }
        call("free") { $0.setFreeSpace(free, at: $1) }
        for number in applications.indices {
            // Workers die with the host; it does not remember that a user quit one: all of that has ended.
            applications[number].standing = .notRunning
            applications[number].isQuit = false
            guard applications[number].isMissing else { continue }
            call("missing") { $0.remove(ApplicationIndex(number: UInt32(number)), at: $1) }
        }
        for index in sessions.indices {
            sessions[index].isOpen = false
            sessions[index].new.awaitsHandling = sessions[index].awaitsHandling || sessions[index].new.awaitsHandling
            sessions[index].awaitsHandling = false
            sessions[index].isOwed = true
            sessions[index].handle = queue.addSession(sessions[index].new)
        }
        for id in rows.keys.sorted() { restore(id) }
        expect(queue.counts.running == 0, "something begins before the record is read")
        call("begin") { $0.begin(at: $1) }
    }

    private func restore(_ id: Int) {
        guard let row = rows[id] else { return }
        var new = row.new
        if row.isEnded { new.state = .ended }
        let timeout = sessions[row.session].new.resourceTimeout
        rows[id]?.runs = false
        rows[id]?.stops = false
        rows[id]?.asks = false
        rows[id]?.isWeighed = false
        rows[id]?.hasEnd = row.isEnded
        if row.new.progress.attempts == 0 { rows[id]?.wasAsked = false }
        rows[id]?.expires = now.instant + max(.zero, min(timeout, new.created + timeout - now.time))
        add(id, new)
        guard row.isHeld, let row = rows[id] else { return }
        call("hold \(id)") { $0.hold(row.handle, at: $1) }
    }

    // MARK: A good end

    /// Everything is there again, and servers and applications do what they should: all of it ends, and is reported.
    private func settle() {
        conditions = .quiet
        free = .max
        let (conditions, free) = (conditions, free)
        call("conditions") { $0.setConditions(conditions, at: $1) }
        call("free") { $0.setFreeSpace(free, at: $1) }
        for number in applications.indices {
            if applications[number].isMissing {
                applications[number].isMissing = false
                call("restore") { $0.restore(ApplicationIndex(number: UInt32(number)), at: $1) }
            }
            stand(number, .foreground)
            stand(number, .suspended)
        }
        for index in sessions.indices {
            sessions[index].new.sendsLaunchEvents = true
            let session = sessions[index]
            call("options \(index)") { $0.setOptions(of: session.handle, session.new, at: $1) }
        }
        for id in rows.keys.sorted() {
            guard let row = rows[id], !row.isEnded else { continue }
            rows[id]?.isHeld = false
            call("release \(id)") { $0.release(row.handle, at: $1) }
            resume(id)
        }
        for _ in 0..<1000 where !rows.isEmpty && violation == nil { settleOnce() }
        expect(rows.isEmpty, "\(rows.count) are never told")
        expect(queue.counts == TransferCounts(), "something is left")
    }

    private func settleOnce() {
        for id in rows.keys.sorted() {
            guard let row = rows[id] else { continue }
            if row.isWeighed { endWeighing(id) }
            if row.runs { end(id, row.stops ? .stopped : .finished) }
            if rows[id]?.hasEnd == true { write(id) }
        }
        for index in sessions.indices {
            let number = Int(sessions[index].new.application.number)
            // The next one may have been woken by what this one did.
            guard sessions[index].awaitsHandling else { continue }
            stand(number, .background)
            open(index)
            tell(index)
            handled(index, inTime: true)
            stand(number, .suspended)
        }
        let deadline = queue.nextDeadline(at: now)
        if !rows.isEmpty && deadline < .distantFuture && !rows.values.contains(where: \.runs) {
            pass(deadline - now.instant)
        }
        // One that was handled before without a report is reported when a user launches it next.
        guard !rows.values.contains(where: { !$0.isEnded }) else { return }
        for index in sessions.indices where !sessions[index].awaitsHandling {
            let number = Int(sessions[index].new.application.number)
            stand(number, .foreground)
            open(index)
            tell(index)
            stand(number, .suspended)
        }
    }
}
