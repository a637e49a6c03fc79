import CLinux
import Glibc

// Calls on open descriptors, with spans for buffers. A descriptor that is not open is a fault of our own: it ends the process.
extension Descriptor {
    /// A file in memory, without a name in any folder, with these bytes.
    ///
    /// - Parameter name: what /proc shows.
    package static func inMemory(_ name: String, _ bytes: [UInt8] = []) throws(SystemError) -> Descriptor {
        let file = unsafe Descriptor(adopting: try check(clinux_memfd(name), "memfd_create", name))
        if !bytes.isEmpty { try FileSystem.write(bytes, to: file, naming: name) }
        return file
    }

    /// Reads what is there, to the beginning of `room`; 0 at the end.
    package borrowing func read(into room: inout [UInt8]) throws(SystemError) -> Int {
        try Self.count("read") {
            unsafe room.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
        }
    }

    /// The same from `offset`; the descriptor's own offset stays.
    package borrowing func read(
        into room: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        try Self.count("read") { unsafe pread(number, room.baseAddress, room.count, off_t(offset)) }
    }

    /// The bytes from `offset` on that one call gives.
    package borrowing func read(_ most: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
        let number = number
        return try unsafe Self.bytes("read", most: most) { unsafe pread(number, $0, most, off_t(offset)) }
    }

    /// The bytes from `offset` on, fewer than `most` only where the file ends; of a descriptor that is lent.
    package static func read(from number: Int32, _ most: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let rest = most - all.count
            let place = off_t(offset) + all.count
            let part = try unsafe bytes("read", most: rest) { unsafe pread(number, $0, rest, place) }
            if all.isEmpty { all = part } else { all += part }
            if part.isEmpty || all.count == most { return all }
        }
    }

    /// The next bytes, `most` at most; none at the end.
    package borrowing func read(_ most: Int) throws(SystemError) -> [UInt8] {
        try Self.read(from: number, most)
    }

    /// The same of one that is lent.
    package static func read(from number: Int32, _ most: Int) throws(SystemError) -> [UInt8] {
        try unsafe bytes("read", most: most) { unsafe Glibc.read(number, $0, most) }
    }

    /// Writes with one `pwrite`.
    ///
    /// - Returns: how many bytes were written, at times fewer than there are.
    package borrowing func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
        try Self.count("write") { unsafe pwrite(number, bytes.baseAddress, bytes.count, off_t(offset)) }
    }

    /// The same for an array.
    package borrowing func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) -> Int {
        try Self.count("write") {
            unsafe bytes.withUnsafeBytes { unsafe pwrite(number, $0.baseAddress, $0.count, off_t(offset)) }
        }
    }

    /// Writes as much as a pipe or file takes now; returns how much. `EAGAIN`: nothing at present.
    package static func write(_ bytes: ArraySlice<UInt8>, to number: Int32) throws(SystemError) -> Int {
        try count("write") {
            unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
        }
    }

    /// Takes blocks for all of the file up to `length`; `ENOSPC` where there are none.
    package borrowing func allocate(_ length: Int64) throws(SystemError) {
        let code = posix_fallocate(number, 0, off_t(length))
        guard code == 0 else { throw SystemError("fallocate", code: code) }
    }

    /// Bytes that it takes on the disk.
    package borrowing func allocated() throws(SystemError) -> Int64 {
        var facts = stat()
        _ = try Self.count("fstat") { unsafe Int(fstat(number, &facts)) }
        return Int64(facts.st_blocks) * 512
    }

    package borrowing func setLength(_ length: Int64) throws(SystemError) {
        _ = try Self.count("ftruncate") { Int(ftruncate(number, off_t(length))) }
    }

    /// To its first byte.
    package borrowing func rewind() throws(SystemError) {
        _ = try Self.count("lseek") { Int(lseek(number, 0, SEEK_SET)) }
    }

    /// When it returns, everything written is on the disk.
    package borrowing func sync() throws(SystemError) { _ = try Self.count("fsync") { Int(fsync(number)) } }

    /// The same without metadata such as times.
    package borrowing func syncContent() throws(SystemError) {
        _ = try Self.count("fdatasync") { Int(fdatasync(number)) }
    }

    /// The same for all that was written to its file system; not for an `O_PATH` descriptor.
    package borrowing func syncFileSystem() throws(SystemError) { try check(clinux_sync_file_system(number), "syncfs") }

    /// Waits for writes that have begun, and begins none.
    ///
    /// - Throws: the error of a write of this file that was not reported to this descriptor yet (fsync(2)).
    package borrowing func checkWrites() throws(SystemError) {
        try check(clinux_check_writes(number), "sync_file_range")
    }

    package borrowing func makeNonblocking() throws(SystemError) {
        try check(clinux_make_nonblocking(number), "fcntl(O_NONBLOCK)")
    }

    /// The kinds of readiness.
    package enum Readiness: Sendable {
        case readable, writable

        /// As poll(2) has them.
        package var events: Int32 { Int32(self == .readable ? POLLIN : POLLOUT) }
    }

    /// Waits for at most this many milliseconds; nil: without limit. False: nothing happened. An end of file, a hang-up and
    /// an error count as readiness: the next call shows which.
    package borrowing func isReady(_ readiness: Readiness, within milliseconds: Int32? = 0) -> Bool {
        Self.isReady(number, readiness, within: milliseconds)
    }

    /// The same for one that is lent.
    package static func isReady(_ number: Int32, _ readiness: Readiness, within milliseconds: Int32? = 0) -> Bool {
        var place = pollfd(fd: number, events: Int16(readiness.events), revents: 0)
        while true {
            let count = unsafe poll(&place, 1, milliseconds ?? -1)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
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
        let count = unsafe poll(&places, nfds_t(places.count), milliseconds ?? -1)
        return count == 0 ? nil : count < 0 ? [] : places.filter { $0.revents != 0 }.map(\.fd)
    }

    /// Calls until it was not interrupted.
    ///
    /// - Parameters:
    ///   - object: of the call, for the error.
    ///   - isOurs: a descriptor of ours is open: `EBADF` ends the process.
    @inline(__always)
    static func count(
        _ name: String, _ object: @autoclosure () -> String = "", isOurs: Bool = true, _ call: () -> Int
    ) throws(SystemError) -> Int {
        while true {
            let count = call()
            let code = count < 0 ? errno : 0
            if count >= 0 { return count }
            if code == EINTR { continue }
            if code == EBADF && isOurs { isNotOpen(name) }
            throw SystemError(name, code: Errno(code), object: object())
        }
    }

    /// As many bytes as the call fills of `most`.
    static func bytes(
        _ name: String, _ object: @autoclosure () -> String = "", isOurs: Bool = true, most: Int,
        _ call: (UnsafeMutableRawPointer?) -> Int
    ) throws(SystemError) -> [UInt8] {
        var fault: SystemError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: most) { room, filled in
            do throws(SystemError) {
                filled = try count(name, object(), isOurs: isOurs) {
                    unsafe call(UnsafeMutableRawPointer(room.baseAddress))
                }
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
        return bytes
    }
}
