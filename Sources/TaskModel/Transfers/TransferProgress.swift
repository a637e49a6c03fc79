/// A transfer's recorded progress: what another attempt needs to continue.
package struct TransferProgress: Sendable, Equatable {
    /// Attempts that were begun.
    package var attempts: UInt32 = 0
    /// Of the newest answer; 0: none.
    package var status: UInt16 = 0
    /// Bytes of the body that are in the file, or that the server has.
    package var received: Int64 = 0
    package var sent: Int64 = 0
    /// How many of the received bytes are certain to be on disk (fdatasync), which counts after a power failure.
    package var durable: Int64 = 0
    /// Of the whole body; nil: unknown.
    package var total: Int64?
    /// A strong ETag with its quotes, or a date of Last-Modified: guards a Range (RFC 9110 13.1.5). Empty: none, restart.
    package var validator = ""
    /// Where a resumable upload continues; empty: it has not begun, or is not resumable.
    package var uploadLocation = ""
    /// Of an upload: its file as the first attempt found it; nil: there was none yet.
    package var source: UploadSource?
    /// After redirects; empty: the request's own.
    package var url = ""
    /// The address that the newest attempt was connected to, such as `192.0.2.7:443`; empty: none.
    package var address = ""
    /// The error of the newest attempt, for display; empty: none.
    package var lastFault = ""
    /// Not before, after a failed attempt; nil: whenever it may.
    package var nextTry: Timestamp?

    package init() {}
}
