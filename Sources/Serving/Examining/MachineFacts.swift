package import Setting
package import TaskModel
package import Workers

/// What a host knows of its machine, for `taskhost doctor`. The values at first are those of a machine that lacks nothing.
package struct MachineFacts: Sendable {
    /// How far off the wall clock may be.
    package enum ClockSetting: Sendable, Equatable {
        case set(within: TimeSpan)
        case unset
        /// This service may not ask the kernel; whether systemd-timesyncd says that it is synchronized.
        case hidden(isSynchronized: Bool)
        /// The kernel does not say, with the reason.
        case unknown(String)
    }

    package enum Fleet: Sendable, Equatable {
        case none
        case reached
        case unreached(since: Timestamp)
    }

    /// Whether the host's fleet is within reach.
    package var fleet = Fleet.none
    /// The state folder.
    package var state = ""
    /// A daemon serves it.
    package var isServed = true
    /// Such as `6.1.0-18-amd64`; nil: /proc does not say.
    package var kernel: String? = "6.12.0"
    package var isRoot = true
    /// The version of Landlock; 0: there is none.
    package var landlock: Int32 = 6
    /// The kernel is built with it; it may be switched off at boot.
    package var landlockIsBuilt = true
    package var tier = ControlTier.unified
    /// Why no better tier is taken; nil: this is the best, or the configuration names it.
    package var shortfall: String?
    /// The kernel holds the addresses of each worker's connections.
    package var holdsConnections = true
    /// The kernel limits memory and the number of processes.
    package var limitsTrees = true
    /// Why it does not, and what to do; nil: it does, or the configuration's tier does not.
    package var missing: HostGroups.Missing?
    /// Why pressure cannot be watched; nil: it can.
    package var pressureFault: String?
    /// Why the system bus does not answer; nil: it does.
    package var busFault: String?
    package var hasLogind = true
    /// systemd manages the machine (sd_booted(3)).
    package var hasSystemd = true
    /// The host's user.
    package var user = "root"
    /// The user's services outlive his sessions.
    package var lingers = true
    package var clock = ClockSetting.set(within: .milliseconds(1))
    /// Of the whole machine.
    package var memory = ByteCount.mebibytes(8192)
    /// Runs that may launch or run at once.
    package var concurrency = 64
    /// Of the state folder's file system; nil: it does not say.
    package var space: (free: ByteCount, total: ByteCount)? = (.mebibytes(1 << 20), .mebibytes(1 << 20))
    /// Free space below which nothing starts that could fill the disk.
    package var diskFloor = ByteCount.mebibytes(128)
    /// The kernel's words for the ways in which the machine can sleep; empty: it cannot.
    package var sleeps = ""
    /// What reports sleep, in words.
    package var sleepSource = "logind"
    /// Why sleep does not wait for the host; nil: it does, or was not asked.
    package var sleepRefusal: String?
    /// The form of the host's log; nil: it has none.
    package var log: LogFormat? = .journal
    /// systemd's journal takes messages.
    package var hasJournal = true
    /// Where metrics are served over TCP; nil: nowhere.
    package var metrics: MetricsSettings?
    /// The number of newest runs that were looked at, and how many of them lacked each limit.
    package var runs = 0
    package var degraded: [String: Int] = [:]
    /// What is wrong with the rows of the record that are set aside.
    package var rowFaults: [String] = []
    /// The pages of the record have checksums.
    package var recordHasSums = true
    /// Why manifests, or tasks of them, are not used.
    package var unused: [String] = []
    /// Tasks with `"confinement": "none"`.
    package var unconfined: [String] = []
    /// What a program of these lacks of its user's rights, because the host itself lacks it; empty: nothing.
    package var lackingRights: [String] = []
    /// The host's processes may make mounts for themselves.
    package var hasOwnMounts = true
    /// Why the kernel's audit log has no refusals for the host; nil: it has.
    package var auditLack: String?
    /// Applications with the permission to send ICMP echo requests whose groups the machine does not let send them.
    package var silenced: [String] = []
    /// Applications with capabilities, and which.
    package var capabilities: [String] = []

    package init() {}
}
