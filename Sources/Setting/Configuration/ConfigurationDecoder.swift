package import Manifests
package import Scheduling
import TaskModel
import Transfers
import Workers

/// Reads the host's configuration file: strict JSON, every fault in one go. Reading touches no file.
package enum ConfigurationDecoder {
    private typealias Limits = ConfigurationLimits

    /// - Parameters:
    ///   - path: the file as the messages should name it.
    ///   - machine: decides about the defaults; nil: a large one.
    ///   - lack: why the machine does not have the time zone of that name; nil: it has.
    /// - Returns: the configuration, nil when there is an error, and every fault in the order of the file.
    package static func decode(
        bytes: [UInt8], path: String, on machine: MachineSize? = nil, lack: (String) -> TimeZoneFault? = { _ in nil }
    ) -> (configuration: HostConfiguration?, [Diagnostic]) {
        var document = DocumentReader(file: path)
        let defaults = machine.map { HostConfiguration(on: $0) } ?? HostConfiguration()
        let configuration = read(bytes, over: defaults, with: &document, lack)
        return (document.hasErrors ? nil : configuration, document.diagnostics)
    }

    private static func read(
        _ bytes: [UInt8], over defaults: HostConfiguration, with document: inout DocumentReader,
        _ lack: (String) -> TimeZoneFault?
    ) -> HostConfiguration? {
        let root = document.parse(bytes, maximumBytes: Limits.fileBytes)
        guard
            let fields = document.fields(
                root, keys: ConfigurationKeys.root, expected: "an object, the host's configuration")
        else { return nil }
        var configuration = defaults
        if let profile = document.choice(fields["profile"], LimitsProfile.all.map { ($0.name, $0) }) {
            configuration.choose(profile)
        }
        set(&configuration.concurrency, document.integer(fields["concurrency"], in: Limits.concurrency).map { Int($0) })
        if let users = users(fields["users"], &document) { configuration.users = users }
        retention(fields["retention"], &document, &configuration)
        set(&configuration.outputLimit, document.size(fields["output"], in: Limits.output).map { Int($0.bytes) })
        configuration.diskFloor = document.size(fields["diskFloor"], in: Limits.diskFloor)
        set(&configuration.fileSize, document.size(fields["fileSize"], in: Limits.fileSize))
        set(&configuration.processes, document.integer(fields["processes"], in: Limits.processes).map { Int($0) })
        let tiers = [("auto", nil)] + ControlTier.allCases.map { ($0.rawValue, $0.rawValue as String?) }
        if let tier = document.choice(fields["control"], tiers) { configuration.control = tier }
        configuration.setWorkerTimes(
            launch: document.span(fields["launch"], in: Limits.launch),
            idle: document.span(fields["idleWorker"], in: Limits.idleWorker))
        suspension(fields, &document, &configuration.profile)
        limits(fields["limits"], &document, &configuration.profile)
        scheduling(fields["scheduling"], &document, &configuration.scheduling)
        if let readers = readers(fields["readers"], &document) { configuration.readers = readers }
        transfers(fields["transfers"], &document, &configuration.transfers)
        if let applications = rootApplications(fields["rootApplications"], &document) {
            configuration.rootApplications = applications
        }
        set(&configuration.allowsUnconfined, document.bool(fields["allowUnconfined"]))
        set(&configuration.log, document.choice(fields["log"], LogScope.allCases.map { ($0.name, $0) }))
        configuration.logFormat = document.choice(fields["logFormat"], LogFormat.allCases.map { ($0.name, $0) })
        configuration.metrics = metrics(fields["metrics"], &document)
        configuration.telemetry = telemetry(fields["telemetry"], &document)
        configuration.fleet = fleet(fields["fleet"], &document)
        configuration.windows = windows(fields["windows"], &document, lack)
        return configuration
    }

    /// A value that is left out, or that has a fault, leaves what is there.
    private static func set<Value>(_ place: inout Value, _ value: Value?) {
        if let value { place = value }
    }

    private static func users(_ node: DocumentNode?, _ document: inout DocumentReader) -> ClosedRange<UInt32>? {
        guard let node, let fields = document.fields(node, keys: ConfigurationKeys.users) else { return nil }
        let first = document.integer(
            document.required(fields, "first", expected: "the number of the first user"),
            in: Limits.firstUser)
        let count = document.integer(
            document.required(fields, "count", expected: "how many users"), in: Limits.userCount)
        guard let first, let count else { return nil }
        let last = first + count - 1
        guard Limits.firstUser.contains(last) else {
            document.refuse(
                node, expected: "a last user of \(Limits.firstUser.upperBound) at most",
                found: "users up to \(last)")
            return nil
        }
        return UInt32(first)...UInt32(last)
    }

    private static func retention(
        _ node: DocumentNode?, _ document: inout DocumentReader, _ configuration: inout HostConfiguration
    ) {
        guard let fields = document.fields(node, keys: ConfigurationKeys.retention) else { return }
        set(&configuration.retentionAge, document.span(fields["age"], in: Limits.retentionAge))
        set(&configuration.retentionCount, document.integer(fields["count"], in: Limits.retentionCount).map { Int($0) })
        set(&configuration.retentionSize, document.size(fields["size"], in: Limits.retentionSize))
    }
}

