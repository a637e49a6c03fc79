internal import Synchronization

/// Each progress that is observed or below one that is, as long as it exists. Any thread.
enum ObservedProgresses {
    private struct Record {
        weak var progress: Progress?
        weak var parent: Progress?
        var observers: [any ProgressObserver] = []
    }
    private struct State {
        var records: [ObjectIdentifier: Record] = [:]
        /// How many there may be before those of objects that are gone are removed.
        var limit = 64
    }
    /// Nothing is released while it is held: an application's object may do anything when it goes.
    private static let lock = NSLock()
    nonisolated(unsafe) private static var state = State()
    /// Something was observed. A change that is not ordered after `add` may miss it either way, and the lock has the records:
    /// relaxed.
    private static let isUsed = Atomic(false)

    static func add(_ observer: any ProgressObserver, to progress: Progress) {
        isUsed.store(true, ordering: .relaxed)
        adopt(progress, of: nil)
        lock.withLock { unsafe state.records[ObjectIdentifier(progress)]?.observers.append(observer) }
    }

    static func remove(_ observer: any ProgressObserver, from progress: ObjectIdentifier) {
        let old = lock.withLock { () -> (any ProgressObserver)? in
            guard let index = unsafe state.records[progress]?.observers.firstIndex(where: { $0 === observer }) else {
                return nil
            }
            return unsafe state.records[progress]?.observers.remove(at: index)
        }
        withExtendedLifetime(old) {}
    }

    /// A progress has a new child: if its own changes are announced, the child's are from now on.
    static func adopt(_ child: Progress, below parent: Progress) {
        guard isUsed.load(ordering: .relaxed), lock.withLock({ find(parent) != nil }) else { return }
        adopt(child, of: parent)
        announce(parent)
    }

    /// Tells the observers of a progress, and of all above it, that something has changed.
    static func announce(_ progress: Progress) {
        guard isUsed.load(ordering: .relaxed) else { return }
        var next: Progress? = progress
        while let current = next {
            let (observers, parent) = lock.withLock { () -> ([any ProgressObserver], Progress?) in
                let record = find(current)
                return (record?.observers ?? [], record?.parent)
            }
            for observer in observers { observer.look(at: current) }
            next = parent
        }
    }

    /// Under the lock.
    private static func find(_ progress: Progress) -> Record? {
        // An object that is gone may have had its address.
        unsafe state.records[ObjectIdentifier(progress)].flatMap { $0.progress === progress ? $0 : nil }
    }

    /// Makes a progress and all below it announce their changes.
    /// - Parameter parent: nil: not known, or none.
    private static func adopt(_ progress: Progress, of parent: Progress?) {
        var waiting = [(progress, parent)]
        while let (progress, parent) = waiting.popLast() {
            let isNew = change(progress, parent)
            if isNew { waiting += children(of: progress).map { ($0, progress) } }
        }
    }

    /// - Returns: false: it announces its changes already, as all below it do.
    private static func change(_ progress: Progress, _ parent: Progress?) -> Bool {
        let name = ObjectIdentifier(progress)
        let (isNew, remains) = lock.withLock { () -> (Bool, Remains) in
            if find(progress) != nil {
                if let parent { unsafe state.records[name]?.parent = parent }
                return (false, Remains())
            }
            var remains = sweep()
            let new = Record(progress: progress, parent: parent)
            if let old = unsafe state.records.updateValue(new, forKey: name) { remains.records.append(old) }
            progress.announcesChanges()
            return (true, remains)
        }
        withExtendedLifetime(remains) {}
        return isNew
    }

    /// What is released outside of the lock.
    private struct Remains {
        var records: [Record] = []
        var objects: [Progress] = []
    }

    /// Under the lock. Removes records of objects that are gone, once there are many.
    private static func sweep() -> Remains {
        var remains = Remains()
        guard unsafe state.records.count >= state.limit else { return remains }
        for (name, record) in unsafe state.records {
            if let progress = record.progress {
                remains.objects.append(progress)
            } else {
                remains.records.append(record)
                unsafe state.records[name] = nil
            }
        }
        unsafe state.limit = max(64, 2 * remains.objects.count)
        return remains
    }

    /// Those that are not finished. Foundation keeps them to itself.
    private static func children(of progress: Progress) -> Set<Progress> {
        var mirror: Mirror? = Mirror(reflecting: progress)
        while let current = mirror {
            if current.subjectType == Progress.self {
                return current.descendant("_children") as? Set<Progress> ?? []
            }
            mirror = current.superclassMirror
        }
        return []
    }
}
