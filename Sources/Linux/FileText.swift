import CLinux
import Glibc

/// Reads and writes the small text files of `/proc` and `/sys`, where one call is one consistent snapshot or one command.
package enum FileText {
    /// The whole file as text; bytes that are not UTF-8 are replaced.
    ///
    /// - Parameter limit: a longer file is refused with `EFBIG`, so that no file can fill the memory.
    package static func read(_ path: String, limit: Int = 64 << 10) throws(SystemError) -> String {
        try text(of: Descriptor.open(path, .O_RDONLY), limit: limit, naming: path)
    }

    /// The whole file `name` in an open folder (`O_PATH` will do).
    package static func read(at folder: Int32, _ name: String, limit: Int = 64 << 10) throws(SystemError) -> String {
        try text(of: open(at: folder, name, .O_RDONLY), limit: limit, naming: name)
    }

    private static func text(of file: borrowing Descriptor, limit: Int, naming name: String) throws(SystemError)
        -> String
    {
        String(decoding: try FileSystem.read(file, limit: limit, naming: name), as: UTF8.self)
    }

    /// Opens `name` in an open folder with `O_CLOEXEC`.
    package static func open(at folder: Int32, _ name: String, _ flags: OpenFlags) throws(SystemError) -> Descriptor {
        unsafe Descriptor(adopting: try check(clinux_openat(folder, name, flags.rawValue, 0), "open", name))
    }

    /// Writes `text` with a single call: the files of `/sys/fs/cgroup` take each write as a separate command.
    package static func write(_ text: String, at folder: Int32, _ name: String) throws(SystemError) {
        let file = try open(at: folder, name, .O_WRONLY)
        try write(text, to: file.number, naming: name)
    }

    /// Writes `text` with a single call to an open file.
    package static func write(_ text: String, to file: Int32, naming name: String = "") throws(SystemError) {
        var text = text
        _ = try Descriptor.count("write", name) { text.withUTF8 { unsafe Glibc.write(file, $0.baseAddress, $0.count) } }
    }

    /// How many bytes `withStart` lends at most: a file that gives fewer is lent whole.
    static let startLength = 512

    /// Lends the first 512 bytes of an open file, read from its start. Allocates nothing: it serves meters that are
    /// read many times a second.
    ///
    /// - Returns: what `body` returns; nil when the file cannot be read, such as that of a removed cgroup.
    package static func withStart<R>(of file: Int32, _ body: (Span<UInt8>) -> R?) -> R? {
        unsafe withUnsafeTemporaryAllocation(byteCount: startLength, alignment: 8) { buffer in
            while true {
                let count = unsafe pread(file, buffer.baseAddress, buffer.count, 0)
                if count >= 0 {
                    let bytes = unsafe UnsafeRawBufferPointer(start: buffer.baseAddress, count: count)
                    return unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
                }
                if errno != EINTR { return nil }
            }
        }
    }

    /// The number after blanks at `at`, which may be negative; moves `at` behind it. nil: there is none, or something else than a
    /// blank or the end follows.
    static func number(in text: Span<UInt8>, _ at: inout Int) -> Int64? {
        while at < text.count && text[at] == UInt8(ascii: " ") { at += 1 }
        let isNegative = at < text.count && text[at] == UInt8(ascii: "-")
        if isNegative { at += 1 }
        let start = at
        var value: Int64 = 0
        while at < text.count {
            let digit = text[at] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            value = value &* 10 &+ Int64(digit)
            at += 1
        }
        guard at > start, at == text.count || text[at] <= UInt8(ascii: " ") else { return nil }
        return isNegative ? 0 &- value : value
    }
}
