import CLinux
import Glibc

// Calls on open descriptors, with spans for buffers. A descriptor that is not open is a fault of our own: it ends the process.
extension Descriptor {
    /// Reads what is there, to the beginning of `room`; 0 at the end.
    package borrowing func read(into room: inout MutableRawSpan) throws(SystemError) -> Int {
        try Self.count("read") { room.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) } }
    }

    package borrowing func read(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        try Self.count("read") { Glibc.read(number, room.baseAddress, room.count) }
    }

    /// Reads from `offset`; the descriptor's own offset stays.
    package borrowing func read(into room: inout MutableRawSpan, at offset: Int64) throws(SystemError) -> Int {
        try Self.count("read") {
            room.withUnsafeMutableBytes { pread(number, $0.baseAddress, $0.count, off_t(offset)) }
        }
    }

    package borrowing func read(
        into room: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        try Self.read(from: number, into: room, at: offset)
    }

    /// The same of one that is lent.
    package static func read(
        from number: Int32, into room: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        try count("read") { pread(number, room.baseAddress, room.count, off_t(offset)) }
    }

    /// Reads from `offset` until the buffer is full or the file ends; of a descriptor that is lent.
    package static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from number: Int32, at offset: Int64
    ) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let part = try count("read") { pread(number, rest.baseAddress, rest.count, off_t(offset) + filled) }
            if part == 0 { break }
            filled += part
        }
        return filled
    }

    /// The next bytes, `most` at most; none at the end.
    package borrowing func read(_ most: Int) throws(SystemError) -> [UInt8] {
        try Self.read(from: number, most)
    }

    /// The same of one that is lent.
    package static func read(from number: Int32, _ most: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let read = try count("read") { bytes.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, most) } }
        bytes.removeLast(most - read)
        return bytes
    }

    /// Writes as much as is taken at once.
    package borrowing func write(_ bytes: RawSpan) throws(SystemError) -> Int {
        try Self.count("write") { bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) } }
    }

    /// The same at `offset`.
    package borrowing func write(_ bytes: RawSpan, at offset: Int64) throws(SystemError) -> Int {
        try Self.count("write") { bytes.withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, off_t(offset)) } }
    }

    /// Takes blocks for all of the file up to `length`; `ENOSPC` where there are none.
    package borrowing func allocate(_ length: Int64) throws(SystemError) {
        let code = posix_fallocate(number, 0, off_t(length))
        guard code == 0 else { throw SystemError("fallocate", code: code) }
    }

    /// Bytes that it takes on the disk.
    package borrowing func allocated() throws(SystemError) -> Int64 {
        var facts = stat()
        _ = try Self.count("fstat") { Int(fstat(number, &facts)) }
        return Int64(facts.st_blocks) * 512
    }

    package borrowing func setLength(_ length: Int64) throws(SystemError) {
        _ = try Self.count("ftruncate") { Int(ftruncate(number, off_t(length))) }
    }

    /// To its first byte.
    package borrowing func rewind() throws(SystemError) {
        _ = try Self.count("lseek") { Int(lseek(number, 0, SEEK_SET)) }
    }

    /// What was written is on the disk when it returns.
    package borrowing func sync() throws(SystemError) { _ = try Self.count("fsync") { Int(fsync(number)) } }

    /// The same but for what is only said of the file, such as its times.
    package borrowing func syncContent() throws(SystemError) {
        _ = try Self.count("fdatasync") { Int(fdatasync(number)) }
    }

    /// The same for all that was written to its file system; not for an `O_PATH` descriptor.
    package borrowing func syncFileSystem() throws(SystemError) { try check(clinux_sync_file_system(number), "syncfs") }

    package borrowing func makeNonblocking() throws(SystemError) {
        try check(clinux_make_nonblocking(number), "fcntl(O_NONBLOCK)")
    }

    /// What a descriptor can be waited for.
    package enum Readiness: Sendable {
        case readable, writable

        /// As poll(2) has them.
        package var events: Int32 { Int32(self == .readable ? POLLIN : POLLOUT) }
    }

    /// Waits at most so long, in milliseconds; nil: without end. False: nothing happened meanwhile. An end of file, a hang-up
    /// and an error count as readiness: the next call tells.
    package borrowing func isReady(_ readiness: Readiness, within milliseconds: Int32? = 0) -> Bool {
        Self.isReady(number, readiness, within: milliseconds)
    }

    /// The same for one that is lent.
    package static func isReady(_ number: Int32, _ readiness: Readiness, within milliseconds: Int32? = 0) -> Bool {
        var place = pollfd(fd: number, events: Int16(readiness.events), revents: 0)
        while true {
            let count = poll(&place, 1, milliseconds ?? -1)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }

    /// Waits until one of two that are lent is readable, and tells which are; neither: it was interrupted.
    package static func waitForAny(_ first: Int32, _ second: Int32) -> (first: Bool, second: Bool) {
        var places = (
            pollfd(fd: first, events: Int16(POLLIN), revents: 0), pollfd(fd: second, events: Int16(POLLIN), revents: 0)
        )
        let count = withUnsafeMutableBytes(of: &places) {
            poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, -1)
        }
        return count > 0 ? (places.0.revents != 0, places.1.revents != 0) : (false, false)
    }

    /// Waits for several that are lent, in milliseconds; nil: without end.
    ///
    /// - Parameter writable: may be one of them; it is waited for in both directions then.
    /// - Returns: those that something happened to, none when a signal came; nil when the time is over.
    package static func ready(
        _ numbers: [Int32], writable: Int32? = nil, within milliseconds: Int32? = nil
    ) -> [Int32]? {
        var places = numbers.map {
            pollfd(fd: $0, events: Int16($0 == writable ? POLLIN | POLLOUT : POLLIN), revents: 0)
        }
        let count = poll(&places, nfds_t(places.count), milliseconds ?? -1)
        return count == 0 ? nil : count < 0 ? [] : places.filter { $0.revents != 0 }.map(\.fd)
    }

    /// Calls until it was not interrupted.
    @inline(__always)
    static func count(_ name: String, _ call: () -> Int) throws(SystemError) -> Int {
        while true {
            let count = call()
            let code = count < 0 ? errno : 0
            if count >= 0 { return count }
            if code == EINTR { continue }
            throw SystemError(name, code: code)
        }
    }
}
