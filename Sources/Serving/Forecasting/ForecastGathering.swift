import Host
import Linux
import Record
import Scheduling
import Setting
import TaskModel

/// Gathers a forecast's data from the host: a millisecond's worth a turn, for ten thousand applications take dozens. What
/// changes meanwhile is told as it is when its row is copied. Thread: the loop's.
struct ForecastGathering {
    private unowned let host: Host
    private(set) var question: ForecastQuestion
    /// The host's own applications that are not copied yet.
    private var applications: ArraySlice<ApplicationIndex>
    /// Requests that are not copied yet; nil: they are not listed yet.
    private var pending: ArraySlice<RequestHandle>?
    private var lengths: TaskLengths
    private var past: PastReader?

    /// - Parameters:
    ///   - question: with the applications to be played, unless these are the installed ones.
    ///   - opened: when the host began to answer.
    init(_ question: ForecastQuestion, _ host: Host, opened: Timestamp) throws(StoreError) {
        self.host = host
        self.question = question
        applications =
            question.areInstalled ? host.installed.applications.indices.filter(host.installed.isPresent)[...] : []
        lengths = TaskLengths()
        if !question.areInstalled {
            // They may have been here once, and the record remembers them.
            self.question.memories = try host.history.applications()
            for application in question.applications { lengths.add(application.tasks) }
        }
        if question.trace == nil {
            past = PastReader(host, opened: opened, from: question.start - question.length, to: question.start)
        }
    }

    /// Does a little; true: `question` has everything.
    mutating func step(until end: Instant) throws(StoreError) -> Bool {
        repeat {
            if let application = applications.popFirst() {
                copy(application)
            } else if pending == nil {
                pending = host.decider.pendingRequests(of: nil)[...]
            } else if let request = pending?.popFirst() {
                // It may have been cancelled or started since.
                if let stored = host.requests.waiting(request) { question.requests.append(stored) }
            } else {
                // Short steps of their own.
                let isWhole = try lengths.step(host.history)
                guard try past?.step(host.history) ?? true, isWhole else { continue }
                finish()
                return true
            }
        } while Clock.moment().instant < end
        return false
    }

    private mutating func copy(_ application: ApplicationIndex) {
        let definition = host.installed.applications[application].definition
        let tasks = host.installed.tasks(of: application).map { host.installed.tasks[$0] }.filter { !$0.isRemoved }
            .map(\.definition)
        question.applications.append(ForecastQuestion.Application(definition: definition, tasks: tasks))
        question.memories[definition.identifier] = host.decider.memory(of: application)
        lengths.add(tasks)
    }

    private mutating func finish() {
        question.requests += host.requests.waitingOrphans
        question.overrides = host.device.state.overrides
        question.pauses = host.pauses.present
        question.lengths = lengths.found
        question.past = past?.past
    }
}
