package import TaskModel

/// How many transfers run at once, and how soon failed ones are tried again.
package struct TransferLimits: Sendable, Equatable {
    /// Transfers that run at once, in all.
    package var concurrency = 16
    /// Of one application.
    package var perApplication = 16
    /// Downloads below so many bytes a second, over so long, give their place up while another application waits for one;
    /// 0: none does.
    package var slowest: Int64 = 1024
    package var slowSpan = TimeSpan.seconds(60)
    /// How long such a one rests, unless a place is free that nobody else wants.
    package var rest = TimeSpan.minutes(1)
    /// Connections of one session to one server, also when its configuration allows more.
    package var perHost = 6
    /// Bytes a second of all together, and of one application; 0: no bound.
    package var rate: Int64 = 0
    package var applicationRate: Int64 = 0
    /// After the first failed attempt; twice as long after each further one, with a quarter more or less, until `longestPause`.
    package var firstPause = TimeSpan.seconds(1)
    package var longestPause = TimeSpan.minutes(15)
    /// The delay of a transfer that an application starts in the background after it was woken once; doubled with each wake.
    package var firstDelay = TimeSpan.seconds(60)
    /// It is not doubled beyond this.
    package var longestDelay = TimeSpan.minutes(240)
    /// Free space below which none that writes is begun.
    package var diskFloor: Int64 = 0

    package init() {}

    /// Places of one application: where there are some, one is kept for others.
    package var share: Int { concurrency < 4 ? perApplication : min(perApplication, concurrency - 1) }
}
