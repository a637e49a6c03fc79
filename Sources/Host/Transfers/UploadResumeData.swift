import Linux
import TaskModel

/// What `cancel(byProducingResumeData:)` of an upload gives an application: where the server takes the rest, and the file that it
/// has a part of. A forged one leads where a redirect of its application might.
struct UploadResumeData {
    var url: String
    var location: String
    var size: UInt64
    /// Nanoseconds since 1970.
    var modified: Int64
    var inode: UInt64

    init(url: String, location: String, file: FileSystem.Facts) {
        self.url = url
        self.location = location
        (size, modified, inode) = (file.size, file.modified, file.inode)
    }

    private static let magic = "taskhost.resume-upload/1"

    /// nil: it is none.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 6, lines[0] == Self.magic, let size = UInt64(lines[1]), let modified = Int64(lines[2]),
            let inode = UInt64(lines[3])
        else { return nil }
        (self.size, self.modified, self.inode) = (size, modified, inode)
        (location, url) = (String(lines[4]), String(lines[5]))
    }

    /// Lines: no URL has any end of a line.
    var bytes: [UInt8] {
        Array([Self.magic, "\(size)", "\(modified)", "\(inode)", location, url].joined(separator: "\n").utf8)
    }

    /// Whether it belongs to that request, and the file has not changed.
    func fits(_ request: TransferRequest, _ file: FileSystem.Facts) -> Bool {
        url == request.url && size == file.size && modified == file.modified && inode == file.inode
    }
}
