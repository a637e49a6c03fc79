import CLinux
import Glibc
import Synchronization
import Wire

/// Questions to the host and the threads that wait for their answers. A waiting thread sleeps on a futex; whoever reads
/// the wire wakes it.
final class HostQuestions: Sendable {
    enum Answer: Sendable {
        case submission(SubmissionReply)
        case pending([RequestFrame])
        case session(SessionOpened)
    }

    /// One question, shared by the thread that asks and the one that reads the wire.
    private final class Question: Sendable {
        /// Futex word: 1 once the answer is whole.
        nonisolated(unsafe) let word: UnsafeMutablePointer<UInt32>
        let answer = Mutex<Answer?>(nil)

        init() {
            word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
            word.initialize(to: 0)
        }
        deinit { word.deallocate() }

        func wait() -> Answer {
            while true {
                if let answer = answer.withLock({ word.pointee == 1 ? $0 : nil }) { return answer }
                _ = clinux_futex_wait(word, 0, -1)
            }
        }
    }

    private struct State {
        var open: [UInt32: Question] = [:]
        var lastCallID: UInt32 = 0
    }
    private let state = Mutex(State())
    /// Futex word, changed under the lock whenever a question is done.
    nonisolated(unsafe) private let done: UnsafeMutablePointer<UInt32>

    init() {
        done = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
        done.initialize(to: 0)
    }

    /// Sends what `frame` makes of a call ID and waits for its answer; the host's end ends the process meanwhile. The caller
    /// has seen to it that another thread reads the wire.
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
                guard state.open.count < ServiceLimits.openCalls else { return (nil, done.pointee) }
                repeat { state.lastCallID &+= 1 } while state.open[state.lastCallID] != nil
                state.open[state.lastCallID] = question
                return (state.lastCallID, 0)
            }
            if let callID { return callID }
            _ = clinux_futex_wait(done, seen, -1)
        }
    }

    /// An answer of the host; `more` says that another frame of it follows. A host does not answer what nobody asked.
    func answer(_ callID: UInt32, _ part: Answer, more: Bool) throws(WireError) {
        let found = state.withLock { state in
            guard let question = state.open[callID] else { return nil as Question? }
            if !more {
                state.open[callID] = nil
                done.pointee &+= 1
            }
            return question
        }
        guard let question = found else { throw .badValue }
        question.answer.withLock { answer in
            switch (answer, part) {
            case (.pending(let earlier), .pending(let later)): answer = .pending(earlier + later)
            case (.session(var earlier), .session(let later)):
                earlier.transfers += later.transfers
                answer = .session(earlier)
            default: answer = part
            }
            if !more { question.word.pointee = 1 }
        }
        guard !more else { return }
        _ = clinux_futex_wake(question.word, 1)
        _ = clinux_futex_wake(done, 1)
    }
}
