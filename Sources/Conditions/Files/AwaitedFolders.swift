import Linux
import TaskModel

/// The folders with files that tasks or others wait for: a watch for each, and a scan when the kernel announces a change. Waiters
/// share them. A folder beyond the limit waits until another is released, in order of arrival.
///
/// *Thread*: the loop's.
final class AwaitedFolders<Waiter: Hashable> {
    let bounds: FileBounds
    private let looker: FolderLooker
    private weak var registry: (any SourceRegistry)?
    private var places: [AwaitedFolder<Waiter>?] = []
    private var numbers: [String: Int] = [:]
    private var watchers: [Int32: Set<Int>] = [:]
    /// Folders beyond the limit, in order of arrival, with those who wait for them.
    private var queue: [String] = []
    private var queued: [String: Set<Waiter>] = [:]
    /// Watches that announced a change before the scan that set them was complete.
    private var early: Set<Int32> = []
    private var looks = 0
    /// When a folder has to be scanned.
    private(set) var deadline = Instant.distantFuture
    /// The patterns of these waiters in a folder, and whether each match of a pattern is recorded.
    var patterns: (_ folder: String, Set<Waiter>) -> [FilePattern: Bool] = { _, _ in [:] }
    /// A file of that name in the folder was moved there, or written and closed: its content is complete.
    var isComplete: (_ folder: String, _ name: String, Set<Waiter>, Instant) -> Void = { _, _, _, _ in }
    /// A folder of the waiter was scanned, or is watched now.
    var isSeen: (Waiter) -> Void = { _ in }

    init(_ bounds: FileBounds) throws(SystemError) {
        self.bounds = bounds
        looker = try FolderLooker()
    }

    // MARK: Waiters

    /// It waits for files in the folder, in the same or another way than before.
    func join(_ folder: String, _ waiter: Waiter, at now: Instant) {
        if let number = numbers[folder] {
            places[number]?.waiters.insert(waiter)
            places[number]?.join(at: now)
        } else if numbers.count < bounds.folders {
            add(folder, [waiter], at: now)
        } else {
            if queued[folder] == nil { queue.append(folder) }
            queued[folder, default: []].insert(waiter)
        }
    }

    /// It waits for none in it any more.
    func leave(_ folder: String, _ waiter: Waiter, at now: Instant) {
        guard let number = numbers[folder] else {
            queued[folder]?.remove(waiter)
            guard queued[folder]?.isEmpty == true else { return }
            queued[folder] = nil
            return queue.removeAll { $0 == folder }
        }
        places[number]?.waiters.remove(waiter)
        // A scan in progress must finish first: it sets watches.
        guard let place = places[number], place.waiters.isEmpty, !place.isLooking else { return }
        free(number, at: now)
    }

    /// Whether the folder is watched; false: it is one too many.
    func contains(_ folder: String) -> Bool { numbers[folder] != nil }

    /// The last scan's result for a pattern; nil: there was no scan.
    func found(_ pattern: FilePattern) -> (found: FolderLook.Found, fault: String?)? {
        numbers[pattern.folder].flatMap { places[$0] }?.found(pattern)
    }

    /// Whether the last scan of a folder began after all who wait for it had joined.
    func isCurrent(_ folder: String) -> Bool { numbers[folder].flatMap { places[$0] }?.isCurrent ?? false }

    private func add(_ folder: String, _ waiters: Set<Waiter>, at now: Instant) {
        var place = AwaitedFolder(path: folder, waiters: waiters)
        place.join(at: now)
        let number = places.firstIndex { $0 == nil } ?? places.count
        if number == places.count { places.append(place) } else { places[number] = place }
        numbers[folder] = number
    }

