package import TaskModel

/// The bounds of a manifest's values.
package enum ManifestLimits {
    /// Bytes of a manifest.
    package static let fileBytes = 4 << 20
    package static let nameBytes = 255
    package static let tasks = 256
    /// Entries of each list of `permissions`.
    package static let grants = 256
    /// Of each key of `requires` that takes patterns.
    package static let patterns = 16
    /// Bytes of a task's settings as one line of JSON text.
    package static let settingsBytes = Limit.settings.most
    /// Secrets of a task.
    package static let secrets = 8
    package static let attempts: ClosedRange<Int64> = 1...100

    /// Entries of `transfers.trust`, and of `hosts` and `spki`.
    package static let trusted = 64
    package static let hosts = 16
    package static let pins = 16

    private static let week = TimeSpan.minutes(7 * 24 * 60)
    package static let wallClock = TimeSpan.milliseconds(100)...week
    package static let cpuTime = TimeSpan.milliseconds(1)...week
    package static let stall = TimeSpan.seconds(1)...week
    package static let grace = TimeSpan.zero...week
    package static let memory = ByteCount.mebibytes(1)...ByteCount.mebibytes(1 << 20)
    package static let disk = ByteCount(bytes: 64 << 10)...ByteCount.mebibytes(1 << 20)
    package static let every = TimeSpan.seconds(1)...TimeSpan.minutes(366 * 24 * 60)
    package static let schedulePayload = 4 << 10
    package static let jitter = TimeSpan.zero...week
    package static let backoff = TimeSpan.zero...week
    package static let retryJitter = TimeSpan.zero...TimeSpan.seconds(86_400)
    /// Words of a command: the program and its arguments.
    package static let commandWords = 256
    /// Bytes of one of them.
    package static let commandWordBytes = 16 << 10
    /// Variables of a command, and files with further ones.
    package static let variables = 256
    package static let environmentFiles = 16
    /// Bytes of a webhook's URL.
    package static let urlBytes = 2048
    /// Before the second try when `retry` names no `backoff`.
    package static let defaultBackoff = TimeSpan.seconds(30)
    /// CPU time beyond this many times the wall clock can only be a slip.
    package static let sensibleCores: Int64 = 64
}
