import BackgroundTasks
import Combine
import Synchronization
import Testing

@Suite("Observing a progress")
struct ObserveTests {
    @Test("a handler is told of each other value, by its options, until its token is invalidated or released")
    func changes() {
        let progress = Progress(totalUnitCount: 10)
        let heard = Heard()
        let token = progress.observe(\.fractionCompleted, options: [.initial, .old, .new]) { progress, change in
            heard.add("\(change.oldValue ?? -1) \(change.newValue ?? -1) \(progress.fractionCompleted) \(change.kind)")
        }
        progress.completedUnitCount = 5
        progress.completedUnitCount = 5
        progress.completedUnitCount += 1
        progress.totalUnitCount = 12
        #expect(
            heard.all == [
                "-1.0 0.0 0.0 setting", "0.0 0.5 0.5 setting", "0.5 0.6 0.6 setting", "0.6 0.5 0.5 setting",
            ])
        token.invalidate()
        token.invalidate()
        progress.completedUnitCount = 7
        #expect(heard.all.count == 4)

        var bare: NSKeyValueObservation? = progress.observe(\.isFinished) { progress, change in
            heard.add("\(progress.isFinished) \(change.newValue == nil && change.oldValue == nil && !change.isPrior)")
        }
        progress.completedUnitCount = 8
        progress.completedUnitCount = 12
        #expect(heard.all.count == 5 && heard.all.last == "true true" && bare != nil)
        bare = nil
        progress.completedUnitCount = 1
        #expect(heard.all.count == 5)
        #expect(type(of: progress) == Progress.self)
    }

    @Test("children at any depth move their parents, whenever they came")
    func children() {
        let root = Progress(totalUnitCount: 10)
        let early = Progress(totalUnitCount: 4, parent: root, pendingUnitCount: 5)
        let deep = Progress(totalUnitCount: 2, parent: early, pendingUnitCount: 2)
        let heard = Heard()
        let token = root.observe(\.fractionCompleted, options: .new) { heard.add("\($1.newValue ?? -1)") }
        deep.completedUnitCount = 1
        let late = Progress.discreteProgress(totalUnitCount: 2)
        let below = Progress(totalUnitCount: 2, parent: late, pendingUnitCount: 1)
        root.addChild(late, withPendingUnitCount: 5)
        below.completedUnitCount = 1
        #expect(heard.all == ["0.125", "0.25"])
        token.invalidate()
    }

    @Test("implicit children, and units that no child has taken")
    func implicit() {
        let root = Progress(totalUnitCount: 2)
        let heard = Heard()
        let tokens = Set([
            root.observe(\.completedUnitCount, options: .new) { heard.add("\($1.newValue ?? -1)") },
            root.observe(\.fractionCompleted, options: .new) { heard.add("\($1.newValue ?? -1)") },
        ])
        root.becomeCurrent(withPendingUnitCount: 1)
        let child = Progress(totalUnitCount: 4)
        root.resignCurrent()
        child.completedUnitCount = 2
        #expect(heard.all == ["0.25"])
        child.completedUnitCount = 4
        #expect(Set(heard.all) == ["0.25", "0.5", "1"])
        root.becomeCurrent(withPendingUnitCount: 1)
        root.resignCurrent()
        #expect(Set(heard.all) == ["0.25", "0.5", "1", "1.0", "2"] && tokens.count == 2)
    }

    @Test("cancelling, pausing, texts and what is indeterminate")
    func others() {
        let root = Progress(totalUnitCount: 1)
        let child = Progress(totalUnitCount: 1, parent: root, pendingUnitCount: 1)
        let heard = Heard()
        let tokens = [
            child.observe(\.isCancelled, options: .new) { heard.add("cancelled \($1.newValue == true)") },
            child.observe(\.isPaused, options: .new) { heard.add("paused \($1.newValue == true)") },
            child.observe(\.isIndeterminate, options: .new) { heard.add("unknown \($1.newValue == true)") },
            child.observe(\.totalUnitCount, options: .new) { heard.add("total \($1.newValue ?? 0)") },
            child.observe(\.localizedDescription, options: .old) {
                heard.add("\($0.localizedDescription ?? "-") \($1.oldValue as Any)")
            },
            child.observe(\.localizedAdditionalDescription) { progress, _ in
                heard.add(progress.localizedAdditionalDescription)
            },
        ]
        root.pause()
        root.resume()
        root.cancel()
        #expect(heard.take() == ["paused true", "paused false", "cancelled true"])
        child.totalUnitCount = -1
        #expect(Set(heard.take()) == ["unknown true", "total -1"])
        child.localizedDescription = "Exporting"
        child.localizedDescription = "Exporting"
        child.localizedAdditionalDescription = "1 of 2"
        #expect(heard.take().count == 2 && tokens.count == 6)
    }

    @Test("subclasses keep their overrides, an operation queue's progress is one")
    func subclasses() {
        let counted = Counted(parent: nil)
        counted.totalUnitCount = 2
        let root = Progress(totalUnitCount: 2)
        root.addChild(counted, withPendingUnitCount: 2)
        let heard = Heard()
        let tokens = [
            counted.observe(\.completedUnitCount, options: .new) { heard.add("\($1.newValue ?? -1) \($0.sets)") },
            root.observe(\.fractionCompleted, options: .new) { heard.add("\($1.newValue ?? -1)") },
        ]
        counted.completedUnitCount = 1
        counted.completedUnitCount += 1
        #expect(heard.take() == ["1 1", "0.5", "2 2", "1.0"] && type(of: counted) == Counted.self && tokens.count == 2)

        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.progress.totalUnitCount = 4
        let token = queue.progress.observe(\.fractionCompleted, options: .new) { heard.add("\($1.newValue ?? -1)") }
        for _ in 0..<4 { queue.addOperation {} }
        queue.waitUntilAllOperationsAreFinished()
        #expect(heard.take() == ["0.25", "0.5", "0.75", "1.0"])
        token.invalidate()
    }

    @Test("a handler may end its own observation, change the progress and observe it")
    func handlers() {
        let progress = Progress(totalUnitCount: 10)
        let heard = Heard()
        let kept = Kept()
        let token = progress.observe(\.completedUnitCount, options: .new) { progress, change in
            heard.add("\(change.newValue ?? -1)")
            if progress.completedUnitCount < 5 { progress.completedUnitCount += 1 }
            kept.add(progress.observe(\.isFinished, options: [.initial, .new]) { heard.add("\($1.newValue == true)") })
            progress.completedUnitCount = 5
        }
        progress.completedUnitCount = 3
        #expect(heard.take() == ["3", "4", "5", "false", "false", "false"])
        token.invalidate()
        let own = Kept()
        own.add(
            progress.observe(\.completedUnitCount) { _, _ in
                heard.add("once")
                own.end()
            })
        progress.completedUnitCount = 6
        progress.completedUnitCount = 7
        #expect(heard.take() == ["once"])
    }

    @Test("neither keeps the other, and a closure goes with its observation")
    func memory() {
        weak var object: Progress?
        weak var captured: Heard?
        var token: NSKeyValueObservation?
        do {
            let progress = Progress(totalUnitCount: 1)
            let heard = Heard()
            (object, captured) = (progress, heard)
            token = progress.observe(\.fractionCompleted) { _, _ in heard.add("") }
        }
        #expect(object == nil && captured != nil && token != nil)
        token?.invalidate()
        #expect(captured == nil)
    }

    @Test("eight threads with their own children")
    func threads() {
        let root = Progress(totalUnitCount: 8)
        let children = (0..<8).map { _ in Progress(totalUnitCount: 500, parent: root, pendingUnitCount: 1) }
        let heard = Heard()
        let tokens = children.map { $0.observe(\.completedUnitCount) { _, _ in heard.add("") } }
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            for number in 1...400 {
                let token = children[index].observe(\.isFinished) { _, _ in heard.add("finished") }
                children[index].completedUnitCount = Int64(number)
                token.invalidate()
            }
        }
        #expect(heard.all == Array(repeating: "", count: 3200) && tokens.count == 8)
    }

    @Test("a publisher sends the present value and each other one")
    func publisher() {
        let progress = Progress(totalUnitCount: 4)
        let probe = progress.publisher(for: \.fractionCompleted).probe()
        progress.completedUnitCount = 1
        progress.completedUnitCount = 1
        progress.completedUnitCount = 2
        #expect(probe.values == [0, 0.25, 0.5])
        probe.cancel()
        progress.completedUnitCount = 3
        #expect(probe.values == [0, 0.25, 0.5] && probe.ends.isEmpty)

        let slow = progress.publisher(for: \.completedUnitCount).probe(.max(1))
        progress.completedUnitCount = 4
        progress.completedUnitCount = 1
        slow.request(1)
        #expect(slow.values == [3, 1])
        let later = progress.publisher(for: \.completedUnitCount, options: .new).probe()
        progress.completedUnitCount = 2
        #expect(later.values == [2])
        #expect(progress.publisher(for: \.isFinished) == progress.publisher(for: \.isFinished))
        #expect(progress.publisher(for: \.isFinished) != progress.publisher(for: \.isFinished, options: .new))
    }
}

private final class Counted: Progress, @unchecked Sendable {  // one thread
    private(set) var sets = 0
    override var completedUnitCount: Int64 {
        get { super.completedUnitCount }
        set {
            sets += 1
            super.completedUnitCount = newValue
        }
    }
}

private final class Heard: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}

private final class Kept: Sendable {
    private let tokens = Mutex<[NSKeyValueObservation]>([])
    func add(_ token: NSKeyValueObservation) { tokens.withLock { $0.append(token) } }
    func end() { for token in tokens.withLock({ $0 }) { token.invalidate() } }
}
