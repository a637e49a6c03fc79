import Linux
import Synchronization
import TaskModel

/// Makes files durable on a separate thread: all that have accumulated with one barrier.
final class Syncer: Sendable {
    /// A file to sync.
    struct Job: Sendable {
        var transfer: TransferHandle
        var file: OpenFile
        /// The folder whose entry must be durable too; nil: a checkpoint of a growing file.
        var folder: OpenFile?
        /// Bytes that it has.
        var size: Int64
        /// Must be its digest; empty: any.
        var sha256: [UInt8] = []
    }

    enum Outcome: Sendable {
        case durable
        /// A sync has failed. The kernel says so once to each open file, and calls the lost pages clean afterwards (fsync(2)):
        /// no later success counts for these bytes. `entry`: it was to make the folder's entry durable too.
        case failed(Errno, entry: Bool)
        /// It has this digest instead.
        case otherDigest([UInt8])
    }

    private struct State {
        var jobs: [Job] = []
        var done: [(Job, Outcome)] = []
    }

    private let state = Mutex(State())
    private let work: Descriptor
    /// Readable when something is done.
    private let bell: Descriptor

    /// From this many files of one file system on, the whole file system is synced: one barrier instead of many.
    private static let group = 3

    init() throws(SystemError) {
        work = try Descriptor.eventCounter()
        bell = try Descriptor.eventCounter()
        guard DetachedThread.start({ self.run() }) else { throw SystemError("pthread_create", code: .EAGAIN) }
    }

    var descriptor: Int32 { bell.number }

    func add(_ job: Job) {
        let isFirst = state.withLock { (state: inout State) in
            state.jobs.append(job)
            return state.jobs.count == 1
        }
        if isFirst { work.raise() }
    }

    /// The finished jobs; resets the bell.
    func take() -> [(Job, Outcome)] {
        bell.clear()
        return state.withLock { (state: inout State) in
            defer { state.done = [] }
            return state.done
        }
    }

    private func run() -> Never {
        while true {
            work.wait()
            syncAll()
            bell.raise()
        }
    }

    /// It holds no file when it returns.
    private func syncAll() {
        let jobs = state.withLock { (state: inout State) in
            defer { state.jobs = [] }
            return state.jobs
        }
        let done = Self.sync(jobs)
        state.withLock { $0.done += done }
    }

    private static func sync(_ jobs: [Job]) -> [(Job, Outcome)] {
        Dictionary(grouping: jobs) { device(of: $0.file) }.values.flatMap { jobs in
            let isGroup = jobs.count { $0.folder != nil } >= group
            let barrier =
                isGroup
                ? jobs.first { $0.folder != nil }?.folder.map { folder in
                    fault { () throws(SystemError) in try folder.descriptor.syncFileSystem() }
                } : nil
            var folders: [UInt64: Errno] = [:]
            return jobs.map { job -> (Job, Outcome) in
                if let barrier, barrier != .success { return (job, .failed(barrier, entry: job.folder != nil)) }
                return (job, (barrier == nil ? syncOne(job, &folders) : checkOne(job)) ?? digest(job))
            }
        }
    }

    /// nil: it is durable.
    private static func syncOne(_ job: Job, _ folders: inout [UInt64: Errno]) -> Outcome? {
        let code = fault { () throws(SystemError) in try job.file.descriptor.syncContent() }
        guard code == .success else { return .failed(code, entry: false) }
        guard let folder = job.folder else { return nil }
        let inode = FileSystem.facts(lent: folder.number)?.inode ?? 0
        let synced = folders[inode] ?? fault { () throws(SystemError) in try folder.descriptor.sync() }
        folders[inode] = synced
        return synced == .success ? nil : .failed(synced, entry: true)
    }

    /// After the barrier: another group may have been told of the file system's fault, which the folder's descriptor shares,
    /// while the file's own descriptor still has it to tell.
    private static func checkOne(_ job: Job) -> Outcome? {
        let code = fault { () throws(SystemError) in try job.file.descriptor.checkWrites() }
        return code == .success ? nil : .failed(code, entry: false)
    }

    private static func digest(_ job: Job) -> Outcome {
        guard !job.sha256.isEmpty else { return .durable }
        do throws(SystemError) {
            let digest = try FileDigest.sha256(of: job.file.number)
            return digest == job.sha256 ? .durable : .otherDigest(digest)
        } catch {
            return .failed(error.code, entry: false)
        }
    }

    private static func fault(_ call: () throws(SystemError) -> Void) -> Errno {
        do throws(SystemError) { try call() } catch { return error.code }
        return .success
    }

    private static func device(of file: OpenFile) -> UInt64 { FileSystem.facts(lent: file.number)?.device ?? 0 }
}
