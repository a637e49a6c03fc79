import Glibc
package import Linux
import Synchronization
package import TaskModel

/// Looks at the disk in a thread of its own: a folder may have many files, and a file system may hang.
///
/// The thread lives from the first question on and waits for the next. *Thread*: the loop's; `answer` is called there.
package final class DiskMeter: EventSource {
    package enum Question: Sendable {
        /// What is free of the file system of that folder?
        case space(String)
        /// What do these folders of the application hold together?
        case weight(application: UInt32, folders: [String])
    }

    package enum Answer: Sendable {
        /// nil: nobody can say.
        case space(FileSystem.Space?)
        /// The largest number there is: too many files to say.
        case weight(application: UInt32, ByteCount)
    }

    private let answer: (Answer) -> Void
    private let desk: Desk
    private var isStarted = false

    package init(answer: @escaping (Answer) -> Void) throws(SystemError) {
        self.answer = answer
        desk = Desk(asked: try Descriptor.eventCounter(), answered: try Descriptor.eventCounter())
    }

    /// Asks; the answer comes in a later turn.
    package func ask(_ question: Question) {
        desk.questions.withLock { $0.append(question) }
        if !isStarted { isStarted = DetachedThread.start { [desk] in desk.serve() } }
        guard isStarted else { return answer(Desk.answer(to: desk.questions.withLock { $0.removeLast() })) }
        desk.asked.raise()
    }

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        try registry.add(desk.answered.number, tag: 0, urgent: false)
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: Moment) {
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

    init(asked: consuming Descriptor, answered: consuming Descriptor) {
        self.asked = asked
        self.answered = answered
    }

    /// The thread's life.
    func serve() {
        while true {
            asked.wait()
            guard !isClosed.withLock({ $0 }) else { return }
            let list = questions.withLock { questions in
                defer { questions.removeAll() }
                return questions
            }
            for question in list {
                let answer = Self.answer(to: question)
                answers.withLock { $0.append(answer) }
                answered.raise()
            }
        }
    }

    static func answer(to question: DiskMeter.Question) -> DiskMeter.Answer {
        switch question {
        case .space(let path): return .space(try? FileSystem.space(of: path))
        case .weight(let application, let folders):
            var weight = FolderWeight()
            let isKnown = folders.allSatisfy { weight.add($0) }
            return .weight(application: application, ByteCount(bytes: isKnown ? weight.bytes : .max))
        }
    }
}
