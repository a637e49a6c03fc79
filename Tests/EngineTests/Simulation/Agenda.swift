import Engine
import TaskModel

/// What will happen in the simulated machine.
enum Happening {
    case burst(left: Int)
    case submission
    /// The launched process says that it is ready, or that it cannot serve.
    case ready(WorkerHandle)
    case refusal(WorkerHandle)
    /// The host or the machine loses the worker, or cannot launch it.
    case disappearance(WorkerHandle, Shortage)
    /// The handler does its next step.
    case step(WorkerHandle, RunHandle, HandlerStep)
    /// The host finds what the worker has sent.
    case frames(WorkerHandle)
    /// The host finds the worker's end of the wire closed.
    case wireClosed(WorkerHandle)
    /// The first process ends.
    case death(WorkerHandle, WorkerExit)
    case exitReport(WorkerHandle)
    /// The last process of the tree is gone.
    case emptiness(WorkerHandle)
    /// The tree may have reached its memory limit.
    case memoryLimit(WorkerHandle)
    case cancellation(RunHandle)
    case simulation(RunHandle)
    case loss(RunHandle, Reason)
    case foreground(ApplicationIndex, Bool)
    case wake(ApplicationIndex)
    case quit(ApplicationIndex, Reason)
    /// The worker begins and ends assertions until it holds so many.
    case assertions(WorkerHandle, UInt32)
    /// The worker's callback has returned for that many states.
    case callback(WorkerHandle, UInt32)
    /// Background sessions of the application have events; the worker has called its completion handlers.
    case sessionEvents(ApplicationIndex)
    case sessionsHandled(WorkerHandle)
    /// What the machine does by itself.
    case sleep
    case wakeUp
    case pressure(Bool)
    case stop
}

extension Happening {
    /// The worker whose own doing it is; nil: it is done to one, or by others.
    var actor: WorkerHandle? {
        switch self {
        case .ready(let worker), .refusal(let worker), .step(let worker, _, _), .assertions(let worker, _),
            .callback(let worker, _), .memoryLimit(let worker), .sessionsHandled(let worker):
            worker
        default: nil
        }
    }
}

/// Something that a handler does.
enum HandlerStep {
    case complete(success: Bool)
    case completeLater(Deferral)
    case completeAutomatically
    case advance(Int64)
    case forget
    case crash(signal: Int32)
    case exit(status: Int32)
    case sendGarbage
    case closeWire
    /// Completes a run that is none of its worker's.
    case forge(RunHandle)
}

/// What will happen, in order of time; what is due at one time in order of insertion.
struct Agenda<What> {
    private var heap: [(at: UInt64, order: UInt64, what: What)] = []
    private var order: UInt64 = 0

    var next: Instant { heap.first.map { Instant(nanoseconds: $0.at) } ?? .distantFuture }

    mutating func add(_ what: What, at time: Instant) {
        heap.append((time.nanoseconds, order, what))
        order += 1
        var child = heap.count - 1
        while child > 0, Self.precedes(heap[child], heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// The first happening at or before `now`.
    mutating func takeDue(at now: Instant) -> What? {
        guard let first = heap.first, first.at <= now.nanoseconds else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            var parent = 0
            while true {
                var best = parent
                for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                    if Self.precedes(heap[child], heap[best]) { best = child }
                }
                guard best != parent else { break }
                heap.swapAt(parent, best)
                parent = best
            }
        }
        return first.what
    }

    /// Removes what will no longer happen.
    mutating func removeAll(where isOff: (What) -> Bool) {
        let rest = heap.filter { !isOff($0.what) }.sorted(by: Self.precedes)
        heap = rest
    }

    mutating func removeAll() { heap.removeAll(keepingCapacity: true) }

    private static func precedes(
        _ a: (at: UInt64, order: UInt64, what: What), _ b: (at: UInt64, order: UInt64, what: What)
    ) -> Bool { (a.at, a.order) < (b.at, b.order) }
}
