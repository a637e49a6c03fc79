import Engine
import Linux
import Record
import Setting
import TaskModel
import Transferring
import Transfers
import Workers

/// Applications' unfinished files, and what they and the finished ones hold of the disk. Thread: the loop's.
final class TransferParts {
    /// Folders of unfinished files, of applications that have attempts.
    private var folders: [ApplicationIndex: PartFolder] = [:]
    /// What applications' unfinished files hold.
    var holdings: [ApplicationIndex: PartLedger] = [:]
    /// The size of applications' folders where no quota measures them.
    var uses: [ApplicationIndex: FolderUse] = [:]
    /// Applications with a part more that stays for another task.
    private var crowded: Set<ApplicationIndex> = []
    let ledger: TransferLedger
    let decider: Decider
    let keeper: RecordKeeper
    let installed: Installation
    let quotas: DiskQuotas
    private let place: HostPlace
    private let announcer: Announcer
    /// Measures an application's folders: `weighed` receives the result.
    var weighFolders: (ApplicationIndex) -> Void = { _ in }

    init(
        _ place: HostPlace, _ decider: Decider, _ keeper: RecordKeeper, _ installed: Installation,
        _ announcer: Announcer, _ quotas: DiskQuotas, _ ledger: TransferLedger
    ) {
        self.place = place
        self.decider = decider
        self.keeper = keeper
        self.installed = installed
        self.announcer = announcer
        self.quotas = quotas
        self.ledger = ledger
    }

    // MARK: What they hold

    /// Bytes that a transfer's unfinished file has or has reserved.
    func holding(of id: Int64, _ application: ApplicationIndex) -> UInt64 { holdings[application]?[id] ?? 0 }

    /// Its file is finished: it counts with the application's others.
    func release(_ id: Int64, of application: ApplicationIndex) { holdings[application]?.set(id, 0) }

    // MARK: Folders

    /// The application's folder of unfinished files; looked through once after a start.
    func folder(of application: ApplicationIndex) throws(SystemError) -> PartFolder {
        if let known = folders[application] { return known }
        let identifier = installed.name(of: application)
        let own: StateFolder.ApplicationFolders
        do throws(HostError) {
            own = try place.state.folders(of: installed.applications[application], users: place.configuration.users)
        } catch {
            throw SystemError("open", code: .EACCES, object: place.state.folder(of: identifier))
        }
        let folder = try PartFolder(in: place.state.folder(of: identifier), cache: own.cache, identity: own.identity)
        let boot = (try? FileText.read("/proc/sys/kernel/random/boot_id")) ?? ""
        try folder.settleBoot(boot) { id in
            let open = ledger.handle(of: id).flatMap { ledger[$0]?.stored }
            guard let known = open ?? (try? keeper.reader.transfer(id)) else { return nil }
            // A finished one was on disk before that was recorded: only its move may have been lost.
            if let end = known.end, end.error == nil { return nil }
            return known.progress.durable
        }
        folders[application] = folder
        var holding = holdings[application] ?? PartLedger()
        for id in try folder.parts() { holding.set(id, max(holding[id], UInt64(clamping: folder.size(of: id)))) }
        holdings[application] = holding
        trim(of: application)
        return folder
    }

    /// Its user may be another one.
    func forgetFolder(of application: ApplicationIndex) { folders[application] = nil }

    /// One that has been looked through; nil: it has not.
    func knownFolder(of application: ApplicationIndex) -> PartFolder? { folders[application] }

    /// Opens a file that the application may read, as its user.
    ///
    /// - Parameter purpose: its purpose, for display.
    func openReadable(
        _ path: String, of application: ApplicationIndex, as purpose: String = "file to upload"
    ) throws(TransferRefusal) -> Descriptor {
        let definition = installed.applications[application].definition
        guard
            let own = try? place.state.folders(
                of: installed.applications[application], users: place.configuration.users)
        else {
            throw TransferRefusal(
                .noPermissionToReadFile,
                "the application's folders cannot be opened; \(definition.identifier); see the host's state folder")
        }
        let variables = [("$MANIFEST", definition.manifestFolder), ("$STATE", own.state), ("$CACHE", own.cache)]
        let granted = (definition.permissions.read + definition.permissions.write)
            .map { GrantVariables.expand($0, variables) }.filter { $0.hasPrefix("/") }
        let others = installed.writable.paths.filter { $0 != own.state && $0 != own.cache }
        let places = GrantResolver(foreign: Set(others)).places(
            write: [own.state, own.cache], read: granted
        ) { _, _ in }
        let expanded = GrantVariables.expand(path, variables)
        return try UploadFile.open(expanded, roots: places.write + places.read, identity: own.identity, as: purpose)
    }

    /// Moves a finished file to where its application finds it, as recorded, now or after a crash.
    func publish(_ id: Int64, of application: ApplicationIndex) {
        Failpoint.pass(.transferPublish)
        do throws(SystemError) {
            let folder = try folder(of: application)
            do throws(SystemError) {
                try folder.publish(id)
                holdings[application]?.set(id, 0)
            } catch {
                // The application's fault: the file cannot be delivered.
                if error.code == .EEXIST { folder.remove(id) }
                throw error
            }
        } catch {
            announcer.note(
                .transferFailed, installed.name(of: application), "a finished file could not be moved; \(error)")
        }
    }

    // MARK: Room for them

    /// Parts of one application that stay for other tasks at most.
    private static let keptParts = 1024

    /// Deletes partial files that no task can use any more, and the oldest of the others until their number and size are
    /// within limits: at most the application's disk budget, less its files. Takes time for each of its partial files.
    func trim(of application: ApplicationIndex) {
        crowded.remove(application)
        guard let folder = folders[application], let parts = try? folder.parts() else { return }
        let budget = quotas.budget(of: application).bytes
        var (count, bytes) = (0, UInt64(0))
        for id in parts.sorted(by: >) {
            let handle = ledger.handle(of: id)
            // It runs or waits, or its file is about to be moved.
            if let handle, decider.transferState(of: handle) != .ended { continue }
            // Of one that is acknowledged the record alone knows.
            let end = handle.map { ledger[$0]?.stored.end } ?? (try? keeper.reader.transfer(id))?.end
            if end?.resumeData.isEmpty != false {
                if handle == nil, end?.error != nil || end == nil {
                    folder.remove(id)
                    holdings[application]?.set(id, 0)
                }
                continue
            }
            count += 1
            let size = UInt64(clamping: folder.size(of: id))
            bytes += size
            let isTooMuch = count > Self.keptParts || bytes > budget
            if isTooMuch { folder.remove(id) }
            holdings[application, default: PartLedger()].set(id, isTooMuch ? 0 : size, isKept: true)
        }
    }

    /// A part more stays for another task: there may be too many now.
    func noteKept(of application: ApplicationIndex) {
        guard crowded.insert(application).inserted else { return }
        keeper.afterCommit { [unowned self] in trim(of: application) }
    }
}