extension ConfigurationDecoder {
    fileprivate static func suspension(
        _ fields: DocumentFields, _ document: inout DocumentReader, _ profile: inout LimitsProfile
    ) {
        set(&profile.suspendAfter, document.span(fields["suspendAfter"], in: Limits.suspendAfter))
        set(
            &profile.suspendedApplications,
            document.integer(fields["suspendedApplications"], in: Limits.suspendedApplications).map { Int($0) })
    }

    /// Limits that default to the profile's.
    fileprivate static func limits(
        _ node: DocumentNode?, _ document: inout DocumentReader, _ profile: inout LimitsProfile
    ) {
        guard let fields = document.fields(node, keys: ConfigurationKeys.limits) else { return }
        if let span = document.span(fields["backgroundTime"], in: Limits.backgroundTime) {
            profile.backgroundTime = span
            profile.assertionWarning = Budget.defaultGrace(for: span)
        }
        set(&profile.lifecycleCallback, document.span(fields["callback"], in: Limits.callback))
        set(&profile.eventTime, document.span(fields["event"], in: Limits.event))
        set(&profile.fetchInterval, document.span(fields["fetchInterval"], in: Limits.fetchInterval))
        set(
            &profile.notificationsPerHour,
            document.integer(fields["notificationsPerHour"], in: Limits.notificationsPerHour).map { Int($0) })
    }

    fileprivate static func scheduling(
        _ node: DocumentNode?, _ document: inout DocumentReader, _ limits: inout SchedulerLimits
    ) {
        guard let fields = document.fields(node, keys: ConfigurationKeys.scheduling) else { return }
        let counts: [(String, WritableKeyPath<SchedulerLimits, Int>)] = [
            ("concurrency", \.concurrency), ("refreshes", \.refreshes), ("processings", \.processings),
            ("continued", \.continued),
        ]
        for (key, path) in counts {
            set(&limits[keyPath: path], document.integer(fields[key], in: Limits.concurrency).map { Int($0) })
        }
        set(&limits.lowBattery, document.integer(fields["lowBattery"], in: Limits.lowBattery).map { UInt8($0) })
        set(
            &limits.crashesAllowed,
            document.integer(fields["crashesAllowed"], in: Limits.crashesAllowed).map { UInt32($0) })
        set(&limits.pace, document.span(fields["pace"], in: Limits.pace))
        set(&limits.quarantine, document.span(fields["quarantine"], in: Limits.quarantine))
        quota(fields["quota"], &document, &limits)
    }

    private static func quota(
        _ node: DocumentNode?, _ document: inout DocumentReader, _ limits: inout SchedulerLimits
    ) {
        guard let fields = document.fields(node, keys: ConfigurationKeys.quota) else { return }
        limits.quota = document.span(
            document.required(fields, "cpuTime", expected: "the processor time that an application may use"),
            in: Limits.quotaTime)
        set(&limits.quotaWindow, document.span(fields["window"], in: Limits.quotaWindow))
    }

    fileprivate static func transfers(
        _ node: DocumentNode?, _ document: inout DocumentReader, _ limits: inout TransferLimits
    ) {
        guard let fields = document.fields(node, keys: ConfigurationKeys.transfers) else { return }
        let counts: [(String, WritableKeyPath<TransferLimits, Int>)] = [
            ("concurrency", \.concurrency), ("perApplication", \.perApplication), ("perHost", \.perHost),
        ]
        for (key, path) in counts {
            set(&limits[keyPath: path], document.integer(fields[key], in: Limits.transfers).map { Int($0) })
        }
        for (key, path) in [("rate", \TransferLimits.rate), ("applicationRate", \.applicationRate)] {
            set(&limits[keyPath: path], document.size(fields[key], in: Limits.rate).map { Int64(clamping: $0.bytes) })
        }
    }

    fileprivate static func rootApplications(
        _ node: DocumentNode?, _ document: inout DocumentReader
    ) -> [String]? {
        document.elements(node, limit: Limits.rootApplications, of: "applications' identifiers")?.compactMap {
            document.text($0, limit: IdentifierSyntax.maximumLength, expected: IdentifierSyntax.expected)
        }
    }

    fileprivate static func readers(_ node: DocumentNode?, _ document: inout DocumentReader) -> [UInt32]? {
        guard let nodes = document.elements(node, limit: Limits.readers, of: "users' numbers") else {
            return nil
        }
        var users: [UInt32] = []
        for node in nodes {
            guard let user = document.integer(node, in: Limits.user).map({ UInt32($0) }) else { continue }
            if users.contains(user) { document.warn(node, expected: "each user once") } else { users.append(user) }
        }
        return users
    }
}
