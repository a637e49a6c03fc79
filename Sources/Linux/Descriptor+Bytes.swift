import Glibc

// Calls on open descriptors, with spans for buffers. A descriptor that is not open is a fault of our own: it ends the process.
extension Descriptor {
    /// Reads what is there, to the beginning of `room`; 0 at the end.
    package borrowing func read(into room: inout MutableRawSpan) throws(SystemError) -> Int {
        try Self.count("read") { room.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) } }
    }

    /// Reads from `offset`; the descriptor's own offset stays.
    package borrowing func read(into room: inout MutableRawSpan, at offset: Int64) throws(SystemError) -> Int {
        try Self.count("read") {
            room.withUnsafeMutableBytes { pread(number, $0.baseAddress, $0.count, off_t(offset)) }
        }
    }

    /// The next bytes, `most` at most; none at the end.
    package borrowing func read(_ most: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        var room = bytes.mutableSpan
        var raw = room.mutableBytes
        let count = try read(into: &raw)
        bytes.removeLast(most - count)
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

    package borrowing func setLength(_ length: Int64) throws(SystemError) {
        _ = try Self.count("ftruncate") { Int(ftruncate(number, off_t(length))) }
    }

    /// To its first byte.
    package borrowing func rewind() throws(SystemError) {
        _ = try Self.count("lseek") { Int(lseek(number, 0, SEEK_SET)) }
    }

    /// What was written is on the disk when it returns.
    package borrowing func sync() throws(SystemError) { _ = try Self.count("fsync") { Int(fsync(number)) } }

    /// What a descriptor can be waited for.
    package enum Readiness: Sendable {
        case readable, writable
    }

    /// Waits at most so long, in milliseconds; nil: without end. False: nothing happened meanwhile. An end of file, a hang-up
    /// and an error count as readiness: the next call tells.
    package borrowing func isReady(_ readiness: Readiness, within milliseconds: Int32? = 0) -> Bool {
        Self.isReady(number, readiness, within: milliseconds)
    }

    /// The same for one that is lent.
    package static func isReady(_ number: Int32, _ readiness: Readiness, within milliseconds: Int32? = 0) -> Bool {
        var place = pollfd(fd: number, events: Int16(readiness == .readable ? POLLIN : POLLOUT), revents: 0)
        while true {
            let count = poll(&place, 1, milliseconds ?? -1)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }

    /// Calls until it was not interrupted.
    @inline(__always)
    private static func count(_ name: String, _ call: () -> Int) throws(SystemError) -> Int {
        while true {
            let count = call()
            let code = count < 0 ? errno : 0
            if count >= 0 { return count }
            if code == EINTR { continue }
            precondition(code != EBADF, "a descriptor is closed by its owner alone, when nobody uses it")
            throw SystemError(name, code: code)
        }
    }
}
