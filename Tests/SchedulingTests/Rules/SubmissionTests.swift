import Scheduling
import TaskModel
import Testing

struct SubmissionTests {
    @Test func `A request without gates starts at once`() throws {
        var scheduler = Scheduler(limits: SchedulerLimits())
        let application = scheduler.addApplication(ApplicationMemory())
        let task = scheduler.addTask(TaskSchedulingRules(application: application, kind: .appRefresh))
        let now = Moment(
            instant: Instant(nanoseconds: 1_000), time: Timestamp(nanoseconds: 1_772_366_400_000_000_000))
        var decisions: [Decision] = []
        scheduler.begin(at: now, into: &decisions)
        let request = try scheduler.submit(
            NewRequest(task: task, identity: 7, kind: .appRefresh, terms: RequestTerms(), submitted: now.time),
            at: now, into: &decisions)
        #expect(decisions == [.remember(request), .start(request, launch: 1)])
    }
}
