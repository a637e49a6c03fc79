import Foundation

/// Files that are replaced in one piece: a reader finds the old bytes or the new, also after the process or the machine has died.
package enum ReplacedFile {
    /// Writes the bytes beside the file, and puts them in its place. Whoever calls has a lock: there is one such file beside it.
    /// - Parameters:
    ///   - path: of the file, which only its owner may read and write.
    ///   - new: the path beside it.
    /// - Throws: the kernel's error; the file is as it was.
    package static func write(_ bytes: Data, to path: String, beside new: String) throws {
        // Left by a process that was killed.
        unsafe unlink(new)
        let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(code) }
        defer { close(descriptor) }
        do {
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: bytes)
            guard fdatasync(descriptor) == 0, unsafe rename(new, path) == 0 else { throw POSIXError(code) }
        } catch {
            unsafe unlink(new)
            throw error
        }
    }

    private static var code: POSIXErrorCode { POSIXErrorCode(rawValue: errno) ?? .EIO }
}
