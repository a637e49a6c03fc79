/// The kind of a frame. One SEQPACKET message is one frame: a 16-byte header and a body.
package enum FrameKind: UInt8, Sendable {
    // host to worker
    case task = 1
    case start = 2
    case expire = 3
    case stateChanged = 4
    case terminate = 5
    /// Background time is about to end.
    case expireAssertions = 6
    case submitted = 7
    case pendingList = 8
    /// Granted names have other addresses now.
    case hosts = 9
    /// The run's budget ends at another time: monotonic nanoseconds.
    case deadline = 10
    /// Asks for the resources that its code has taken and not returned (`taskhost check`).
    case census = 11
    case sessionOpened = 12
    case transferEvent = 13
    /// The application is to handle a background session's events.
    case sessionEvents = 14
    /// The machine's network, for a worker that watches it.
    case network = 15
    // worker to host
    /// The library is mapped and the application launched: it takes runs. Once a worker.
    case ready = 32
    /// It cannot serve, with the reason. Once a worker, instead of `confined` or `ready`.
    case refused = 33
    case completed = 34
    case unreported = 35
    case progress = 36
    case log = 37
    case diagnostic = 38
    /// The run cannot be started here, with the reason.
    case declined = 39
    /// What confinement it has: the first frame of a worker, sent before any code of a plugin is mapped. Once a worker.
    case confined = 40
    case submitRequest = 41
    case cancelRequests = 42
    case pendingRequests = 43
    case misuse = 44
    case title = 45
    /// A notification for the application's user.
    case notification = 47
    /// A signal ends it: its report, once without and once with frames.
    case crashing = 48
    /// The answer to `census`.
    case counted = 49
    /// The application's callbacks have returned for the state of that number, which travels in the place of a run.
    case returned = 50
    case assertionBegan = 51
    case assertionEnded = 52
    case fetchInterval = 53
    // background sessions
    case openSession = 54
    case createTransfer = 55
    case changeTransfer = 56
    case answerTransfer = 57
    case acknowledgeTransfer = 58
    case sessionCommand = 59
    case setAuthorization = 60
    /// The completion handler of `sessionEvents` was called.
    case sessionHandled = 61
    /// Confinement refused a run's program something.
    case denied = 62
    /// Asks for `network`, now and after each change.
    case watchNetwork = 63
    // host to zygote
    case launch = 64
    case preload = 65
    /// Folders that applications may write.
    case writable = 66
    // zygote to host
    case launched = 96
    case launchFailed = 97
    case exited = 98
    // host to transfer process: any number of frames in one message
    /// Each comes with descriptors of the file to write, the folder that contains it, and the file to upload.
    case transferOrder = 128
    case stopTransfer = 129
    case transferRate = 130
    case observeTransfer = 131
    // transfer process to host: any number of frames in one message
    case transferAnswered = 160
    case transferProgress = 161
    case transferDurable = 162
    case uploadCreated = 163
    case transferEnded = 164
    /// It cannot serve, with the reason; it then ends.
    case transferRefused = 165
    case transferWhole = 166
    case transferInformed = 167
}
