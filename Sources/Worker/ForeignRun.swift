import CTaskHost
import Synchronization
import TaskModel
import Wire

/// A run whose handler is a foreign function. With a `complete` callback it holds a reference, like a handler that
/// called `retain`, until the function's library completes it.
// It holds a reference of the run, whose state is never unmapped.
@safe final class ForeignRun: ForeignCallContext {
    nonisolated(unsafe) private let state: UnsafeMutablePointer<HandlerRun>  // never unmapped; its members are atomic
    nonisolated(unsafe) let payload: UnsafeRawBufferPointer
    private let holdsReference = Mutex(false)

    private init(_ state: UnsafeMutablePointer<HandlerRun>) {
        unsafe self.state = state
        unsafe payload = UnsafeRawBufferPointer(
            start: state.pointee.task.payload.bytes, count: Int(state.pointee.task.payload.length))
    }

    /// A run for trying a call.
    static func rehearsal(_ state: UnsafeMutablePointer<HandlerRun>) -> ForeignRun { unsafe ForeignRun(state) }

    static func perform(_ call: ForeignCall, _ state: UnsafeMutablePointer<HandlerRun>) {
        // It has until the end of its budget in any case: no one else could complete it.
        unsafe state.pointee.flags.bitwiseOr(HandlerRun.Flags.watches, ordering: .relaxed)
        let run = unsafe ForeignRun(state)
        if call.completesByCallback {
            run.holdsReference.withLock { $0 = true }
            unsafe state.pointee.references.wrappingAdd(1, ordering: .relaxed)
        }
        do throws(ForeignCallError) {
            let result = try call.call(run)
            if call.completesByCallback {
                let kept: (ForeignRun, ForeignCallbacks?) = (run, result.callbacks)
                unsafe state.pointee.guarded.withLock { $0.keepsAlive = Kept(kept.0, kept.1) }
            } else {
                let gives = unsafe !call.givesText || result.success && give(result.text, state.pointee.handle)
                _ = unsafe HostServices.complete(state, success: result.success && gives, result: result.value)
            }
        } catch {
            unsafe WorkerProcess.wire.send(.declined, run: state.pointee.handle, sentence: error.sentence)
            _ = unsafe HostServices.complete(state, success: false, automatic: true)
            run.letGo()
        }
    }

    /// Gives the host the credential that a run renewed, ahead of its completion. It goes nowhere else.
    ///
    /// - Returns: false: there is none.
    private static func give(_ text: String?, _ run: RunHandle) -> Bool {
        guard let text, let frame = SetAuthorization(origin: "", value: text).frame(of: run),
            frame.count <= FrameHeader.longestFromWorker
        else { return false }
        WorkerProcess.wire.send(frame)
        return true
    }

    func shouldStop() -> Bool { unsafe HostServices.shouldStop(state) }
    func timeRemaining() -> Double { unsafe HostServices.timeRemaining(state) }
    func complete(success: Bool) {
        _ = unsafe HostServices.complete(state, success: success)
        letGo()
    }

    private func letGo() {
        let held = holdsReference.withLock { held in
            defer { held = false }
            return held
        }
        if held { unsafe HostServices.release(state) }
    }

    private final class Kept: Sendable {
        let run: ForeignRun
        let callbacks: ForeignCallbacks?
        init(_ run: ForeignRun, _ callbacks: ForeignCallbacks?) {
            self.run = run
            self.callbacks = callbacks
        }
    }
}
