import Linux
import Synchronization
import TaskModel
import Wire

/// Requests to the host and the threads that wait for the replies. A waiting thread sleeps on a futex; the thread that
/// reads the wire wakes it.
final class HostQuestions: Sendable {
    enum Answer: Sendable {
        case submission(SubmissionReply)
        case pending([TaskRequest])
        case session(SessionOpened)

        /// Takes in the next part of a list, which may come in a thousand of them: nothing else holds the list while it grows,
        /// so it is not copied with each.
        mutating func append(_ part: Answer) {
            if case .session(var whole) = self, case .session(let next) = part {
                self = part
                whole.transfers += next.transfers
                self = .session(whole)
            } else if case .pending(var whole) = self, case .pending(let next) = part {
                self = part
                whole += next
                self = .pending(whole)
            } else {
                self = part
            }
        }
    }

    /// One question, shared by the thread that asks and the one that reads the wire.
    private final class Question: Sendable {
        /// 1 once the answer is whole.
        let word = Futex()
        let answer = Mutex<Answer?>(nil)

        func wait() -> Answer {
            while true {
                if let answer = answer.withLock({ word.value == 1 ? $0 : nil }) { return answer }
                word.wait(while: 0)
            }
        }
    }

    private struct State {
        var open: [UInt32: Question] = [:]
        var lastCallID: UInt32 = 0
    }
    private let state = Mutex(State())
    /// Changed under the lock whenever a question is done.
    private let done = Futex()

    /// Sends the frame for a call ID and waits for its reply; when the host ends, the process ends. The caller has ensured
    /// that another thread reads the wire.
    func ask(_ frame: (UInt32) -> [UInt8]) -> Answer {
        let question = Question()
        let callID = takeCallID(question)
        WorkerProcess.wire.send(frame(callID))
        return question.wait()
    }

    /// A free call ID; waits while as many are open as the host allows.
    private func takeCallID(_ question: Question) -> UInt32 {
        while true {
            let (callID, seen) = state.withLock { state -> (UInt32?, UInt32) in
                guard state.open.count < ServiceLimits.openCalls else { return (nil, done.value) }
                repeat { state.lastCallID &+= 1 } while state.open[state.lastCallID] != nil
                state.open[state.lastCallID] = question
                return (state.lastCallID, 0)
            }
            if let callID { return callID }
            done.wait(while: seen)
        }
    }

    /// A reply of the host; `more` says that another frame of it follows. A reply without a request breaks the
    /// protocol.
    func answer(_ callID: UInt32, _ part: Answer, more: Bool) throws(WireError) {
        let found = state.withLock { state in
            guard let question = state.open[callID] else { return nil as Question? }
            if !more {
                state.open[callID] = nil
                done.advance()
            }
            return question
        }
        guard let question = found else { throw .badValue }
        question.answer.withLock { answer in
            if answer?.append(part) == nil { answer = part }
            if !more { question.word.set(1) }
        }
        guard !more else { return }
        question.word.wakeOne()
        done.wakeOne()
    }
}
