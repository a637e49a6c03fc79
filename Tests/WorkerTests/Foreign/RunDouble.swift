import Synchronization
import Worker

/// A run as foreign functions see it: its payload is fixed, its clock is set, its completions are counted.
final class RunDouble: ForeignCallContext {
    private struct State {
        var stops = false
        var remaining = 0.0
        var questions = 0
        var completions: [Bool] = []
    }
    // Written by init alone.
    nonisolated(unsafe) let payload: UnsafeRawBufferPointer
    private let stopsAfter: Int
    private let state: Mutex<State>

    /// - Parameter stopsAfter: `shouldStop` says no this many times, then yes.
    init(payload: String = "", stopsAfter: Int = .max, remaining: Double = 0) {
        let bytes = Array(payload.utf8)
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
        copy.copyBytes(from: bytes)
        copy[bytes.count] = 0
        self.payload = UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
        self.stopsAfter = stopsAfter
        state = Mutex(State(remaining: remaining))
    }

    deinit { payload.deallocate() }

    var questions: Int { state.withLock { $0.questions } }
    var completions: [Bool] { state.withLock { $0.completions } }

    func shouldStop() -> Bool {
        state.withLock {
            $0.questions += 1
            return $0.questions > stopsAfter
        }
    }
    func complete(success: Bool) { state.withLock { $0.completions.append(success) } }
    func timeRemaining() -> Double { state.withLock { $0.remaining } }
}
