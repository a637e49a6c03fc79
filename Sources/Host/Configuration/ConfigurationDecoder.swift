import JSON
package import Manifests
package import Scheduling
import TaskModel
import Transfers
import Workers

/// Reads the host's configuration file: strict JSON, every fault in one go. Reading touches no file.
package enum ConfigurationDecoder {
    /// - Parameters:
    ///   - path: the file as the messages should name it.
    ///   - lack: why the machine does not have the time zone of that name; nil: it has.
    /// - Returns: the configuration, nil when there is an error, and every fault in the order of the file.
    package static func decode(
        bytes: [UInt8], path: String, lack: (String) -> TimeZoneFault? = { _ in nil }
    ) -> (configuration: HostConfiguration?, [Diagnostic]) {
        var document = DocumentReader(file: path)
        let configuration = read(bytes, with: &document, lack)
        return (document.hasErrors ? nil : configuration, document.diagnostics)
    }

    private static func read(
        _ bytes: [UInt8], with document: inout DocumentReader, _ lack: (String) -> TimeZoneFault?
    ) -> HostConfiguration? {
        let root = document.parse(bytes, maximumBytes: ConfigurationLimits.fileBytes)
        guard
            let fields = document.fields(
                root, keys: ConfigurationKeys.root, expected: "an object, the host's configuration")
        else { return nil }
        var configuration = HostConfiguration()
        if let profile = document.choice(fields["profile"], LimitsProfile.all.map { ($0.name, $0) }) {
            configuration.choose(profile)
        }
        if let count = document.integer(fields["concurrency"], in: ConfigurationLimits.concurrency) {
            configuration.concurrency = Int(count)
        }
        if let users = users(fields["users"], &document) { configuration.users = users }
        retention(fields["retention"], &document, &configuration)
        if let size = document.size(fields["output"], in: ConfigurationLimits.output) {
            configuration.outputLimit = Int(size.bytes)
        }
        if let size = document.size(fields["diskFloor"], in: ConfigurationLimits.diskFloor) {
            configuration.diskFloor = size
        }
        if let size = document.size(fields["fileSize"], in: ConfigurationLimits.fileSize) {
            configuration.fileSize = size
        }
        if let count = document.integer(fields["processes"], in: ConfigurationLimits.processes) {
            configuration.processes = Int(count)
        }
        let tiers = [("auto", nil)] + ControlTier.allCases.map { ($0.rawValue, $0.rawValue as String?) }
        if let tier = document.choice(fields["control"], tiers) { configuration.control = tier }
        configuration.setWorkerTimes(
            launch: document.span(fields["launch"], in: ConfigurationLimits.launch),
            idle: document.span(fields["idleWorker"], in: ConfigurationLimits.idleWorker))
        suspension(fields, &document, &configuration.profile)
        limits(fields["limits"], &document, &configuration.profile)
        scheduling(fields["scheduling"], &document, &configuration.scheduling)
        if let readers = readers(fields["readers"], &document) { configuration.readers = readers }
        transfers(fields["transfers"], &document, &configuration.transfers)
        configuration.windows = windows(fields["windows"], &document, lack)
        return configuration
    }

    private static func users(_ node: DocumentNode?, _ document: inout DocumentReader) -> ClosedRange<UInt32>? {
        guard let node, let fields = document.fields(node, keys: ConfigurationKeys.users) else { return nil }
        let first = document.integer(
            document.required(fields, "first", expected: "the number of the first user"),
            in: ConfigurationLimits.firstUser)
        let count = document.integer(
            document.required(fields, "count", expected: "how many users"), in: ConfigurationLimits.userCount)
        guard let first, let count else { return nil }
        let last = first + count - 1
        guard ConfigurationLimits.firstUser.contains(last) else {
            document.refuse(
                node, expected: "a last user of \(ConfigurationLimits.firstUser.upperBound) at most",
                found: "users up to \(last)")
            return nil
        }
        return UInt32(first)...UInt32(last)
    }

    private static func retention(
        _ node: DocumentNode?, _ document: inout DocumentReader, _ configuration: inout HostConfiguration
    ) {
        guard let fields = document.fields(node, keys: ConfigurationKeys.retention) else { return }
        if let age = document.span(fields["age"], in: ConfigurationLimits.retentionAge) {
            configuration.retentionAge = age
        }
        if let count = document.integer(
            fields["count"], in: ConfigurationLimits.retentionCount)
        {
            configuration.retentionCount = Int(count)
        }
        if let size = document.size(fields["size"], in: ConfigurationLimits.retentionSize) {
            configuration.retentionSize = size
        }
    }
}

