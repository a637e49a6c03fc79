package import TaskModel

// What the host asks. Nothing here changes anything.
extension Scheduler {
    /// The request, or nil when it has been forgotten.
    package func request(_ handle: RequestHandle) -> RequestView? {
        guard let index = index(handle) else { return nil }
        let slot = requests[Int(index)]
        return RequestView(
            request: slot.request, phase: slot.phase == .running ? .running : .pending,
            application: tasks[Int(slot.task)].rules.application, failures: slot.failures,
            notBefore: RequestSlot.time(slot.notBefore), shortage: shortages[index],
            since: Timestamp(nanoseconds: slot.since))
    }

    package var pendingCount: Int { pendingByIdentity.count }
    package var runningCount: Int { running.count }

    /// Pending requests of one application, or of all, in order of submission.
    package func pending(application: UInt32?) -> [RequestHandle] {
        var list: [UInt32] = []
        if let application {
            var index = applications[Int(application)].first
            while index != .max {
                list.append(index)
                index = requests[Int(index)].next
            }
        } else {
            for index in 0..<UInt32(requests.count) where requests[Int(index)].phase == .pending { list.append(index) }
        }
        list.sort { requests[Int($0)].sequence < requests[Int($1)].sequence }
        return list.map { handle($0) }
    }

    /// The pending request of the identity.
    package func handle(identity: Int64) -> RequestHandle? { pendingByIdentity[identity].map { handle($0) } }

    package func rules(of task: UInt32) -> TaskSchedulingRules { tasks[Int(task)].rules }
    package func memory(of application: UInt32) -> ApplicationMemory { applications[Int(application)].memory }
    package func state(of application: UInt32) -> ApplicationState { applications[Int(application)].state }

    /// Processor time that the application used, as much as it still counts in the fair order.
    package func usage(of application: UInt32, at now: Moment) -> TimeSpan {
        measure.remaining(applications[Int(application)].memory.usage, at: now.time)
    }
}
