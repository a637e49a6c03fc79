import TaskModel

/// The result of `cancel(byProducingResumeData:)`: opaque to the application. It names a file of its own application, so
/// that a forged one leads nowhere else.
struct ResumeData {
    var transfer: Int64
    var url: String
    var received: Int64
    var validator: String
}

extension ResumeData {
    private static let magic = "taskhost.resume/1"

    /// nil: it is none.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 5, lines[0] == Self.magic, let transfer = Int64(lines[1]), let received = Int64(lines[2]),
            // It goes into a header.
            !HTTPHeader("If-Range", String(lines[3])).isBroken
        else { return nil }
        self.init(
            transfer: transfer, url: String(lines[4]), received: received, validator: String(lines[3]))
    }

    /// Lines: neither a URL nor a validator has any end of a line.
    var bytes: [UInt8] {
        Array([Self.magic, "\(transfer)", "\(received)", validator, url].joined(separator: "\n").utf8)
    }
}