extension ConfigurationDecoder {
    fileprivate static func suspension(
        _ fields: DocumentFields, _ document: inout DocumentReader, _ profile: inout LimitsProfile
    ) {
        if let span = document.span(fields["suspendAfter"], in: ConfigurationLimits.suspendAfter) {
            profile.suspendAfter = span
        }
        if let count = document.integer(
            fields["suspendedApplications"], in: ConfigurationLimits.suspendedApplications)
        {
            profile.suspendedApplications = Int(count)
        }
    }

    /// Limits that default to the profile's.
    fileprivate static func limits(
        _ node: DocumentNode?, _ document: inout DocumentReader, _ profile: inout LimitsProfile
    ) {
        guard let fields = document.fields(node, keys: ConfigurationKeys.limits) else { return }
        if let span = document.span(fields["backgroundTime"], in: ConfigurationLimits.backgroundTime) {
            profile.backgroundTime = span
            profile.assertionWarning = Budget.defaultGrace(for: span)
        }
        if let span = document.span(fields["callback"], in: ConfigurationLimits.callback) {
            profile.lifecycleCallback = span
        }
        if let span = document.span(fields["event"], in: ConfigurationLimits.event) { profile.eventTime = span }
        if let span = document.span(fields["fetchInterval"], in: ConfigurationLimits.fetchInterval) {
            profile.fetchInterval = span
        }
        if let count = document.integer(fields["notificationsPerHour"], in: ConfigurationLimits.notificationsPerHour) {
            profile.notificationsPerHour = Int(count)
        }
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
            if let count = document.integer(fields[key], in: ConfigurationLimits.concurrency) {
                limits[keyPath: path] = Int(count)
            }
        }
        if let level = document.integer(fields["lowBattery"], in: ConfigurationLimits.lowBattery) {
            limits.lowBattery = UInt8(level)
        }
        if let count = document.integer(fields["crashesAllowed"], in: ConfigurationLimits.crashesAllowed) {
            limits.crashesAllowed = UInt32(count)
        }
        if let span = document.span(fields["pace"], in: ConfigurationLimits.pace) { limits.pace = span }
        if let span = document.span(fields["quarantine"], in: ConfigurationLimits.quarantine) {
            limits.quarantine = span
        }
        quota(fields["quota"], &document, &limits)
    }

    private static func quota(
        _ node: DocumentNode?, _ document: inout DocumentReader, _ limits: inout SchedulerLimits
    ) {
        guard let fields = document.fields(node, keys: ConfigurationKeys.quota) else { return }
        limits.quota = document.span(
            document.required(fields, "cpuTime", expected: "the processor time that an application may use"),
            in: ConfigurationLimits.quotaTime)
        if let window = document.span(fields["window"], in: ConfigurationLimits.quotaWindow) {
            limits.quotaWindow = window
        }
    }

    fileprivate static func transfers(
        _ node: DocumentNode?, _ document: inout DocumentReader, _ limits: inout TransferLimits
    ) {
        guard let fields = document.fields(node, keys: ConfigurationKeys.transfers) else { return }
        let counts: [(String, WritableKeyPath<TransferLimits, Int>)] = [
            ("concurrency", \.concurrency), ("perApplication", \.perApplication), ("perHost", \.perHost),
        ]
        for (key, path) in counts {
            if let count = document.integer(fields[key], in: ConfigurationLimits.transfers) {
                limits[keyPath: path] = Int(count)
            }
        }
        for (key, path) in [("rate", \TransferLimits.rate), ("applicationRate", \.applicationRate)] {
            if let size = document.size(fields[key], in: ConfigurationLimits.rate) {
                limits[keyPath: path] = Int64(clamping: size.bytes)
            }
        }
    }

    fileprivate static func readers(_ node: DocumentNode?, _ document: inout DocumentReader) -> [UInt32]? {
        guard let nodes = document.elements(node, limit: ConfigurationLimits.readers, of: "users' numbers") else {
            return nil
        }
        var users: [UInt32] = []
        for node in nodes {
            guard let user = document.integer(node, in: ConfigurationLimits.user).map({ UInt32($0) }) else { continue }
            if users.contains(user) { document.warn(node, expected: "each user once") } else { users.append(user) }
        }
        return users
    }
}
