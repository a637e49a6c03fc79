import Conditions
import Host
import Linux
import Manifests
import Setting
import TaskModel

/// Rereads manifests while the host serves: changed ones or all, a portion in each turn, so that turns stay short. The
/// results are applied one application after another, within the turn's commit.
final class Reloading: TimedSource {
    /// What came of reading all manifests.
    struct Report {
        /// Applications with valid manifests.
        var applications = 0
        var sentences: [String] = []
    }

    /// Of one turn. A step more may follow: the reading of one file.
    static let portion = TimeSpan.milliseconds(1)

    private let reader: ManifestReader
    /// nil: the host keeps none.
    private let versions: ManifestVersions?
    private unowned let host: Host
    private let willRead: () -> Void
    private let didRead: () -> Void
    private let say: (String) -> Void
    /// What to read when the present reading is complete.
    private var wanted: ManifestReader.Scope?
    /// Callers that wait for the next reading, and for the one in progress.
    private var nextWaiters: [(Report?) -> Void] = []
    private var waiters: [(Report?) -> Void] = []
    private var phase = Phase.idle
    private var report = Report()

    private enum Phase {
        case idle
        case reading
        /// The next new result, then the next removal.
        case applying(next: Int)
    }

    /// Turns that a reading took part in: for tests.
    private(set) var turns = 0

    /// - Parameters:
    ///   - say: receives faults of manifests, a line at a time.
    ///   - willRead, didRead: called when a reading begins, and when it is complete.
    init(
        _ reader: ManifestReader, of host: Host, _ versions: ManifestVersions?, say: @escaping (String) -> Void,
        willRead: @escaping () -> Void,
        didRead: @escaping () -> Void
    ) {
        self.reader = reader
        self.versions = versions
        self.host = host
        self.say = say
        self.willRead = willRead
        self.didRead = didRead
    }

    /// Reads all manifests again. `answer` gets what came of it; nil: the host closed before.
    func readAll(_ answer: @escaping (Report?) -> Void) {
        nextWaiters.append(answer)
        wanted = .all
    }

    /// Reads the files that a watch named.
    func read(_ changes: [ManifestWatch.Change]) {
        var names: [Int: Set<String>] = [:]
        switch wanted {
        case .all: return
        case .names(let known): names = known
        case nil: break
        }
        for change in changes {
            guard let changed = change.names else {
                wanted = .all
                return
            }
            names[change.folder, default: []].formUnion(changed)
        }
        wanted = .names(names)
    }

    // MARK: EventSource

    var nextDeadline: Instant {
        if case .idle = phase, wanted == nil { return .distantFuture }
        return Instant(nanoseconds: 0)
    }

    func advance(to now: ClockReading) {
        turns += 1
        let end = Clock.moment().instant + Self.portion
        repeat {
            guard step() else { return }
        } while Clock.moment().instant < end
    }

    func close() {
        for waiter in waiters + nextWaiters { waiter(nil) }
        (waiters, nextWaiters, wanted, phase) = ([], [], nil, .idle)
    }

    // MARK: Steps

    /// False: there is nothing more to do.
    private func step() -> Bool {
        switch phase {
        case .idle:
            guard let scope = wanted else { return false }
            (waiters, nextWaiters, wanted) = (nextWaiters, [], nil)
            report = Report()
            willRead()
            reader.begin(scope)
            phase = .reading
        case .reading:
            guard !reader.step() else { break }
            for fault in reader.paths.compactMap(\.fault) { tell(fault) }
            // A host without manifests has read all that there is.
            if reader.isBare { for sentence in reader.paths.compactMap(\.emptiness) { say(sentence) } }
            phase = .applying(next: 0)
        case .applying(let next):
            guard next < reader.found.count + reader.removed.count else {
                complete()
                return wanted != nil
            }
            if next < reader.found.count {
                versions?.saw(reader.found[next])
                apply(reader.found[next])
            } else {
                let entry = reader.removed[next - reader.found.count]
                versions?.isGone(entry.path)
                apply(entry)
            }
            phase = .applying(next: next + 1)
        }
        return true
    }

    private func apply(_ entry: ManifestEntry) {
        if entry.application != nil { report.applications += 1 }
        if entry.listing == reader.listing {
            for diagnostic in entry.diagnostics + entry.conflicts { tell("\(diagnostic)") }
            if let sentence = entry.unreadable { tell(sentence) }
        }
        for change in reader.changes(of: entry) {
            do throws(HostError) {
                try host.applications.apply(change)
            } catch {
                // The turn's commit fails for the same reason and stops the host.
                say(error.sentence)
            }
        }
    }

    private func tell(_ sentence: String) {
        say(sentence)
        report.sentences.append(sentence)
    }

    private func complete() {
        phase = .idle
        didRead()
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter(report) }
    }
}
