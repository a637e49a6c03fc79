import Record
import Scheduling
import Store
import TaskModel

/// Time per event with so many requests, of the scheduler alone or with the commit of what it decides.
struct EventMeasurement: ~Copyable {
    private var desk: Desk
    private var generator = Generator()
    /// Requests that wait for a date, in the order of these; one whose date has come goes to the end with a new one.
    private var queue: [Int64] = []
    private var head = 0
    /// By identity; 0 for those without.
    private var dates: [Int64]

    static func document(_ options: Options, isDurable: Bool) throws -> String {
        let store = isDurable ? try Store(path: options.database) : nil
        var measurement = try EventMeasurement(options.requests, store)
        let submit = try measurement.time(options.cycles) { try $0.submitAndCancel() }
        let condition = try measurement.time(options.cycles) { try $0.changeCondition() }
        let run = try measurement.time(options.cycles) { try $0.endAndStart() }
        let due = try measurement.time(options.cycles) { try $0.comeDue() }
        guard measurement.desk.scheduler.pendingCount + measurement.desk.running.count == options.requests else {
            throw Surprise.wrongCount
        }
        return """
            {"requests": \(options.requests), "submit": \(submit), "condition": \(condition), "run": \(run), "due": \(due)}
            """
    }

    private init(_ count: Int, _ store: Store?) throws {
        desk = Desk(Population.scheduler(requests: count), store)
        dates = Array(repeating: 0, count: count + 1)
        queue = (1...Int64(count)).filter { Population.obstacle(of: $0) == .date }
        for index in queue.indices.reversed() { queue.swapAt(index, generator.next(below: index + 1)) }
        for (index, identity) in queue.enumerated() { dates[Int(identity)] = Self.date(index) }
        for identity in 1...Int64(count) {
            let request = Population.request(
                identity, submitted: Population.start.time, date: Self.timestamp(dates[Int(identity)]))
            _ = desk.scheduler.restore(request, of: Population.task(of: identity))
            try store?.putRequest(request)
        }
        if let store {
            for application in 0...(count / Population.tasksPerApplication) {
                try store.name(application: "com.example.\(application)", Int64(application) + 1)
            }
            try store.commit()
        }
        try desk.turn { scheduler, now in scheduler.begin(at: now) }
        // Until everything has started that may.
        while desk.scheduler.nextDeadline(at: desk.now) == desk.now.instant { try desk.turn { _, _ in } }
    }

    /// A second apart, from an hour after the start on.
    private static func date(_ index: Int) -> Int64 {
        Population.start.time.nanoseconds + Int64(3600 + index) * 1_000_000_000
    }

    private static func timestamp(_ date: Int64) -> Timestamp? { date == 0 ? nil : Timestamp(nanoseconds: date) }

    /// Seconds per event: the median over twenty parts, so that what else the machine does falls out.
    private mutating func time(_ cycles: Int, _ cycle: (inout Self) throws -> Void) throws -> Double {
        let part = max(1, cycles / 20)
        for _ in 0..<part { try cycle(&self) }
        var times: [Double] = []
        for _ in 0..<20 {
            times.append(try Stopwatch.seconds { for _ in 0..<part { try cycle(&self) } } / Double(2 * part))
        }
        return times.sorted()[10]
    }

    // MARK: Cycles of two events

    private mutating func submitAndCancel() throws {
        let identity = queue[generator.next(below: queue.count)]
        try desk.turn { scheduler, now in
            guard scheduler.cancel(identity: identity, at: now) else { throw Surprise.wrongCount }
        }
        try submit(identity)
    }

    /// Power comes, which a third of the requests waits for, and goes. What it lets pass finds no room to run.
    private mutating func changeCondition() throws {
        for power in [Tristate.yes, .no] {
            try desk.turn { scheduler, now in
                var conditions = scheduler.conditions
                conditions.externalPower = power
                scheduler.setConditions(conditions, at: now)
            }
        }
    }

    /// A run ends, which starts the next one; its request is submitted anew.
    private mutating func endAndStart() throws {
        let (handle, identity) = try desk.takeRunning()
        let end = RequestEnd(outcome: .succeeded, reason: nil, cpuTime: .milliseconds(5))
        try desk.turn { scheduler, now in scheduler.ended(handle, end, at: now) }
        try submit(identity)
    }

    /// The next date comes; its request gets another one.
    private mutating func comeDue() throws {
        let identity = queue[head]
        head = head + 1 == queue.count ? 0 : head + 1
        let pause = dates[Int(identity)] - desk.now.time.nanoseconds
        try desk.turn(after: TimeSpan(nanoseconds: max(0, pause))) { _, _ in }
        dates[Int(identity)] += Int64(queue.count) * 1_000_000_000
        try submit(identity)
    }

    private mutating func submit(_ identity: Int64) throws {
        let date = Self.timestamp(dates[Int(identity)])
        try desk.turn { scheduler, now in
            _ = try scheduler.submit(
                Population.request(identity, submitted: now.time, date: date), of: Population.task(of: identity),
                at: now)
        }
    }
}
