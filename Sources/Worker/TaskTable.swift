import CTaskHost
import Linux
import Synchronization
import TaskModel
import Wire

/// One task of the application in this process: the host's data, and the code once it was found.
// Its texts live as long as the process.
@safe final class TaskEntry: @unchecked Sendable {  // `code` is written under the table's lock; the rest is constant
    let plan: TaskPlan
    /// C strings that live as long as the process, for `taskhost_task_t`.
    let identifier: taskhost_bytes
    let settings: taskhost_bytes
    fileprivate var code: Code?

    // The library is never unmapped.
    @safe enum Code {
        case handler(taskhost_handler_fn)
        case foreign(ForeignCall)
        /// The application's event callback.
        case event(ApplicationHooks)
        case command(ProgramCommand)
    }

    /// Whether the task's identifier is a wildcard that matches `name`.
    func standsFor(_ name: String) -> Bool { IdentifierPattern.stands(plan.identifier, for: name) }

    init(_ plan: TaskPlan) {
        self.plan = plan
        unsafe identifier = taskhost_bytes(copying: plan.identifier)
        unsafe settings = taskhost_bytes(copying: plan.settings)
    }
}

/// The application's tasks by index, and the way from a task to its code.
final class TaskTable: Sendable {
    // The library is never unmapped.
    @safe private struct State {
        var entries: [TaskEntry] = []
        var library: LoadedLibrary?
        var hooks: ApplicationHooks?
        var others: [String: LoadedLibrary] = [:]
        /// Handlers of concrete identifiers of wildcards.
        var concrete: [String: taskhost_handler_fn] = unsafe [:]
    }
    private let state = Mutex(State())

    func append(_ plan: TaskPlan) {
        let entry = TaskEntry(plan)
        state.withLock { $0.entries.append(entry) }
    }

    func use(_ library: LoadedLibrary) {
        state.withLock { $0.library = library }
    }

    func use(_ hooks: ApplicationHooks) {
        state.withLock { $0.hooks = hooks }
    }

    /// `TASKHOST_…` status of registering a handler at launch.
    func register(_ identifier: String, _ handler: taskhost_handler_fn) -> Int32 {
        state.withLock { state in
            guard let entry = state.entries.first(where: { $0.plan.identifier == identifier }) else {
                return TASKHOST_UNKNOWN
            }
            guard entry.code == nil else { return TASKHOST_INVALID }
            entry.code = unsafe .handler(handler)
            return TASKHOST_OK
        }
    }

    /// `TASKHOST_…` status of registering or replacing a handler at any time, also that of a concrete identifier of a
    /// wildcard.
    func replace(_ identifier: String, _ handler: taskhost_handler_fn) -> Int32 {
        state.withLock { state in
            if let entry = state.entries.first(where: { $0.plan.identifier == identifier }) {
                entry.code = unsafe .handler(handler)
                return TASKHOST_OK
            }
            guard state.entries.contains(where: { $0.standsFor(identifier) }) else { return TASKHOST_UNKNOWN }
            let isNew = unsafe state.concrete[identifier] == nil
            guard unsafe !isNew || state.concrete.count < ServiceLimits.handlers else { return TASKHOST_INVALID }
            unsafe state.concrete[identifier] = unsafe handler
            return TASKHOST_OK
        }
    }

    /// The permitted identifiers for `taskhost_scheduling_t`. Never freed.
    func permitted() -> UnsafeMutableBufferPointer<taskhost_permitted> {
        unsafe state.withLock { state in
            let entries = state.entries.filter { !$0.plan.kind.isEvent }
            let list = UnsafeMutableBufferPointer<taskhost_permitted>.allocate(capacity: entries.count)
            for (index, entry) in entries.enumerated() {
                unsafe list.initializeElement(
                    at: index,
                    to: taskhost_permitted(
                        identifier: entry.identifier, kind: UInt32(entry.plan.kind.rawValue), reserved: 0))
            }
            nonisolated(unsafe) let result = unsafe list
            return unsafe result
        }
    }

    /// The task and its code, looked up at the first run; `name` is the concrete identifier where the task is a wildcard.
    func code(
        of index: UInt32, name: UnsafeRawBufferPointer, variables: [(name: String, value: String)]
    ) throws(LoadError) -> (TaskEntry, TaskEntry.Code) {
        let result: Result<(TaskEntry, TaskEntry.Code), LoadError> = state.withLock { state in
            guard index < state.entries.count else { return .failure(LoadError("the host named an unknown task")) }
            let entry = state.entries[Int(index)]
            if unsafe !name.isEmpty, let handler = unsafe state.concrete[String(decoding: name, as: UTF8.self)] {
                return unsafe .success((entry, .handler(handler)))
            }
            if let code = entry.code { return .success((entry, code)) }
            do throws(LoadError) {
                let code = try Self.find(entry.plan.handler, of: entry.plan.identifier, in: &state, variables)
                entry.code = code
                return .success((entry, code))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func find(
        _ handler: Handler, of identifier: String, in state: inout State, _ variables: [(name: String, value: String)]
    ) throws(LoadError) -> TaskEntry.Code {
        switch handler {
        case .registered:
            throw LoadError("the application has registered no handler for \(identifier)")
        case .event:
            guard let hooks = state.hooks, hooks.takesEvents else {
                throw LoadError(
                    "the application has no event callback, which \(identifier) is delivered by; set event in its "
                        + "\(TASKHOST_APPLICATION_SYMBOL), or take the mode out of the manifest's backgroundModes")
            }
            return .event(hooks)
        case .command(let command): return .command(command)
        case .symbol(let name):
            guard let library = state.library else { throw LoadError("the application has no library") }
            return unsafe .handler(unsafeBitCast(try library.address(of: name), to: taskhost_handler_fn.self))
        case .foreign(let function):
            let library: LoadedLibrary
            if let path = function.library {
                if let known = state.others[path] {
                    library = known
                } else {
                    library = try LoadedLibrary(path)
                    state.others[path] = library
                }
            } else if let own = state.library {
                library = own
            } else {
                throw LoadError("the application has no library")
            }
            let address = try unsafe library.address(of: function.symbol)
            do throws(ForeignCallError) {
                return unsafe .foreign(try ForeignCall(function, address: address, variables: variables))
            } catch {
                throw LoadError("\(function.symbol): \(error.sentence)")
            }
        }
    }
}

extension taskhost_bytes {
    /// A NUL-terminated copy that is never freed.
    init(copying text: String) {
        let count = text.utf8.count
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: count + 1)
        for (index, byte) in text.utf8.enumerated() { unsafe copy[index] = CChar(bitPattern: byte) }
        unsafe copy[count] = 0
        unsafe self.init(bytes: copy, length: UInt64(count))
    }
}
