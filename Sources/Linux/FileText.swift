import CLinux
import Glibc

/// Reads and writes the small text files of `/proc` and `/sys`, where one call is one consistent snapshot or one command.
package enum FileText {
    /// The whole file as text; bytes that are no UTF-8 are replaced.
    ///
    /// - Parameter limit: a longer file is refused with `EFBIG`, so that no file can fill the memory.
    package static func read(_ path: String, limit: Int = 64 << 10) throws(SystemError) -> String {
        try read(Descriptor.open(path, .O_RDONLY), limit: limit, naming: path)
    }

    /// The whole file `name` in an open folder (`O_PATH` will do).
    package static func read(at folder: Int32, _ name: String, limit: Int = 64 << 10) throws(SystemError) -> String {
        try read(open(at: folder, name, .O_RDONLY), limit: limit, naming: name)
    }

    /// Opens `name` in an open folder with `O_CLOEXEC`.
    package static func open(at folder: Int32, _ name: String, _ flags: OpenFlags) throws(SystemError) -> Descriptor {
        Descriptor(adopting: try check(clinux_openat(folder, name, flags.rawValue, 0), "open", name))
    }

    /// Writes `text` with a single call: the files of `/sys/fs/cgroup` take each write for a command of its own.
    package static func write(_ text: String, at folder: Int32, _ name: String) throws(SystemError) {
        let file = try open(at: folder, name, .O_WRONLY)
        try write(text, to: file.number, naming: name)
    }

    /// Writes `text` with a single call to an open file.
    package static func write(_ text: String, to file: Int32, naming name: String = "") throws(SystemError) {
        var text = text
        // errno is read inside the closure: nothing may run between the call and it.
        let code: Int32 = text.withUTF8 { bytes in
            while true {
                if Glibc.write(file, bytes.baseAddress, bytes.count) >= 0 { return 0 }
                if errno != EINTR { return errno }
            }
        }
        guard code == 0 else { throw SystemError("write", code: code, object: name) }
    }

    /// Lends the first 512 bytes of an open file, read from its start. Allocates nothing: it serves meters that are
    /// read many times a second.
    ///
    /// - Returns: what `body` returns; nil when the file cannot be read, such as that of a removed cgroup.
    package static func withStart<R>(of file: Int32, _ body: (Span<UInt8>) -> R?) -> R? {
        withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { buffer in
            while true {
                let count = pread(file, buffer.baseAddress, buffer.count, 0)
                if count >= 0 {
                    let bytes = UnsafeRawBufferPointer(start: buffer.baseAddress, count: count)
                    return bytes.withMemoryRebound(to: UInt8.self) { body($0.span) }
                }
                if errno != EINTR { return nil }
            }
        }
    }

    private static func read(_ file: consuming Descriptor, limit: Int, naming name: String) throws(SystemError)
        -> String
    {
        var bytes: [UInt8] = []
        let number = file.number
        while true {
            var code: Int32 = 0
            let start = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: 4096))
            let count = bytes.withUnsafeMutableBytes { buffer in
                let count = Glibc.read(number, buffer.baseAddress.map { $0 + start }, 4096)
                code = errno
                return count
            }
            bytes.removeLast(4096 - max(0, count))
            if count == 0 { break }
            if count < 0 && code != EINTR { throw SystemError("read", code: code, object: name) }
            if bytes.count > limit { throw SystemError("read", code: EFBIG, object: name) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
