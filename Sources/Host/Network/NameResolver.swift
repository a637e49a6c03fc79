import Linux
import TaskModel

/// Resolves names in helper processes, which may be killed at any time: getaddrinfo(3) has no timeout.
///
/// Thread: the loop's.
final class NameResolver: EventSource {
    typealias Answer = ([String: [NetworkAddress]]) -> Void

    /// How long a query may take; the answers so far count.
    static let patience = TimeSpan.seconds(4)
    /// How many helpers run at once; further queries wait, with the same timeout.
    private static let mostHelpers = 8
    /// 256 names with 32 addresses of 50 bytes.
    private static let mostBytes = 512 << 10

    /// When `renew` has to be called.
    var nextRenewal = Instant.distantFuture
    var renew: () -> Void = {}

    private let executable: String
    private weak var registry: (any SourceRegistry)?
    private var questions: [Question] = []
    private var nextTag: UInt32 = 0

    init(executable: String) { self.executable = executable }

    private final class Question {
        let names: [String]
        let deadline: Instant
        var answer: Answer?
        var helper: Helper?

        init(_ names: [String], until deadline: Instant, _ answer: @escaping Answer) {
            self.names = names
            self.deadline = deadline
            self.answer = answer
        }
    }

    private final class Helper {
        let process: ChildProcess
        let pipe: Descriptor
        /// Of the pipe; the process has the next.
        let tag: UInt32
        var text: [UInt8] = []

        init(process: consuming ChildProcess, pipe: consuming Descriptor, tag: UInt32) {
            self.process = process
            self.pipe = pipe
            self.tag = tag
        }
    }

    /// Calls `answer` once, in a later turn: with the results, after the timeout at the latest.
    func ask(_ names: [String], at now: Instant, _ answer: @escaping Answer) {
        questions.append(Question(names, until: now + Self.patience, answer))
        startSome()
    }

    private func startSome() {
        for question in questions where question.helper == nil && question.answer != nil {
            guard questions.count(where: { $0.helper != nil }) < Self.mostHelpers else { return }
            // Without free descriptors or processes it waits for its turn, or for its timeout.
            question.helper = try? start(question.names)
        }
    }

    private func start(_ names: [String]) throws(SystemError) -> Helper {
        var ends = try DescriptorPair.pipe(nonblocking: true)
        let far = ends.takeFar()
        let process = try ChildProcess(
            executable, ["taskhost-worker", "resolve"] + names,
            environment: ["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"], descriptors: [far.number])
        let helper = Helper(process: process, pipe: ends.takeNear(), tag: nextTag)
        nextTag &+= 2
        do throws(SystemError) {
            try registry?.add(helper.pipe.number, tag: helper.tag, urgent: false)
            try registry?.add(helper.process.handle.descriptor.number, tag: helper.tag &+ 1, urgent: false)
            return helper
        } catch {
            helper.process.kill()
            end(helper)
            throw error
        }
    }

    // MARK: EventSource

    func attach(to registry: any SourceRegistry) throws(SystemError) { self.registry = registry }

    func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        guard let question = questions.first(where: { $0.helper?.tag == tag & ~1 }), let helper = question.helper
        else { return }
        guard tag & 1 == 1 else { return read(helper) }
        read(helper)
        end(helper)
        questions.removeAll { $0 === question }
        finish(question, helper)
        startSome()
    }

    /// Reads the output; a pipe holds 64 KiB.
    private func read(_ helper: Helper) {
        guard let part = try? helper.pipe.read(64 << 10) else { return }
        if part.isEmpty {
            registry?.remove(helper.pipe.number)  // closed, it would be ready for ever
        } else if helper.text.count < Self.mostBytes {
            helper.text += part
        }
    }

    /// It has ended: this does not wait.
    private func end(_ helper: Helper) {
        registry?.remove(helper.pipe.number)
        registry?.remove(helper.process.handle.descriptor.number)
        helper.process.wait()
    }

    private func finish(_ question: Question, _ helper: Helper?) {
        guard let answer = question.answer else { return }
        question.answer = nil
        answer(Self.parse(helper?.text ?? [], question.names))
    }

    /// Lines of an index and an address. Invalid lines are skipped.
    static func parse(_ text: [UInt8], _ names: [String]) -> [String: [NetworkAddress]] {
        var found: [String: [NetworkAddress]] = [:]
        // The last line is whole when a line feed ends it.
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count == 2, let index = Int(words[0]), names.indices.contains(index),
                let address = NetworkAddress(words[1])
            else { continue }
            found[names[index], default: []].append(address)
        }
        return found
    }

    var nextDeadline: Instant {
        questions.reduce(nextRenewal) { $1.answer == nil ? $0 : min($0, $1.deadline) }
    }

    func advance(to now: ClockReading) {
        for question in questions where question.answer != nil && question.deadline <= now.instant {
            // Its end arrives as an event.
            if let helper = question.helper { helper.process.kill() }
            finish(question, question.helper)
        }
        questions.removeAll { $0.answer == nil && $0.helper == nil }
        if nextRenewal <= now.instant { renew() }
    }

    func close() {
        for question in questions {
            guard let helper = question.helper else { continue }
            helper.process.kill()
            end(helper)
        }
        questions.removeAll()
    }
}
