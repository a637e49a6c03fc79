package import TaskModel

/// Bounds of the values in the host's configuration file. `Documentation/config.schema.json` has the same.
package enum ConfigurationLimits {
    /// Bytes of the file.
    package static let fileBytes = 256 << 10
    package static let concurrency: ClosedRange<Int64> = 1...4096
    /// Numbers below 1000 are the system's own users; 4294967295 means "no change" (setresuid(2), chown(2)), and the one after
    /// the last is the transfer process's.
    package static let firstUser: ClosedRange<Int64> = 1000...4_294_967_293
    package static let userCount: ClosedRange<Int64> = 1...1_000_000
    package static let retentionAge = TimeSpan.minutes(1)...TimeSpan.minutes(3650 * 24 * 60)
    package static let retentionCount: ClosedRange<Int64> = 1...10_000_000
    package static let retentionSize = ByteCount.mebibytes(1)...ByteCount.mebibytes(1 << 20)
    package static let diskFloor = ByteCount(bytes: 0)...ByteCount.mebibytes(16 << 20)
    package static let output = ByteCount(bytes: 0)...ByteCount.mebibytes(64)
    package static let fileSize = ByteCount.mebibytes(1)...ByteCount.mebibytes(16 << 20)
    /// A worker's own threads count as well.
    package static let processes: ClosedRange<Int64> = 16...65_536
    package static let idleWorker = TimeSpan.zero...TimeSpan.minutes(24 * 60)
    package static let suspendAfter = TimeSpan.zero...TimeSpan.minutes(24 * 60)
    package static let suspendedApplications: ClosedRange<Int64> = 0...4096
    package static let backgroundTime = TimeSpan.seconds(1)...TimeSpan.minutes(24 * 60)
    package static let callback = TimeSpan.milliseconds(100)...TimeSpan.minutes(1)
    package static let event = TimeSpan.seconds(1)...TimeSpan.minutes(10)
    package static let fetchInterval = TimeSpan.seconds(1)...TimeSpan.minutes(7 * 24 * 60)
    package static let notificationsPerHour = 1...Int64(NotificationTimes.most)
    package static let lowBattery: ClosedRange<Int64> = 0...100
    package static let crashesAllowed: ClosedRange<Int64> = 1...1000
    package static let pace = TimeSpan.zero...TimeSpan.minutes(24 * 60)
    package static let quarantine = TimeSpan.seconds(1)...TimeSpan.minutes(24 * 60)
    package static let quotaTime = TimeSpan.seconds(1)...TimeSpan.minutes(7 * 24 * 60)
    package static let quotaWindow = TimeSpan.minutes(1)...TimeSpan.minutes(7 * 24 * 60)
    package static let readers = 64
    package static let rootApplications = 256
    /// 4294967295 means "no user" (chown(2)).
    package static let user: ClosedRange<Int64> = 0...4_294_967_294
    package static let windows = 16
    package static let window = TimeSpan.minutes(1)...TimeSpan.minutes(7 * 24 * 60)
    package static let transfers: ClosedRange<Int64> = 1...1024
    /// Bytes a second.
    package static let rate = ByteCount(bytes: 0)...ByteCount.mebibytes(1 << 20)
    /// Bytes of a URL.
    package static let url = 2048
    /// Bytes of a path.
    package static let path = 4096
    /// Bytes of what names a database.
    package static let connection = 2048
    /// Bytes of a host's name in its fleet.
    package static let fleetName = 255
    package static let labels = 32
    /// Bytes.
    package static let labelValue = 255
    package static let lease = TimeSpan.seconds(10)...TimeSpan.minutes(10)
    /// Claims at once.
    package static let places: ClosedRange<Int64> = 1...256
    package static let launch = TimeSpan.milliseconds(100)...TimeSpan.minutes(10)
}

/// The keys of the host's configuration file, level by level.
package enum ConfigurationKeys {
    package static let root = [
        "$schema", "profile", "concurrency", "users", "retention", "output", "diskFloor", "fileSize", "processes",
        "control",
        "idleWorker", "launch", "suspendAfter", "suspendedApplications", "limits", "scheduling", "readers",
        "windows", "transfers", "rootApplications", "allowUnconfined", "log", "logFormat", "metrics",
        "telemetry", "fleet",
    ]
    package static let limits = ["backgroundTime", "callback", "event", "fetchInterval", "notificationsPerHour"]
    package static let users = ["first", "count"]
    package static let retention = ["age", "count", "size"]
    package static let scheduling = [
        "concurrency", "refreshes", "processings", "continued", "quota", "lowBattery", "crashesAllowed", "quarantine",
        "pace",
    ]
    package static let transfers = ["concurrency", "perApplication", "perHost", "rate", "applicationRate"]
    package static let metrics = ["listen", "token"]
    package static let telemetry = ["endpoint"]
    package static let fleet = ["database", "name", "labels", "lease", "places", "manifests"]
    package static let window = ["from", "for", "timeZone", "closed"]
    package static let quota = ["cpuTime", "window"]
}
