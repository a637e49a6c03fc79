package import TaskModel

/// One attempt of a transfer, as the host orders it from `taskhost-transfer`. The file to write, the folder that contains
/// it, and the file to upload accompany it as descriptors: that process opens none.
package struct TransferOrder: Sendable, Equatable {
    /// How an upload is made.
    package enum Upload: UInt8, Sendable, BitwiseCopyable {
        /// One request with the whole file.
        case plain = 1
        /// draft-ietf-httpbis-resumable-upload where the server offers it, else plain.
        case resumable = 2
        /// tus 1.0: the application's request has `Tus-Resumable`.
        case tus = 3
    }

    package var transfer: TransferHandle
    package var kind: TransferKind
    package var url: String
    package var method: String
    package var headers: [HTTPHeader] = []
    /// For a download: bytes that the file has already, guarded by `validator`. For an upload: its size is `total`.
    package var offset: Int64 = 0
    /// How many of these bytes are certain to be on disk.
    package var durable: Int64 = 0
    /// Of the answer that the bytes are from: what `answered` reported.
    package var validator = ""
    package var total: Int64?
    package var upload = Upload.plain
    /// Where a resumable upload continues, from `uploadCreated`; empty: it begins.
    package var uploadLocation = ""
    /// Bytes that the file may have at most.
    package var sizeLimit = Int64.max
    /// Bytes that may be written now: an attempt that needs more ends with a lack of space, before it writes if its need is
    /// known.
    package var room = Int64.max
    /// Bytes a second; 0: as fast as it goes.
    package var rate: Int64 = 0
    /// Without any byte for so long the attempt has failed.
    package var timeout = TimeSpan.seconds(60)
    package var priority: Float = 0.5
    /// Basic or digest; the user is empty: none.
    package var user = ""
    package var password = ""
    /// Where they apply, as a challenge named it (`place`); empty: the URL's own origin. No other server gets them.
    package var credentialsPlace = ""
    /// The password is a bearer token (RFC 6750), and there is no user.
    package var isToken = false
    /// A status of 401 or 407 is final, because there are no other credentials; otherwise it ends the attempt with
    /// `challenged`.
    package var acceptsChallenge = false
    /// `http://user:password@host:port`, the credentials if there are some; empty: none.
    package var proxy = ""
    /// PEM of a client certificate and of its key; empty: none. These, `authorities` and `pins` are for the host of `url`: another
    /// one that a redirect leads to gets no certificate, and is trusted as the system trusts it.
    package var certificate: [UInt8] = []
    package var key: [UInt8] = []
    /// PEM of the authorities that count instead of the system's; empty: the system's.
    package var authorities: [UInt8] = []
    /// `sha256/…` of public keys, one of which the server must have (RFC 7469), for hosts of that name; empty: any.
    package var pins: [String] = []
    /// Where it may connect: every redirect and every address is checked against them, as for workers.
    package var grants: [NetworkGrant] = []
    /// The digest that the whole file must have; empty: any.
    package var sha256: [UInt8] = []
    /// Progress is requested, about ten times a second.
    package var isObserved = false

    /// How `credentialsPlace` names a server: credentials that were requested over TLS are sent over TLS alone.
    package static func place(_ host: String, port: UInt16, isSecure: Bool) -> String {
        "\(isSecure ? "https" : "http")://\(host):\(port)"
    }

    package init(transfer: TransferHandle, kind: TransferKind, url: String, method: String) {
        self.transfer = transfer
        self.kind = kind
        self.url = url
        self.method = method
    }
}

/// What `taskhost-transfer` reports of an attempt. Each comes after those before it of the same transfer; after `ended`, which
/// comes exactly once for every order, there is none.
package enum TransferReport: Sendable, Equatable {
    /// Headers of a final answer, redirects and interim answers left out. `offset`: the body continues after this many bytes
    /// (206); 0: it is the whole body, and the file starts empty.
    case answered(TransferResponse, address: String, offset: Int64, total: Int64?, validator: String)
    /// Bytes of the body in the file, and bytes sent. Only with `isObserved`.
    case progress(received: Int64, sent: Int64)
    /// This many bytes of the file are certain to be on disk.
    case durable(received: Int64)
    /// The whole answer is in the file and is being synced: its connection is free for another attempt. The sync can still
    /// fail.
    case whole(received: Int64)
    /// The server keeps the upload there; empty: it has lost the upload, which restarts.
    case uploadCreated(location: String)
    /// An interim answer (1xx), 100 and 101 left out: at most `TransferLimit.interimAnswers` of an attempt.
    case informed(TransferResponse)
    case ended(TransferResult)
}

/// How an attempt ended.
package struct TransferResult: Sendable, Equatable {
    package enum Kind: UInt8, Sendable, BitwiseCopyable {
        /// The whole answer is there, and on disk with the folder's entry for it.
        case finished = 1
        /// Another attempt may do better.
        case interrupted = 2
        /// Another attempt would not.
        case failed = 3
        /// The server requires credentials (401, 407), described by `challenge`.
        case challenged = 4
        /// The host stopped it.
        case stopped = 5
        /// The file system is full.
        case noSpace = 6
    }

    package var kind: Kind
    /// With `interrupted` and `failed`.
    package var error: TransferError?
    /// For display.
    package var sentence = ""
    package var challenge: TransferChallenge?
    package var received: Int64 = 0
    package var sent: Int64 = 0
    /// `Retry-After` of the answer, in seconds; at most `TransferLimit.longestRetryAfter` once it is read from a frame.
    package var retryAfter: Int64?
    /// The file cannot be continued (another validator, a false length): restart.
    package var isFileUseless = false
    /// Of the last answer, also of one that is retried; 0: no server has answered.
    package var status: UInt16 = 0
    package var address = ""

    package init(_ kind: Kind, error: TransferError? = nil, sentence: String = "") {
        self.kind = kind
        self.error = error
        self.sentence = sentence
    }
}
