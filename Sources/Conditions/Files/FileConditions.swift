import CLinux
package import Linux
package import TaskModel

/// Whether the files are there that tasks wait for, and whether they have changed.
///
/// Tasks share a watch for each folder, which an announcement of the kernel makes it look at again; while nothing changes
/// nothing is done. Looks are made on a thread, one at a time: at most `FolderLook.mostEntries` entries of a folder, no
/// sooner than `settling` after a change, and in such a distance that they take a twentieth of the time.
///
/// *Thread*: the loop's. `onChange` is called from `serve` and `advance`.
package final class FileConditions: EventSource {
    /// Folders that are watched at most.
    package static let mostFolders = 1024
    /// After the last change of a group, and after the first, however many follow.
    private static let settling = TimeSpan.milliseconds(50)
    private static let patience = TimeSpan.milliseconds(500)
    /// After a look that could not tell.
    private static let pause = TimeSpan.seconds(60)

    /// What a task waits for.
    package struct Wish {
        /// A match of one of them exists.
        package var paths: [FilePattern] = []
        /// A match of one of them is not in `known`.
        package var changed: [FilePattern] = []
        /// The matches of `changed` when the task's last successful run started.
        package var known: Set<FileMark> = []
        package init() {}

        fileprivate subscript(name: ConditionName) -> [FilePattern] { name == .paths ? paths : changed }
    }

    private struct Task {
        var wish: Wish
        var isMet: [ConditionName: Bool] = [:]
        var words: [ConditionName: String] = [:]
    }

    private struct Place {
        var folder: String
        var tasks: Set<TaskIndex> = []
        var watches: [FolderLook.Watch] = []
        /// Of the last complete look, and of the one that is being made.
        var patterns: [FilePattern] = []
        var asked: [FilePattern] = []
        var found: [FolderLook.Found] = []
        var fault: String?
        /// The first look is complete.
        var isKnown = false
        var isLooking = false
        /// Since when, and when last, something changed; `distantFuture`: nothing has.
        var first = Instant.distantFuture
        var last = Instant.distantFuture
        var notBefore = Instant(nanoseconds: 0)

        var deadline: Instant {
            guard !isLooking, first != .distantFuture else { return .distantFuture }
            return max(min(last + FileConditions.settling, first + FileConditions.patience), notBefore)
        }
    }

    private let onChange: (TaskIndex, ConditionName, Bool) -> Void
    private let looker: FolderLooker
    private weak var registry: (any SourceRegistry)?
    private var tasks: [TaskIndex: Task] = [:]
    private var places: [Place?] = []
    private var placeNumbers: [String: Int] = [:]
    private var watchers: [Int32: Set<Int>] = [:]
    /// Watches that told something before the look that set them was complete.
    private var early: Set<Int32> = []
    private var looks = 0
    private var deadline = Instant.distantFuture

    /// - Parameter onChange: a condition of a task is met, or is not any more.
    package init(onChange: @escaping (_ task: TaskIndex, ConditionName, _ isMet: Bool) -> Void) throws(SystemError) {
        self.onChange = onChange
        looker = try FolderLooker(inotify: Descriptor(adopting: try check(clinux_inotify(), "inotify_init1")))
    }

    // MARK: Wishes

    /// Says what a task waits for, in place of what it waited for before; nil: nothing. Until a look tells otherwise none
    /// of it is met.
    package func set(_ wish: Wish?, of task: TaskIndex, at now: Instant) {
        let old = tasks.removeValue(forKey: task)
        for pattern in (old.map { $0.wish.paths + $0.wish.changed }) ?? [] { leave(pattern.folder, task) }
        if let wish {
            tasks[task] = Task(wish: wish)
            for pattern in wish.paths + wish.changed { join(pattern.folder, task, at: now) }
            for name in [ConditionName.paths, .changed] where !wish[name].isEmpty { judge(task, name) }
        }
        settle()
    }

    /// The matches as they were when last looked at; nil: nobody can say.
    package func marks(of task: TaskIndex) -> Set<FileMark>? {
        guard let wish = tasks[task]?.wish, !wish.changed.isEmpty else { return nil }
        var marks: Set<FileMark> = []
        for pattern in wish.changed {
            guard let found = found(pattern), found.fault == nil, !found.found.isCut else { return nil }
            for match in found.found.matches { marks.insert(match.mark) }
        }
        return marks
    }

    /// The matches when the task's last successful run started; nil: it waits for no change.
    package func known(of task: TaskIndex) -> Set<FileMark>? {
        tasks[task].flatMap { $0.wish.changed.isEmpty ? nil : $0.wish.known }
    }

    /// A run that started with these matches has succeeded.
    package func setKnown(_ marks: Set<FileMark>, of task: TaskIndex) {
        guard tasks[task] != nil else { return }
        tasks[task]?.wish.known = marks
        judge(task, .changed)
    }

    /// What is seen of a condition, for people; nil: the task does not wait for it.
    package func words(_ name: ConditionName, of task: TaskIndex) -> String? { tasks[task]?.words[name] }

    private func join(_ folder: String, _ task: TaskIndex, at now: Instant) {
        if let number = placeNumbers[folder] {
            places[number]?.tasks.insert(task)
            return touch(number, at: now)
        }
        guard placeNumbers.count < Self.mostFolders else { return }
        var place = Place(folder: folder)
        place.tasks = [task]
        let free = places.firstIndex { $0 == nil }
        let number = free ?? places.count
        if free == nil { places.append(place) } else { places[number] = place }
        placeNumbers[folder] = number
        touch(number, at: now)
    }

    private func leave(_ folder: String, _ task: TaskIndex) {
        guard let number = placeNumbers[folder] else { return }
        places[number]?.tasks.remove(task)
        guard let place = places[number], place.tasks.isEmpty, !place.isLooking else { return }
        rewatch(number, [])
        places[number] = nil
        placeNumbers[folder] = nil
    }

    /// It has to be looked at.
    private func touch(_ number: Int, at now: Instant) {
        guard places[number] != nil else { return }
        if places[number]?.first == .distantFuture { places[number]?.first = now }
        places[number]?.last = now
    }

    // MARK: The loop

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        self.registry = registry
        try registry.add(looker.answered.number, tag: 0, urgent: false)
        try registry.add(looker.inotify.number, tag: 1, urgent: false)
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: Moment) {
        if tag == 1 {
            InotifyEvent.forEach(from: looker.inotify.number) { hear($0, at: now.instant) }
        } else {
            for answer in looker.takeAnswers() { take(answer, at: now.instant) }
        }
        settle()
    }

    package var nextDeadline: Instant { deadline }

    package func advance(to now: Moment) {
        guard deadline <= now.instant else { return }
        for number in places.indices {
            if let place = places[number], place.deadline <= now.instant { look(number, place, at: now.instant) }
        }
        settle()
    }

    package func close() {
        registry?.remove(looker.answered.number)
        registry?.remove(looker.inotify.number)
        looker.close()
        deadline = .distantFuture
    }

    private func settle() { deadline = places.reduce(.distantFuture) { min($0, $1?.deadline ?? .distantFuture) } }

    private func hear(_ event: InotifyEvent, at now: Instant) {
        if event.isOverflow {
            for number in places.indices { touch(number, at: now) }
            return
        }
        guard let numbers = watchers[event.watch] else {
            if looks > 0 { early.insert(event.watch) }
            return
        }
        let name = Array(event.name.utf8)
        // Bytes that are no text are told as this.
        let isUnclear = event.name.contains("\u{FFFD}")
        let isMeant = { (pattern: FilePattern) in isUnclear || pattern.matches(name) }
        for number in numbers {
            guard let place = places[number] else { continue }
            let concerns = place.watches.contains { watch in
                guard watch.number == event.watch, !name.isEmpty else { return watch.number == event.watch }
                if let awaited = watch.awaited { return awaited == event.name }
                return place.patterns.contains(where: isMeant) || place.asked.contains(where: isMeant)
            }
            if concerns { touch(number, at: now) }
        }
    }

    // MARK: Looking

    private func look(_ number: Int, _ place: Place, at now: Instant) {
        var patterns: [FilePattern: Bool] = [:]
        for task in place.tasks {
            guard let wish = tasks[task]?.wish else { continue }
            for pattern in wish.paths where pattern.folder == place.folder {
                patterns[pattern] = patterns[pattern] ?? false
            }
            for pattern in wish.changed where pattern.folder == place.folder { patterns[pattern] = true }
        }
        let list = patterns.sorted { $0.key.text < $1.key.text }
        let look = FolderLook(
            place: number, folder: place.folder, patterns: list.map(\.key), wantsMarks: list.map(\.value),
            inotify: looker.inotify.number)
        guard looker.ask(look) else {
            places[number]?.notBefore = now + Self.pause
            return
        }
        looks += 1
        places[number]?.isLooking = true
        places[number]?.asked = look.patterns
        places[number]?.first = .distantFuture
        places[number]?.last = .distantFuture
    }

    private func take(_ answer: FolderLook.Answer, at now: Instant) {
        looks -= 1
        let number = answer.place
        places[number]?.isLooking = false
        guard let place = places[number], !place.tasks.isEmpty else {
            rewatch(number, answer.watches)
            rewatch(number, [])
            if let folder = places[number]?.folder { placeNumbers[folder] = nil }
            places[number] = nil
            return
        }
        places[number]?.patterns = place.asked
        places[number]?.asked = []
        places[number]?.found = answer.found
        places[number]?.fault = answer.fault
        places[number]?.isKnown = true
        let took = min(answer.took.nanoseconds, Self.pause.nanoseconds)
        places[number]?.notBefore = now + TimeSpan(nanoseconds: took * 20)
        if answer.fault != nil {
            places[number]?.notBefore = now + Self.pause
            touch(number, at: now)
        }
        rewatch(number, answer.watches)
        if answer.watches.contains(where: { early.contains($0.number) }) { touch(number, at: now) }
        if looks == 0 { early.removeAll() }
        for task in place.tasks {
            for name in [ConditionName.paths, .changed] where tasks[task]?.wish[name].isEmpty == false {
                judge(task, name)
            }
        }
    }

    /// Makes these the watches of a place, and lets go of those that nobody has any more.
    private func rewatch(_ number: Int, _ watches: [FolderLook.Watch]) {
        let old = places[number]?.watches ?? []
        places[number]?.watches = watches
        for watch in watches { watchers[watch.number, default: []].insert(number) }
        for watch in old where !watches.contains(where: { $0.number == watch.number }) {
            watchers[watch.number]?.remove(number)
            guard watchers[watch.number]?.isEmpty == true else { continue }
            watchers[watch.number] = nil
            _ = clinux_inotify_remove(looker.inotify.number, watch.number)  // gone already with its folder
        }
    }

    // MARK: Judging

    private func found(_ pattern: FilePattern) -> (found: FolderLook.Found, fault: String?)? {
        guard let number = placeNumbers[pattern.folder], let place = places[number], place.isKnown,
            let index = place.patterns.firstIndex(of: pattern), index < place.found.count
        else { return nil }
        return (place.found[index], place.fault)
    }

    private func judge(_ task: TaskIndex, _ name: ConditionName) {
        guard let wish = tasks[task]?.wish else { return }
        var words: String?
        var isMet = false
        for pattern in wish[name] {
            let (match, fault) = verdict(pattern, name, wish.known)
            guard let match else {
                words = fault ?? words
                continue
            }
            isMet = true
            words = pattern.folder + "/" + match + (name == .changed ? " has changed" : " is there")
            break
        }
        let texts = wish[name].map(\.text).joined(separator: ", ")
        tasks[task]?.words[name] =
            words ?? (name == .changed ? "no file of \(texts) has changed" : "no file matches \(texts)")
        guard tasks[task]?.isMet[name] ?? false != isMet else { return }
        tasks[task]?.isMet[name] = isMet
        onChange(task, name, isMet)
    }

    /// The match that counts, or why nobody can say.
    private func verdict(
        _ pattern: FilePattern, _ name: ConditionName, _ known: Set<FileMark>
    ) -> (match: String?, fault: String?) {
        guard placeNumbers[pattern.folder] != nil else {
            return (nil, "more than \(Self.mostFolders) folders are waited for; \(pattern.text) is not watched")
        }
        guard let (found, fault) = found(pattern) else { return (nil, "\(pattern.text) has not been looked at yet") }
        if name == .paths { return (found.first, fault) }
        if found.isCut {
            return (nil, "more than \(FolderLook.mostMarks) files match \(pattern.text); narrow it")
        }
        return (found.matches.first { !known.contains($0.mark) }?.name, fault)
    }
}