    /// Releases a folder, which makes room for the next one.
    private func free(_ number: Int, at now: Instant) {
        rewatch(number, [])
        if let path = places[number]?.path { numbers[path] = nil }
        places[number] = nil
        guard !queue.isEmpty, numbers.count < bounds.folders else { return }
        let folder = queue.removeFirst()
        let waiters = queued.removeValue(forKey: folder) ?? []
        add(folder, waiters, at: now)
        for waiter in waiters { isSeen(waiter) }
    }

    // MARK: The loop

    func attach(to registry: any SourceRegistry) throws(SystemError) {
        self.registry = registry
        try registry.add(looker.answered.number, tag: 0, urgent: false)
        try registry.add(looker.inotify.descriptor.number, tag: 1, urgent: false)
    }

    func serve(_ tag: UInt32, at now: Instant) {
        if tag == 1 {
            InotifyEvent.forEach(from: looker.inotify) { hear($0, at: now) }
        } else {
            for answer in looker.takeAnswers() { take(answer, at: now) }
        }
        settle()
    }

    func advance(to now: Instant) {
        guard deadline <= now else { return }
        for number in places.indices {
            if let place = places[number], place.deadline <= now { look(number, place, at: now) }
        }
        settle()
    }

    func close() {
        registry?.remove(looker.answered.number)
        registry?.remove(looker.inotify.descriptor.number)
        looker.close()
        deadline = .distantFuture
    }

    /// Finds the next deadline, after waiters joined or left.
    func settle() { deadline = places.reduce(.distantFuture) { min($0, $1?.deadline ?? .distantFuture) } }

    private func hear(_ event: InotifyEvent, at now: Instant) {
        // The lost events may have been about any of them.
        guard !event.isOverflow else { return touchAll(at: now) }
        guard let numbers = watchers[event.watch] else {
            if looks > 0 { early.insert(event.watch) }
            return
        }
        for number in numbers {
            guard let place = places[number], place.isConcerned(by: event) else { continue }
            places[number]?.touch(at: now)
            if !event.mask.isDisjoint(with: [.IN_MOVED_TO, .IN_CLOSE_WRITE]) {
                isComplete(place.path, event.name, place.waiters, now)
            }
        }
    }

    /// All of them have to be scanned: a file system may have come or gone at any of their paths.
    func touchAll(at now: Instant) {
        for number in places.indices { places[number]?.touch(at: now) }
    }

    // MARK: Looking

    private func look(_ number: Int, _ place: AwaitedFolder<Waiter>, at now: Instant) {
        let list = patterns(place.path, place.waiters).sorted { $0.key.text < $1.key.text }
        let look = FolderLook(
            place: number, folder: place.path, patterns: list.map(\.key), wantsMarks: list.map(\.value),
            mostEntries: bounds.entries, inotify: looker.inotify)
        guard looker.ask(look) else {
            places[number]?.putOff(at: now)
            return
        }
        looks += 1
        places[number]?.begin(look)
    }

    private func take(_ answer: FolderLook.Answer, at now: Instant) {
        looks -= 1
        let number = answer.place
        guard let waiters = places[number]?.waiters, !waiters.isEmpty else {
            places[number]?.drop()
            rewatch(number, answer.watches)
            return free(number, at: now)
        }
        places[number]?.end(answer, at: now)
        rewatch(number, answer.watches)
        if answer.watches.contains(where: { early.contains($0.number) }) { places[number]?.touch(at: now) }
        if looks == 0 { early.removeAll() }
        for waiter in waiters { isSeen(waiter) }
    }

    /// Sets the watches of a place, and removes those without an owner.
    private func rewatch(_ number: Int, _ watches: [FolderLook.Watch]) {
        let old = places[number]?.watches ?? []
        places[number]?.watches = watches
        for watch in watches { watchers[watch.number, default: []].insert(number) }
        for watch in old where !watches.contains(where: { $0.number == watch.number }) {
            watchers[watch.number]?.remove(number)
            guard watchers[watch.number]?.isEmpty == true else { continue }
            watchers[watch.number] = nil
            looker.inotify.remove(watch.number)
        }
    }
}
