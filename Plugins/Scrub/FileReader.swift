import Glibc

/// Reads files and makes their checksums, one at a time, through one buffer.
final class FileReader {
    /// A file as it was when it was read.
    struct Fingerprint: Equatable {
        var size: Int64
        /// Modification time in nanoseconds since 1970.
        var modified: Int64
    }

    /// A file left in the middle: the run expired. Taken up again when the file is still the same.
    struct Partial {
        var fingerprint: Fingerprint
        /// `SHA256.saved`.
        var state: [UInt8]
    }

    enum Reading {
        case whole(Fingerprint, checksum: [UInt8])
        case stopped(Partial)
        /// Somebody wrote to it meanwhile, or it is gone: nothing can be said of it this time.
        case changing
        case unreadable(Int32)
    }

    /// Between two looks at the clock: a slow disk reads this much in a few milliseconds.
    private static let chunk = 256 * 1024
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 64)

    deinit {
        buffer.deallocate()
    }

    /// Reads `name` in `folder`, from where `partial` was left if it fits the file.
    func read(_ name: [UInt8], in folder: Int32, resuming partial: Partial?, until shouldStop: () -> Bool) -> Reading {
        // Non-blocking: a pipe put in the file's place since the walk saw it must not hold the run up.
        let descriptor = name.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { name in
                name.baseAddress.map { openat(folder, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
                    ?? -1
            }
        }
        guard descriptor >= 0 else { return errno == ENOENT ? .changing : .unreadable(errno) }
        defer { close(descriptor) }
        guard let before = Self.fingerprint(of: descriptor) else { return .changing }

        var hash = SHA256()
        if let partial, partial.fingerprint == before, let resumed = SHA256(resuming: partial.state) { hash = resumed }
        while true {
            if shouldStop() { return .stopped(Partial(fingerprint: before, state: hash.saved)) }
            let count = fill(from: descriptor, at: off_t(hash.length))
            guard count >= 0 else { return .unreadable(errno) }
            let whole = count - count % SHA256.blockSize
            if count == buffer.count {
                hash.update(blocks: UnsafeRawBufferPointer(buffer))
                continue
            }
            hash.update(blocks: UnsafeRawBufferPointer(rebasing: buffer[..<whole]))
            let checksum = hash.finished(tail: UnsafeRawBufferPointer(rebasing: buffer[whole..<count]))
            // A write between the two looks may have been read in part: that is a change, no rot.
            guard Self.fingerprint(of: descriptor) == before else { return .changing }
            return .whole(before, checksum: checksum)
        }
    }

    /// Fills the buffer as far as the file goes; -1 and `errno` when that fails.
    private func fill(from descriptor: Int32, at offset: off_t) -> Int {
        var count = 0
        while count < buffer.count {
            let read = pread(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count, offset + count)
            if read < 0 && errno == EINTR { continue }
            guard read >= 0 else { return -1 }
            guard read > 0 else { break }
            count += read
        }
        return count
    }

    /// Nil when it is no regular file.
    private static func fingerprint(of descriptor: Int32) -> Fingerprint? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        // Wrapping: a file system may hold any number of seconds.
        let modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        return Fingerprint(size: Int64(status.st_size), modified: modified)
    }
}
