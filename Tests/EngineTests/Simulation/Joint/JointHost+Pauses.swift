import Record
import Scheduling
import TaskModel
import TestSupport

// What a user holds back: in the scheduler by its place in the tables, in the record by its name.
extension JointHost {
    /// A user pauses something, gives its pause another end, or resumes it.
    func changePause() throws {
        let part = choosePart()
        if stops[part] != nil ? random.chance(0.8) : random.chance(0.1) { return try resume(part) }
        let until = random.chance(0.8) ? now.time.advanced(by: random.span(.seconds(1), .minutes(6 * 60))) : nil
        let pause = WorkPause(since: stops[part]?.since ?? now.time, until: until)
        note("\(part) is paused until \(until?.iso8601 ?? "it is resumed")")
        stops[part] = pause
        requestWrites.append(.workPaused(work(part), pause))
        count.pauses += 1
        scheduler.pause(part, WorkPause(since: now.time, until: until), at: now)
        try settle(.time)
        try expect(scheduler.pause(of: part) == stops[part], "another pause is in force")
    }

    /// A paused part is a likely choice.
    private func choosePart() -> PausedPart {
        let paused = stops.keys.sorted { "\($0)" < "\($1)" }
        if random.chance(0.5), let part = paused.randomElement(using: &random) { return part }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .host
        case 1...3: return .application(world.applications.indices.randomElement(using: &random) ?? .first)
        default: return .task(world.tasks.indices.randomElement(using: &random) ?? .first)
        }
    }

    func resume(_ part: PausedPart) throws {
        note("\(part) is resumed")
        let wasPaused = stops.removeValue(forKey: part) != nil
        if wasPaused { requestWrites.append(.workResumed(work(part))) }
        let answer = scheduler.resume(part, at: now)
        try settle(.time)
        try expect(answer == wasPaused, "resume says \(answer) of what is paused: \(wasPaused)")
    }

    func resumeAll() throws {
        for part in stops.keys.sorted(by: { "\($0)" < "\($1)" }) { try resume(part) }
    }

    /// The scheduler says that the end of a pause has come.
    func endPause(_ part: PausedPart) throws {
        try expect(stops[part]?.isOver(at: now.time) == true, "a pause ends by itself before its time")
        stops[part] = nil
        requestWrites.append(.workResumed(work(part)))
        count.pauseEnds += 1
    }

    /// What the record has, for a scheduler that has not begun.
    func restorePauses() {
        stops.removeAll()
        let tasks = world.tasks.indices.map { PausedPart.task($0) }
        for part in [.host] + world.applications.indices.map({ .application($0) }) + tasks {
            guard let pause = kept.paused[work(part)] else { continue }
            stops[part] = pause
            count.pausesKept += 1
            scheduler.pause(part, pause, at: now)
        }
    }

    /// The user holds back the task, its application or the whole host.
    func isHeldBack(_ task: TaskIndex) -> Bool {
        let parts: [PausedPart] = [.host, .application(world.tasks[task].scheduling.application), .task(task)]
        return parts.contains { stops[$0] != nil }
    }

    /// The pauses as the record has them.
    var recordedStops: [PausedWork: WorkPause] {
        Dictionary(uniqueKeysWithValues: stops.map { (work($0.key), $0.value) })
    }

    private func work(_ part: PausedPart) -> PausedWork {
        switch part {
        case .host: .host
        case .application(let application): .application("com.example.\(application.number)")
        case .task(let task): .task("com.example.task.\(task.number)")
        }
    }
}
