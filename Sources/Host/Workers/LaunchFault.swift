import Linux
import TaskModel
import Workers

/// Why no worker could be launched.
struct LaunchFault: Error {
    var sentence: String
    /// The resource that the host or the machine lacked. nil: the fault of the manifest, its library, or a limit that this
    /// machine cannot enforce; another try would fail too.
    var shortage: Shortage?

    /// The manifest's or the library's doing.
    init(_ sentence: String) { self.sentence = sentence }

    /// The host's or the machine's doing.
    init(_ shortage: Shortage, _ sentence: String) {
        self.sentence = sentence
        self.shortage = shortage
    }

    /// A call of the host's own failed: it is never the manifest's doing.
    init(_ error: SystemError, _ what: String) {
        self.init(Shortage(code: error.code) ?? .host, "\(what): \(error)")
    }

    init(_ error: ControlGroupError, _ what: String) {
        var code = Errno(0)
        if case .failed(let failure) = error { code = failure.code }
        self.init(Shortage(code: code) ?? .host, "\(what): \(error)")
    }

    /// The error of a zygote or a worker with the errno of its failure (0: none): a lack of resources is temporary, all
    /// others would occur again.
    init(code: Int32, _ sentence: String) {
        self.sentence = sentence
        shortage = Shortage(code: Errno(code))
    }
}

extension Shortage {
    /// The resource that an errno reports as lacking; nil: not a temporary lack.
    init?(code: Errno) {
        switch code {
        // sendmsg(2): too many descriptors are on their way (ETOOMANYREFS).
        case .EMFILE, .ENFILE, .ETOOMANYREFS: self = .descriptors
        case .ENOMEM, .ENOBUFS: self = .memory
        case .EAGAIN: self = .processes
        case .EPIPE, .ECONNRESET, .ENOTCONN: self = .zygote
        case .ENOSPC, .EDQUOT, .EIO, .EINTR, .EBUSY, .ETXTBSY: self = .host
        default: return nil
        }
    }
}
