import Linux

/// How many descriptors the host may have, and what of them is for workers. Each worker takes some ten, each application's
/// library one, and a start opens hundreds: the usual soft limit of 1,024 was made for programs with select(2).
enum DescriptorLimit {
    /// The most that is requested: the default hard limit of systemd.
    private static let most: Int32 = 524_288
    /// Reserved for everything but workers: connections, the record, watches, files that are read for a moment.
    private static let reserve: Int32 = 128
    /// The most that a worker needs: its wire, its pipes and the files of its control group.
    private static let worker = 16
    /// Workers without runs that are kept in all: the applications that a machine of today uses in ten seconds.
    private static let mostIdle = 64

    /// Raises the soft limit as far as possible. Workers have their own limits, and zygotes lower theirs.
    ///
    /// - Returns: the present limit.
    static func raise() -> Int32 { ThisProcess.raiseDescriptorLimit(to: most) }

    /// The lowest number that no worker may take. The limit may be changed from outside at any time (prlimit(1)).
    static var forWorkers: Int32 {
        let limit = ThisProcess.descriptorLimit
        return limit - min(reserve, limit / 4)
    }

    /// How many workers without runs leave room for those that run.
    static func idleWorkers(of limit: Int32, concurrency: Int) -> Int {
        let room = (Int(limit) - Int(reserve)) / worker - concurrency
        return max(4, min(mostIdle, room))
    }
}
