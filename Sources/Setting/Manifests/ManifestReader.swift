import Linux
import Manifests
package import TaskModel

/// Reads manifests and inspects their libraries, all of them or those that changed, in small steps: each lists some hundred
/// names, reads one file, or inspects the libraries of one application. Other work may run between the steps.
///
/// No library code runs. Thread: one.
package final class ManifestReader {
    /// What is read again.
    package enum Scope: Equatable {
        case all
        /// Files by name, for folders by their place in the list of paths.
        case names([Int: Set<String>])
    }

    enum Phase {
        case idle
        /// Memory of the last reading is released.
        case clearing
        /// Announced names are sorted, and their files searched.
        case gathering(path: Int, names: [String], next: Int)
        case ordering(path: Int)
        case noting(path: Int, names: [String], next: Int)
        case opening(path: Int)
        case listing(path: Int, FolderEntries)
        case sorting(path: Int)
        case adding(path: Int, names: [String], next: Int)
        case withdrawing(next: Int)
        case reading(next: Int)
        case checking(path: Int, entry: Int)
        case inspecting(next: Int)
        /// Everything is read; memory of this reading is released.
        case closing
    }

    let profile: LimitsProfile
    private let accounts: AccountRules
    private let verifiesDigests: Bool
    private let recordsSteps: Bool
    private let isWanted: (ApplicationDefinition) -> Bool
    private let makeTimeZones: () -> TimeZones
    package let shelf: LibraryShelf
    package var paths: [ManifestPath]
    private var timeZones: TimeZones
    var phase = Phase.idle
    /// Real paths of the files that are read, with the place of the path that they belong to: one that is named again, itself
    /// or by its folder, counts once.
    var owners = SplitTable<Int>()
    /// The entry that each application comes from.
    private var offers = SplitTable<ManifestEntry>()
    /// Entries to read or inspect.
    var queue: [ManifestEntry] = []
    /// Entries whose file was removed.
    package var removed: [ManifestEntry] = []
    private(set) var isFull = false
    /// Identifiers were claimed or given up.
    var mustCheck = false
    private var check = CrossCheck()
    var sorter = NameSorter()
    package var listing: UInt64 = 0
    /// Announced names whose files are still to be searched, with the place of their path.
    var named: [(path: Int, names: [String])] = []
    /// The contents of `paths` before everything was listed.
    var earlier: [ManifestPath] = []
    /// The new results of the last reading, in order.
    package private(set) var found: [ManifestEntry] = []
    /// Manifest files that were read so far.
    package internal(set) var filesRead = 0
    /// Read in place of the file of its path, which is one of `paths`.
    var draft: ManifestDraft?

    /// - Parameters:
    ///   - paths: folders (every `*.json` but schema.json in them) or manifest files.
    ///   - accounts: which users of the machine applications may run as.
    ///   - verifiesDigests, recordsSteps: see `LibraryInspector`.
    ///   - timeZones: makes those that schedules may name; asked again whenever all is read.
    ///   - isWanted: the applications whose libraries are inspected; the others are skipped.
    package init(
        _ paths: [String], profile: LimitsProfile, accounts: AccountRules = AccountRules(HostConfiguration()),
        shelf: LibraryShelf = LibraryShelf(), verifiesDigests: Bool = true, recordsSteps: Bool = false,
        timeZones: @escaping () -> TimeZones = { TimeZones() },
        where isWanted: @escaping (ApplicationDefinition) -> Bool = { _ in true }
    ) {
        self.paths = paths.map(ManifestPath.init)
        self.profile = profile
        self.accounts = accounts
        self.shelf = shelf
        self.verifiesDigests = verifiesDigests
        self.recordsSteps = recordsSteps
        self.isWanted = isWanted
        makeTimeZones = timeZones
        self.timeZones = timeZones()
    }

    /// No path has a manifest. One of several that has none is no fault: the installation's own folder waits for the examples.
    package var isBare: Bool { paths.allSatisfy(\.entries.isEmpty) }

    /// Why paths cannot be read, with what to do.
    package var pathFaults: [String] { paths.compactMap { $0.fault ?? (isBare ? $0.emptiness : nil) } }

    package var isIdle: Bool { if case .idle = phase { true } else { false } }

    /// Begins to read. Not while a reading is in progress.
    package func begin(_ scope: Scope) {
        precondition(isIdle, "one reading ends before the next begins")
        queue = []
        phase = .clearing
        if case .names(let names) = scope, names.keys.allSatisfy({ paths[$0].onlyName == nil }) {
            isFull = false
            mustCheck = false
            named = names.sorted { $0.key > $1.key }.map { ($0.key, Array($0.value)) }
        } else {
            isFull = true
            mustCheck = true
            timeZones = makeTimeZones()
            shelf.beginSweep()
            earlier = paths
            listing += 1
        }
    }

    /// Does one step.
    ///
    /// - Returns: false when the reading is complete.
    package func step() -> Bool {
        switch phase {
        case .idle: return false
        case .clearing:
            if !clear() { if isFull { phase = .opening(path: 0) } else { gatherNext() } }
        case .gathering(let path, let names, let next): gather(names, from: next, of: path)
        case .ordering(let path):
            if !sorter.merge() { phase = .noting(path: path, names: sorter.names, next: 0) }
        case .noting(let path, let names, let next): note(names, from: next, of: path)
        case .opening(let path): open(path)
        case .listing(let path, let listing): list(path, listing)
        case .sorting(let path):
            if !sorter.merge() { phase = .adding(path: path, names: sorter.names, next: 0) }
        case .adding(let path, let names, let next): add(names, from: next, to: path)
        case .withdrawing(let next): withdrawRemoved(from: next)
        case .reading(let next):
            if next < queue.count {
                read(queue[next])
                phase = .reading(next: next + 1)
            } else if mustCheck {
                queue = []
                phase = .checking(path: 0, entry: 0)
            } else {
                phase = .inspecting(next: 0)
            }
        case .checking(let path, let entry): cross(path, entry)
        case .inspecting(let next):
            if next < queue.count {
                inspect(queue[next])
                phase = .inspecting(next: next + 1)
            } else {
                phase = .closing
            }
        case .closing:
            guard !check.dropPart() else { break }
            finish()
            return false
        }
        return true
    }

    private func finish() {
        if isFull { shelf.endSweep() }
        found = queue
        (queue, earlier) = ([], [])
        phase = .idle
    }

    /// Releases a portion of the last reading's memory; false: nothing is left that this one does not need.
    private func clear() -> Bool {
        guard found.isEmpty && removed.isEmpty else {
            found.removeLast(min(found.count, Self.namesAtOnce))
            removed.removeLast(min(removed.count, Self.namesAtOnce))
            return true
        }
        return isFull && (owners.dropPart() || offers.dropPart())
    }

    // MARK: Conflicts

    private func cross(_ path: Int, _ index: Int) {
        guard path < paths.count else {
            phase = .inspecting(next: 0)
            return
        }
        guard index < paths[path].entries.count else {
            phase = .checking(path: path + 1, entry: 0)
            return
        }
        let entry = paths[path].entries[index]
        let conflicts = entry.result.map { check.add($0) } ?? []
        if conflicts != entry.conflicts {
            entry.conflicts = conflicts
            entry.isDirty = true
        }
        if entry.isDirty { queue.append(entry) }
        phase = .checking(path: path, entry: index + 1)
    }

    // MARK: Libraries

    private func inspect(_ entry: ManifestEntry) {
        entry.isDirty = false
        withdraw(entry)
        entry.inspected = []
        (entry.leftOut, entry.steps) = ([:], [])
        guard let result = entry.result, let definition = result.application, entry.conflicts.isEmpty,
            isWanted(definition)
        else { return }
        let grants =
            GrantedPaths.warnings(of: definition, places: result.places)
            + TransferFiles.warnings(of: definition, places: result.places)
            + TransferReach.warnings(of: definition, places: result.places)
        var inspector = LibraryInspector(
            definition, places: result.places, shelf: shelf, verifiesDigest: verifiesDigests,
            profile: profile, accounts: accounts, recordsSteps: recordsSteps)
        let application = inspector.inspect()
        let unknown = timeZones.unknown(in: definition, places: result.places)
        entry.steps = inspector.steps
        entry.inspected = grants + inspector.diagnostics + unknown
        guard let application, unknown.isEmpty else { return }
        entry.application = application
        entry.leftOut = inspector.leftOut
        offers[definition.identifier] = entry
    }

    /// The entry cannot be used, as far as is known yet.
    func withdraw(_ entry: ManifestEntry) {
        if let old = entry.application?.definition.identifier, offers[old] === entry { offers[old] = nil }
        entry.application = nil
    }

    // MARK: What came of it

    /// The changes that an entry of `found`, or a removed one, means for an installation. Call it once, when the
    /// reading is complete.
    package func changes(of entry: ManifestEntry) -> [ManifestChange] {
        var changes: [ManifestChange] = []
        let offered = entry.application?.definition.identifier
        if let application = entry.application { changes.append(.offered(application)) }
        if let last = entry.lastOffer, last != offered, offers[last] == nil {
            let isThere = offered == nil && entry.listing == listing
            changes.append(isThere ? .broken(last, fault: entry.fault) : .gone(last))
        }
        entry.lastOffer = offered ?? entry.lastOffer
        return changes + news(of: entry)
    }

    /// What is not used of it since this reading, or for another reason than before. A form that was good last has its own news.
    private func news(of entry: ManifestEntry) -> [ManifestChange] {
        var unused: [String: String] = [:]
        if entry.listing == listing {
            if entry.isUsed {
                unused = entry.leftOut
            } else if entry.lastOffer == nil {
                unused[entry.result?.application?.identifier ?? entry.name] = entry.fault
            }
        }
        defer { entry.told = unused }
        return unused.sorted { $0.key < $1.key }.filter { entry.told[$0.key] != $0.value }
            .map { .unused($0.key, fault: $0.value) }
    }
}

/// What reading a manifest again has shown.
package enum ManifestChange {
    /// It is valid; it may be unchanged.
    case offered(InstalledApplication)
    /// The application's manifest exists but cannot be used.
    case broken(String, fault: String)
    /// A manifest, or a task whose program or library is missing, is not used.
    case unused(String, fault: String)
    /// No manifest has the application any more.
    case gone(String)
}
