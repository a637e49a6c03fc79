/// What one run may use.
package struct Budget: Hashable, Sendable {
    /// From the start of the handler to the kill. Includes the grace. `unlimited`: it ends by other means.
    package var wallClock: TimeSpan
    /// CPU time of the whole process tree; nil: bounded by the CPU monitor alone.
    package var cpuTime: TimeSpan?
    /// False: the CPU monitor does not bound it either.
    package var isMonitored = true
    /// Memory of the whole process tree; `unlimited`: that of the machine.
    package var memory: ByteCount
    /// The limit of the application's folders, `$STATE` and `$CACHE` together; `unlimited`: that of the file system.
    package var disk: ByteCount
    /// Between the warning and the kill.
    package var grace: TimeSpan
    /// A run of continued processing without progress for this long is warned; nil for other kinds.
    package var stall: TimeSpan?
    /// The keys that the manifest declares; the rest comes from the kind and the profile.
    package var declared: Keys

    /// The keys with which the manifest declares a limit, not that there is none.
    package var declaredLimits: Keys {
        var limits = declared
        if wallClock == .unlimited { limits.remove(.wallClock) }
        if cpuTime == nil { limits.remove(.cpuTime) }
        if memory == .unlimited { limits.remove(.memory) }
        if disk == .unlimited { limits.remove(.disk) }
        return limits
    }

    package init(
        wallClock: TimeSpan, cpuTime: TimeSpan?, memory: ByteCount, disk: ByteCount = LimitsProfile.modern.disk,
        grace: TimeSpan, stall: TimeSpan? = nil, declared: Keys = []
    ) {
        self.wallClock = wallClock
        self.cpuTime = cpuTime
        self.memory = memory
        self.disk = disk
        self.grace = grace
        self.stall = stall
        self.declared = declared
    }

    /// Keys of `budget` in a manifest.
    package struct Keys: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let wallClock = Keys(rawValue: 1 << 0)
        package static let cpuTime = Keys(rawValue: 1 << 1)
        package static let memory = Keys(rawValue: 1 << 2)
        package static let grace = Keys(rawValue: 1 << 3)
        package static let stall = Keys(rawValue: 1 << 4)
        package static let disk = Keys(rawValue: 1 << 5)
    }

    /// 5 s, or a fifth of a wall-clock budget shorter than 25 s.
    package static func defaultGrace(for wallClock: TimeSpan) -> TimeSpan {
        min(.seconds(5), TimeSpan(nanoseconds: wallClock.nanoseconds / 5))
    }
    /// Of a run whose lease is lost, whatever its manifest says: another host may begin soon.
    package static let longestLeaseGrace = TimeSpan.seconds(5)
    /// 256 MiB: roomy for a Swift handler with Foundation, small enough that a leak is caught.
    package static let defaultMemory = ByteCount.mebibytes(256)
}
