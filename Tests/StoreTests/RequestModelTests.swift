import Glibc
import Record
import Store
import TaskModel
import TestSupport
import Testing

/// Random work on requests beside two dictionaries that have the same done to them.
struct RequestModelTests {
    private struct Model: Equatable {
        var waiting: [Int64: TaskRequest] = [:]
        var running: [Int64: TaskRequest] = [:]

        /// In the order in which the store gives them.
        var requests: [TaskRequest] {
            running.values.sorted { $0.identity > $1.identity } + waiting.values.sorted { $0.identity < $1.identity }
        }

        /// What a start finds.
        mutating func recover(at now: Timestamp) -> Int {
            var count = 0
            for (identity, request) in running {
                if let newer = waiting[identity] {
                    guard newer.terms.origin == .schedule, let time = newer.scheduledFor, time > now else { continue }
                }
                var request = request
                request.running = nil
                request.notBefore = nil
                request.attempt += 1
                if let time = request.scheduledFor, time > now { request.scheduledFor = nil }
                waiting[identity] = request
                count += 1
            }
            running = [:]
            return count
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `Requests equal a model that had the same done to it, over crashes`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        var store = try Store(path: folder.database)
        let identities = try (1...12).map { number in
            try store.taskRow(identifier: "com.example.feeds.\(number)", application: "com.example.feeds")
        }
        try store.commit()
        var model = Model()
        var committed = Model()
        var clock: Int64 = 0
        for step in 0..<2000 {
            clock += 1
            let index = Int.random(in: 0..<identities.count, using: &generator)
            let identity = identities[index]
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<35:
                var request = try store.sampleRequest("com.example.feeds.\(index + 1)", submitted: clock)
                request.kind = TaskKind.allCases.randomElement(using: &generator) ?? .processing
                request.terms.earliestBeginDate = Bool.random(using: &generator) ? moment(clock + 5) : nil
                request.terms.requiresNetwork = Bool.random(using: &generator)
                if Bool.random(using: &generator) { request.terms.origin = .schedule }
                if Bool.random(using: &generator) {
                    request.scheduledFor = moment(clock + Int64.random(in: -3...9, using: &generator))
                }
                request.payload = Array(repeating: 7, count: Int.random(in: 0...3, using: &generator) * 2000)
                try store.putRequest(request)
                model.waiting[identity] = request
            case 35..<60:
                guard var request = model.waiting.removeValue(forKey: identity) else { continue }
                let run = try store.admit(clock, salt: UInt64(step))
                try store.markRequestRunning(identity: identity, submitted: request.submitted, run: run)
                request.running = run
                model.running[identity] = request
            case 60..<72:
                guard let request = model.running.removeValue(forKey: identity) else { continue }
                try store.forgetRequest(identity: identity, submitted: request.submitted)
            case 72..<80:
                // It failed, and waits for another attempt unless it was submitted again.
                guard model.waiting[identity] == nil, var request = model.running.removeValue(forKey: identity) else {
                    continue
                }
                request.running = nil
                request.attempt += 1
                request.failures += 1
                request.notBefore = moment(clock + 30)
                try store.putRequest(request)
                model.waiting[identity] = request
            case 80..<84:
                guard let request = model.waiting.removeValue(forKey: identity) else { continue }
                try store.forgetRequest(identity: identity, submitted: request.submitted)
            case 84..<86:
                try store.forgetRequest(identity: identity, submitted: moment(-1))
            case 86..<97:
                try store.commit()
                committed = model
            default:
                // The host dies and starts again: the turn is lost, what ran waits again.
                store = try Store(path: folder.database)
                model = committed
                #expect(
                    try store.recover(at: moment(clock)).requests == model.recover(at: moment(clock)),
                    "seed \(seed), step \(step)")
                committed = model
            }
            if step % 50 == 0 {
                #expect(try store.history.requests() == model.requests, "seed \(seed), step \(step)")
            }
        }
        try store.commit()
        var found: [TaskRequest] = []
        try store.reader.forEachRequest { found.append(copy $0) }
        #expect(found == model.requests, "seed \(seed)")
        #expect(try store.database.text("PRAGMA integrity_check") == "ok")
    }

    /// The child works as in a turn of the host and dies without a word at one of its steps.
    @Test(arguments: 0..<12)
    func `A host killed at any step leaves each request waiting, running or forgotten as committed`(
        _ deadly: Int
    ) async throws {
        let folder = try TemporaryFolder()
        let path = folder.database
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, deadly = deadly as Int] in
            let store = try Store(path: path)
            var step = 0
            func pass() {
                if step == deadly { kill(getpid(), SIGKILL) }
                step += 1
            }
            var request = try store.sampleRequest(submitted: 1)
            pass()
            try store.putRequest(request)
            pass()
            try store.commit()
            pass()  // 2: it waits
            try store.markRequestRunning(identity: request.identity, submitted: moment(1), run: try store.admit(1))
            pass()
            try store.commit()
            pass()  // 4: it runs
            request.submitted = moment(2)
            try store.putRequest(request)
            pass()
            try store.commit()
            pass()  // 6: a newer one waits behind it
            try store.forgetRequest(identity: request.identity, submitted: moment(1))
            pass()
            try store.commit()
            pass()  // 8: only the newer one
            try store.forgetRequest(identity: request.identity, submitted: moment(2))
            pass()
            try store.commit()
            pass()  // 10: none
            pass()
            kill(getpid(), SIGKILL)
        }
        let store = try Store(path: path)
        let recovered = try store.recover(at: moment()).requests
        let requests = try History(path: path).requests()
        #expect(recovered == (4...5 ~= deadly ? 1 : 0))
        #expect(requests.allSatisfy { $0.running == nil })
        switch deadly {
        case 0...1, 10...: #expect(requests.isEmpty)
        case 2...3: #expect(requests.map { $0.submitted } == [moment(1)] && requests.map { $0.attempt } == [1])
        case 4...5: #expect(requests.map { $0.submitted } == [moment(1)] && requests.map { $0.attempt } == [2])
        default: #expect(requests.map { $0.submitted } == [moment(2)] && requests.map { $0.attempt } == [1])
        }
    }
}
