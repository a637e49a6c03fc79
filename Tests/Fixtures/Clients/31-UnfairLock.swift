import BackgroundTasks
import os

final class Guarded<Value> {
    private let lock: os_unfair_lock_t
    private var value: Value

    init(_ value: Value) {
        lock = .allocate(capacity: 1)
        lock.initialize(to: os_unfair_lock())
        self.value = value
    }

    deinit {
        lock.deinitialize(count: 1)
        lock.deallocate()
    }

    func around<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        os_unfair_lock_lock(lock)
        defer { os_unfair_lock_unlock(lock) }
        return try body(&value)
    }

    func ifFree(_ body: (inout Value) -> Void) -> Bool {
        guard os_unfair_lock_trylock(lock) else { return false }
        defer { os_unfair_lock_unlock(lock) }
        body(&value)
        return true
    }
}

final class Once {
    private var lock = os_unfair_lock_s()
    private var isDone = false

    func complete(_ task: BGTask, success: Bool) {
        os_unfair_lock_lock(&lock)
        defer { os_unfair_lock_unlock(&lock) }
        os_unfair_lock_assert_owner(&lock)
        guard !isDone else { return }
        isDone = true
        task.setTaskCompleted(success: success)
    }
}
