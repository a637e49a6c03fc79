/// How far a transfer is, as it is remembered: what another attempt needs to go on.
package struct TransferProgress: Sendable, Equatable {
    /// Attempts that were begun.
    package var attempts: UInt32 = 0
    /// Bytes of the body that are in the file, or that the server has.
    package var received: Int64 = 0
    package var sent: Int64 = 0
    /// Of those received, so many are on disk for certain (fdatasync): what counts after the power failed.
    package var durable: Int64 = 0
    /// Of the whole body; nil: nobody has said.
    package var total: Int64?
    /// A strong ETag with its quotes, or a date of Last-Modified: guards a Range (RFC 9110 13.1.5). Empty: none, begin anew.
    package var validator = ""
    /// Where a resumable upload goes on; empty: it has not begun, or is none.
    package var uploadLocation = ""
    /// Of an upload: its file as the first attempt found it; nil: there was none yet.
    package var source: UploadSource?
    /// After redirects; empty: the request's own.
    package var url = ""
    /// Of the newest answer; 0: none.
    package var status: UInt16 = 0
    /// The address that the newest attempt was connected to, such as `192.0.2.7:443`; empty: none.
    package var address = ""
    /// What ended the newest attempt, for people; empty: nothing did.
    package var lastFault = ""
    /// Not before, after a failed attempt; nil: whenever it may.
    package var nextTry: Timestamp?

    package init() {}
}
