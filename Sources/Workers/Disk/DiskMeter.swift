package import Linux
import Synchronization
package import TaskModel

/// Measures the disk on a separate thread: a folder may have many files, and a file system may hang.
///
/// The thread starts with the first request and waits for the next. *Thread*: the loop's; `answer` is called there.
package final class DiskMeter: EventSource {
    package enum Question: Sendable {
        /// How much space does that folder's file system have?
        case space(String)
        /// What do these folders of the application hold together?
        case weight(application: ApplicationIndex, folders: [String])
        /// Can the file system enforce the application's disk budget? It does from then on, and is queried for the folders'
        /// size.
        case hold(application: ApplicationIndex, ProjectKeeper.Wish)
    }

    package enum Answer: Sendable {
        /// nil: unknown.
        case space(FileSystem.Space?)
        /// The largest number: too many files to count.
        case weight(application: ApplicationIndex, ByteCount)
        case hold(application: ApplicationIndex, DiskHold)
    }

    private let answer: (Answer) -> Void
    private let desk: Desk
    private var isStarted = false

    /// - Parameter keeper: for the file system's quotas; nil: there are none, and no request for one may come.
    package init(keeper: ProjectKeeper? = nil, answer: @escaping (Answer) -> Void) throws(SystemError) {
        self.answer = answer
        desk = Desk(keeper: keeper, asked: try Descriptor.eventCounter(), answered: try Descriptor.eventCounter())
    }

    /// Asks; the answer comes in a later turn.
    package func ask(_ question: Question) {
        desk.questions.withLock { $0.append(question) }
        if !isStarted { isStarted = DetachedThread.start { [desk] in desk.serve() } }
        guard isStarted else { return answer(desk.answer(to: desk.questions.withLock { $0.removeLast() })) }
        desk.asked.raise()
    }

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        try registry.add(desk.answered.number, tag: 0, urgent: false)
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        desk.answered.clear()
        let answers = desk.answers.withLock { answers in
            defer { answers.removeAll() }
            return answers
        }
        for one in answers { answer(one) }
    }

    package func close() {
        desk.isClosed.withLock { $0 = true }
        desk.asked.raise()
    }
}

/// Between the loop and the thread.
private final class Desk: Sendable {
    let questions = Mutex<[DiskMeter.Question]>([])
    let answers = Mutex<[DiskMeter.Answer]>([])
    let isClosed = Mutex(false)
    let asked: Descriptor
    let answered: Descriptor
    private let keeper: ProjectKeeper?
    /// Applications whose folders the file system counts.
    private let projects = Mutex<[ApplicationIndex: UInt32]>([:])

    init(keeper: ProjectKeeper?, asked: consuming Descriptor, answered: consuming Descriptor) {
        self.keeper = keeper
        self.asked = asked
        self.answered = answered
    }

    /// The thread's body.
    func serve() {
        while true {
            asked.wait()
            guard !isClosed.withLock({ $0 }) else { return }
            let list = questions.withLock { questions in
                defer { questions.removeAll() }
                return questions
            }
            for question in list {
                let answer = answer(to: question)
                answers.withLock { $0.append(answer) }
                answered.raise()
            }
        }
    }

    func answer(to question: DiskMeter.Question) -> DiskMeter.Answer {
        switch question {
        case .space(let path): return .space(try? FileSystem.space(of: path))
        case .weight(let application, let folders):
            return .weight(application: application, ByteCount(bytes: weight(of: application, folders)))
        case .hold(let application, let wish):
            let hold = keeper?.hold(wish) ?? .weight(.noQuotas)
            projects.withLock { $0[application] = hold.project }
            return .hold(application: application, hold)
        }
    }

    /// The largest number if unknown.
    private func weight(of application: ApplicationIndex, _ folders: [String]) -> UInt64 {
        // Quotas can be switched off at any time; then the files are counted as everywhere.
        if let project = projects.withLock({ $0[application] }), let bytes = try? keeper?.weight(of: project) {
            return bytes
        }
        var weight = FolderWeight()
        return folders.allSatisfy { weight.add($0) } ? weight.bytes : .max
    }
}
