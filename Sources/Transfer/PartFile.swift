import Linux
import TaskModel
import Wire

/// The file of an attempt: how long it is, and how much of it is certain to be on the disk.
struct PartFile {
    let file: OpenFile
    let folder: OpenFile
    /// Bytes in it.
    private(set) var size: Int64
    private var checkpoint: Checkpoint
    private var standing: Durability

    /// One that has `size` bytes, of which a sync has reported `durable`.
    init(_ file: OpenFile, in folder: OpenFile, size: Int64, durable: Int64, at now: Instant) {
        self.file = file
        self.folder = folder
        self.size = size
        checkpoint = Checkpoint(size: size, at: now)
        standing = Durability(of: min(durable, size))
    }

    /// It has `offset` bytes from now on.
    mutating func cut(to offset: Int64, at now: Instant) throws(TransferFault) {
        standing.cut(to: offset)
        guard let present = FileSystem.facts(lent: file.number)?.size, Int64(present) != offset else {
            size = offset
            return
        }
        guard Int64(present) > offset, (try? file.descriptor.setLength(offset)) != nil else {
            throw TransferFault(
                .interrupted, .cannotWriteToFile, "the partial file cannot be continued; the download restarts",
                isFileUseless: true)
        }
        size = offset
        checkpoint = Checkpoint(size: offset, at: now)
    }

    /// Writes at its end. What was written before a fault counts.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(TransferFault) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
            do throws(SystemError) {
                let count = try unsafe file.descriptor.write(part, at: size)
                size += Int64(count)
                unsafe rest = rest.dropFirst(count)
            } catch {
                throw Self.fault(ofWriting: error.code)
            }
        }
    }

    // MARK: Syncs

    /// There are checkpoints under way.
    var isSyncing: Bool { standing.isBusy }

    /// Begins a checkpoint when one is due.
    mutating func beginCheckpoint(at now: Instant) -> Bool {
        guard checkpoint.isDue(size: size, at: now) else { return false }
        checkpoint = Checkpoint(size: size, at: now)
        standing.checkpointBegan()
        return true
    }

    /// The oldest checkpoint has been answered.
    mutating func checkpointEnded() { standing.checkpointEnded() }

    /// The oldest checkpoint has made this many bytes durable.
    ///
    /// - Returns: false: the file has had others since.
    mutating func isDurable(to size: Int64) -> Bool { standing.reached(size) }

    /// A sync has failed: what is beyond the last durable byte counts no more, however it looks.
    ///
    /// - Parameter entry: the folder's entry is lost too, and with it the file.
    /// - Returns: why it failed; the file may be useless.
    mutating func lose(_ code: Errno, entry: Bool) -> TransferFault {
        let rest = entry ? 0 : standing.bytes
        let isCut = size <= rest || (try? file.descriptor.setLength(rest)) != nil
        standing.cut(to: rest)
        size = min(size, rest)
        var fault = Self.fault(ofWriting: code)
        if fault.kind != .noSpace { fault.kind = .interrupted }
        fault.isFileUseless = entry || !isCut
        return fault
    }

    private static func fault(ofWriting code: Errno) -> TransferFault {
        switch code {
        case .ENOSPC, .EDQUOT:
            return TransferFault(.noSpace, .cannotWriteToFile, "the file cannot be written: \(code)")
        default:
            return TransferFault(
                .failed, .cannotWriteToFile, "the file cannot be written: \(code); see the kernel's log")
        }
    }
}
