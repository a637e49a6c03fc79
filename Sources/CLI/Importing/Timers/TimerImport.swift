import JSON
import TaskModel

/// What becomes of systemd's timers: a manifest for each user of their services, and what of them could not be carried over.
struct TimerImport {
    /// A timer's time that became a task.
    struct Task {
        var unit: String
        var application: String
        var identifier: String
        /// `calendar` or `every`, with its value.
        var schedule: (key: String, value: String)
        var document: JSONOutput
    }

    /// A timer that did not.
    struct Refusal: Error {
        var unit: String
        var reason: String
    }

    private(set) var applications: [ImportedApplication] = []
    private(set) var tasks: [Task] = []
    private(set) var refusals: [Refusal] = []
    /// What is otherwise than under systemd.
    private(set) var notes: [String] = []
    private let application: String
    private let owner: ImportOwner

    /// - Parameters:
    ///   - timers: their names, each with the folders that it and its service are looked for in.
    ///   - application: the identifier of the manifest's application, and what those of its tasks begin with; `.USER` is
    ///     added when the host is root.
    init(_ timers: [(name: String, folders: UnitFolders)], application: String, owner: ImportOwner) {
        self.application = application
        self.owner = owner
        for timer in timers {
            do throws(Refusal) {
                try add(timer.name, timer.folders)
            } catch {
                refusals.append(error)
            }
        }
        guard !tasks.isEmpty else { return }
        notes.append(
            "the commands have all rights of their user (\"confinement\": \"none\"), but for a service with DynamicUser"
        )
        notes.append(
            "a time that a change of the clocks skips comes at the end of the gap, and hourly times come in an hour that is repeated; "
                + "systemd leaves both out"
        )
        notes.append("disable each timer whose task you keep: systemctl disable --now UNIT")
    }

    private mutating func add(_ name: String, _ folders: UnitFolders) throws(Refusal) {
        func refuse(_ reason: String) -> Refusal { Refusal(unit: name, reason: reason) }
        guard !name.hasSuffix("@.timer") else {
            throw refuse("it is a template; name an instance, as \(name.dropLast(6))NAME.timer")
        }
        guard let timer = folders.unit(name) else { throw refuse("there is no such unit") }
        let serviceName = timer.value("Timer", "Unit") ?? name.dropLast(6) + ".service"
        guard serviceName.hasSuffix(".service") else { throw refuse("it starts \(serviceName), which is no service") }
        guard !serviceName.hasSuffix("@.service") else { throw refuse("it starts \(serviceName), which is a template") }
        guard let service = folders.unit(serviceName) else { throw refuse("its service is missing: \(serviceName)") }
        let (schedules, leftOut) = try schedules(of: timer, name)
        let owner: ImportedApplication
        do throws(ImportOwner.Fault) {
            owner = try application(of: service)
        } catch {
            throw refuse(error.reason)
        }
        let script: ServiceScript
        do throws(UnitCommand.Fault) {
            script = try ServiceScript(service, name: serviceName, owner)
        } catch {
            throw refuse(error.reason)
        }
        let application = applications.take(owner)
        for schedule in schedules {
            tasks.append(
                Task(
                    unit: name, application: application.identifier, identifier: identifier(of: name, in: application),
                    schedule: (schedule.key, schedule.value),
                    document: document(script, schedule, timer, service)))
        }
        if schedules.count > 1 {
            notes.append("\(name): its \(schedules.count) times are tasks of their own, which may overlap")
        }
        notes += leftOut.map { "\(name): \($0)" }
        if script.isPrivileged {
            notes.append(
                "\(name): a command with the prefix + or ! has more rights under systemd; it runs as the others do")
        }
        if !script.leftOut.isEmpty {
            notes.append("\(name): left out of its service: \(script.leftOut.joined(separator: ", "))")
        }
    }

    /// An identifier that no task has. A timer's further times, and units whose names have one label, differ by a number.
    private func identifier(of name: String, in application: ImportedApplication) -> String {
        let label = ImportedApplication.label(of: String(name.dropLast(6))) ?? "timer"
        let first = "\(application.identifier).\(label)"
        var identifier = first
        var number = 1
        while tasks.contains(where: { $0.identifier == identifier }) {
            number += 1
            identifier = "\(first)-\(number)"
        }
        return identifier
    }

    // MARK: Times

    private struct Times {
        var key: String
        var value: String
        var timeZone: String?
    }

