import Linux
import Synchronization

/// Scans folders, one after another, on a separate thread, which starts with the first scan.
///
/// *Thread*: the loop's, but for `serve`.
final class FolderLooker: Sendable {
    private let wanted = Mutex<[FolderLook]>([])
    private let made = Mutex<[FolderLook.Answer]>([])
    private let state = Mutex((isStarted: false, isClosed: false))
    private let asked: Descriptor
    /// Readable when there are answers.
    let answered: Descriptor
    /// Announces what changes in the folders.
    let inotify: Inotify

    init() throws(SystemError) {
        inotify = try Inotify()
        asked = try Descriptor.eventCounter()
        answered = try Descriptor.eventCounter()
    }

    /// False: no thread could be started; the caller tries again later.
    func ask(_ look: FolderLook) -> Bool {
        let isStarted = state.withLock { state in
            if !state.isStarted { state.isStarted = DetachedThread.start { self.serve() } }
            return state.isStarted
        }
        guard isStarted else { return false }
        wanted.withLock { $0.append(look) }
        asked.raise()
        return true
    }

    /// Takes the answers that are there.
    func takeAnswers() -> [FolderLook.Answer] {
        answered.clear()
        return made.withLock { made in
            defer { made.removeAll() }
            return made
        }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        asked.raise()
    }

    private func serve() {
        while true {
            asked.wait()
            while let look = wanted.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                guard !state.withLock({ $0.isClosed }) else { return }
                let answer = look.make()
                made.withLock { $0.append(answer) }
                answered.raise()
            }
            guard !state.withLock({ $0.isClosed }) else { return }
        }
    }
}
