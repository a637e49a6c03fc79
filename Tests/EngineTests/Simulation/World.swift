import Engine
import TaskModel
import TestSupport

/// A machine and its applications, made up from a seed.
struct World {
    struct Application {
        var isolatesRuns: Bool
        var hasLifecycle: Bool
        var tasks: [TaskIndex] = []
    }

    var limits: EngineLimits
    var applications = Table<ApplicationIndex, Application>()
    var tasks = Table<TaskIndex, TaskRules>()
    /// Share of handlers, launches and terminations that misbehave.
    var malice: Double
    /// The kernel announces when a tree is empty; if not, the host has to look.
    var announcesEmptiness: Bool
    /// The host resets the memory peak when a run starts in an idle worker.
    var resetsPeak: Bool
    /// The host's turn comes no later than this after what it waits for.
    var lateness: TimeSpan

    init(using random: inout SeededGenerator) {
        var profile = LimitsProfile.modern
        profile.launch = random.span(.milliseconds(500), .seconds(10))
        profile.idleWorker = random.span(.milliseconds(5), .seconds(10))
        profile.lifecycleCallback = random.span(.milliseconds(50), .seconds(5))
        profile.backgroundTime = random.span(.milliseconds(100), .minutes(3))
        profile.assertionWarning = random.span(.milliseconds(10), .seconds(5))
        profile.suspendAfter = random.span(.milliseconds(5), .seconds(10))
        profile.suspendedApplications = Int.random(in: 0...3, using: &random)
        profile.cpuMonitorWindow = random.span(.seconds(5), .seconds(60))
        limits = EngineLimits(
            profile: profile, concurrency: Int.random(in: 1...8, using: &random),
            cores: Int.random(in: 1...4, using: &random), metersMemory: random.chance(0.3),
            diskFloor: random.chance(0.4) ? .mebibytes(128) : nil)
        malice = [0, 0.1, 0.3, 0.7].randomElement(using: &random) ?? 0
        announcesEmptiness = Bool.random(using: &random)
        resetsPeak = Bool.random(using: &random)
        lateness = random.chance(0.2) ? .seconds(5) : .milliseconds(2)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let application = applications.append(
                Application(isolatesRuns: random.chance(0.25), hasLifecycle: random.chance(0.6)))
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                applications[application].tasks.append(tasks.append(Self.task(of: application, using: &random)))
            }
        }
    }

    private static func task(of application: ApplicationIndex, using random: inout SeededGenerator) -> TaskRules {
        let wallClock = random.span(.milliseconds(50), .minutes(5))
        let grace: TimeSpan =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .zero
            case 1: wallClock
            case 2: random.span(.milliseconds(1), wallClock)
            default: Budget.defaultGrace(for: wallClock)
            }
        return TaskRules(
            application: application, wallClock: wallClock, grace: grace,
            cpuTime: random.chance(0.5) ? random.span(.milliseconds(20), wallClock) : nil,
            memory: .mebibytes(UInt64.random(in: 16...256, using: &random)),
            disk: .mebibytes(UInt64.random(in: 1...64, using: &random)), isMonitored: random.chance(0.7),
            stall: random.chance(0.2) ? random.span(.milliseconds(100), .minutes(2)) : nil,
            sharesDeadline: random.chance(0.5))
    }

    /// An engine that knows these applications and tasks.
    func engine(nextSequence: Int64) -> Engine {
        var engine = Engine(limits: limits, nextSequence: nextSequence)
        for application in applications {
            _ = engine.addApplication(
                ApplicationRules(
                    isolatesRuns: application.isolatesRuns, hasLifecycle: application.hasLifecycle, mayHaveSpare: true))
        }
        for task in tasks { _ = engine.addTask(task) }
        return engine
    }
}