    private func schedules(
        of timer: UnitFile, _ name: String
    ) throws(Refusal) -> (schedules: [Times], leftOut: [String]) {
        var schedules: [Times] = []
        var leftOut: [String] = []
        for text in timer.values("Timer", "OnCalendar") {
            do throws(OnCalendar.Fault) {
                let calendar = try OnCalendar(text)
                schedules.append(Times(key: "calendar", value: calendar.fields, timeZone: calendar.timeZone))
            } catch {
                throw Refusal(unit: name, reason: "OnCalendar=\(text): \(error.reason)")
            }
        }
        for key in ["OnUnitActiveSec", "OnUnitInactiveSec"] {
            for text in timer.values("Timer", key) {
                guard let seconds = UnitSpan.seconds(text), seconds > 0 else {
                    throw Refusal(unit: name, reason: "\(key)=\(text) is not understood")
                }
                schedules.append(Times(key: "every", value: "\(seconds)s"))
                leftOut.append(
                    "\(key)=\(text) became \"every\", which counts from midnight 1970 in UTC and not from the run before"
                )
            }
        }
        let starts = ["OnBootSec", "OnStartupSec", "OnActiveSec"].filter { timer.value("Timer", $0) != nil }
        guard !schedules.isEmpty else {
            throw Refusal(
                unit: name,
                reason: starts.isEmpty
                    ? "it has no time" : "\(starts.joined(separator: ", ")) alone is no time; keep it with systemd")
        }
        leftOut += starts.map { "\($0) is left out: the times of its schedule stay" }
        if timer.isOn("Timer", "WakeSystem") {
            leftOut.append(
                "WakeSystem is left out: the host wakes no machine; a time that passed meanwhile runs after it wakes")
        }
        for key in ["AccuracySec", "OnClockChange", "OnTimezoneChange", "DeferReactivation"]
        where timer.value("Timer", key) != nil {
            leftOut.append("\(key) is left out")
        }
        if timer.value("Timer", "RandomizedDelaySec") != nil, !timer.isOn("Timer", "FixedRandomDelay") {
            leftOut.append("RandomizedDelaySec became \"jitter\", which is the same delay each time")
        }
        return (schedules, leftOut)
    }

    // MARK: The task

    private func application(of service: UnitFile) throws(ImportOwner.Fault) -> ImportedApplication {
        var user = service.value("Service", "User")
        var base = application
        if case .everybody = owner {
            let isDynamic = service.isOn("Service", "DynamicUser")
            user = isDynamic ? nil : user ?? "root"
            if isDynamic { base += ".dynamic" }
        }
        var found = try owner.application(of: user, named: base, subject: "its service")
        if case .everybody = owner, user == nil { found.confinement = .full }
        return found
    }

    private func document(_ script: ServiceScript, _ times: Times, _ timer: UnitFile, _ service: UnitFile)
        -> JSONOutput
    {
        var schedule: [JSONOutput.Member] = [.init(times.key, .string(times.value))]
        if let zone = times.timeZone { schedule.append(.init("timeZone", .string(zone))) }
        if let text = timer.value("Timer", "RandomizedDelaySec"), let seconds = UnitSpan.seconds(text), seconds > 0 {
            schedule.append(.init("jitter", .string("\(min(seconds, 604_800))s")))
        }
        let catchesUp = times.key == "every" || timer.isOn("Timer", "Persistent")
        schedule.append(.init("catchUp", .string(catchesUp ? "latest" : "none")))
        schedule.append(.init("overlap", .string("skip")))
        // Each limits the one kind of service alone (systemd.service(5)).
        let limit = service.value("Service", "Type") == "oneshot" ? "TimeoutStartSec" : "RuntimeMaxSec"
        let seconds = service.value("Service", limit).flatMap(UnitSpan.seconds) ?? 0
        let wallClock = seconds > 0 ? "\(min(seconds, 604_800))s" : "none"
        let order = (service.values("Unit", "After") + service.values("Unit", "Wants")).joined(separator: " ")
        let isOnPower = service.isOn("Unit", "ConditionACPower") || timer.isOn("Unit", "ConditionACPower")
        return [
            "kind": .string("processing"), "handler": ImportedApplication.handler(script.command),
            "budget": [
                "wallClock": .string(wallClock), "cpuTime": "none",
                "memory": .string(script.memory), "disk": "none",
            ],
            "schedule": .object(schedule),
            "requires": [
                "idle": .bool(false), "externalPower": .bool(isOnPower), "anyPower": true,
                "network": .bool(order.contains("network-online.target")),
            ],
        ]
    }

    /// An application's manifest, as `taskhost run` and `serve` read it.
    func manifest(of application: ImportedApplication) -> JSONOutput {
        let own = tasks.filter { $0.application == application.identifier }
        return application.manifest(
            named: "Imported from timers", tasks: own.map { JSONOutput.Member($0.identifier, $0.document) })
    }
}
