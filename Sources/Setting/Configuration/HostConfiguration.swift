package import Scheduling
package import TaskModel
package import Transfers

/// The host's own settings, with their defaults.
package struct HostConfiguration: Sendable, Equatable {
    /// The limits that apply: the profile's, with this configuration's changes.
    package internal(set) var profile = LimitsProfile.modern
    /// Runs that may be launching or running at once.
    package var concurrency = 64
    /// Users that a host that is root gives to applications, one each. Outside what systemd and subordinate ids use.
    package var users: ClosedRange<UInt32> = 2_000_000_000...2_000_065_535
    /// The transfer process's user under a root host: no application has it. `ConfigurationLimits.firstUser` leaves room for it.
    package var transferUser: UInt32 { users.upperBound + 1 }
    /// Applications that may run as user 0.
    package var rootApplications: [String] = []
    /// Manifests may say `"confinement": "none"`.
    package var allowsUnconfined = true
    /// Runs that ended longer ago than this are forgotten.
    package var retentionAge = TimeSpan.seconds(30 * 86_400)
    /// The largest number of runs that are kept.
    package var retentionCount = 100_000
    /// The largest size of the record in use; the oldest output is deleted first.
    package var retentionSize = ByteCount.mebibytes(1024)
    /// Free space of the state folder's file system below which nothing is started that could fill it; nil: 128 MiB, or a
    /// twentieth of a smaller file system.
    package var diskFloor: ByteCount?
    /// How much of a run's output is kept, in bytes.
    package var outputLimit = 256 << 10
    /// `RLIMIT_FSIZE` of a worker.
    package var fileSize = ByteCount.mebibytes(1024)
    /// Processes and threads of one application.
    package var processes = 512
    /// The way process trees are controlled, by the name of a control tier: nil probes for the best that the machine has.
    package var control: String?
    /// When and how many scheduled runs start.
    package var scheduling = SchedulerLimits()
    /// When work that may wait runs; empty: at any time.
    package var windows: [WindowDefinition] = []
    /// How many transfers run at once, and how fast.
    package var transfers = TransferLimits()
    /// Users other than the host's own and root who may read everything through the control socket, and change nothing.
    package var readers: [UInt32] = []

    /// Where metrics are served over TCP; nil: nowhere.
    package var metrics: MetricsSettings?
    /// The collector of traces, without `/v1/traces`; nil: what the environment names, if it does.
    package var telemetry: String?
    /// The hosts with which this one shares requests; nil: none.
    package var fleet: FleetSettings?
    /// The form of the log; nil: systemd's journal if standard error leads there, else sentences.
    package var logFormat: LogFormat?
    package var log = LogScope.failures

    /// The file that it was read from, without links; nil: none.
    package var file: String?
    /// Workers watch what handlers do to their process (`taskhost check`).
    package var checksHandlers = false

    package init() {}

    /// `scheduling`, with the numbers that the limits profile has for it.
    package var schedulerLimits: SchedulerLimits {
        var limits = scheduling
        limits.fetchInterval = profile.fetchInterval
        limits.notificationsPerHour = profile.notificationsPerHour
        return limits
    }

    /// `transfers`, with the floor of the disk.
    ///
    /// - Parameter floor: the value when the configuration has none.
    package func transferLimits(floor: ByteCount) -> TransferLimits {
        var limits = transfers
        limits.diskFloor = Int64(clamping: (diskFloor ?? floor).bytes)
        return limits
    }

    /// Takes another profile, but keeps every number that differs from those of the one before: it is this host's own.
    package mutating func choose(_ profile: LimitsProfile) {
        var chosen = profile
        let (own, usual) = (self.profile, LimitsProfile.all.first { $0.name == self.profile.name } ?? .modern)
        func keep<Number: Equatable>(_ number: WritableKeyPath<LimitsProfile, Number>) {
            if own[keyPath: number] != usual[keyPath: number] { chosen[keyPath: number] = own[keyPath: number] }
        }
        let times: [WritableKeyPath<LimitsProfile, TimeSpan>] = [
            \.launch, \.idleWorker, \.suspendAfter, \.backgroundTime, \.assertionWarning, \.lifecycleCallback,
            \.eventTime,
            \.fetchInterval,
        ]
        for time in times { keep(time) }
        for count in [\LimitsProfile.suspendedApplications, \.notificationsPerHour] { keep(count) }
        self.profile = chosen
    }

    /// Sets how long a worker may take to be ready (nil: no change), how long an idle worker is kept, and after how long one
    /// that has nothing to do in the background is suspended.
    package mutating func setWorkerTimes(
        launch: TimeSpan? = nil, idle: TimeSpan? = nil, suspendAfter: TimeSpan? = nil
    ) {
        profile.suspendAfter = suspendAfter ?? profile.suspendAfter
        profile.launch = launch ?? profile.launch
        profile.idleWorker = idle ?? profile.idleWorker
    }
}
