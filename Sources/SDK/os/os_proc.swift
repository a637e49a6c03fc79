internal import CTaskHost
internal import TaskHostRuntime

/// How much more memory the application may use before it is killed, in bytes: the largest memory budget of its tasks, minus
/// this process's usage. Processes that it started count as well, but are not included here. 0 when it is over the budget;
/// and, as on iOS outside of an application, outside of a worker.
public func os_proc_available_memory() -> Int {
    guard let budget = unsafe ConnectedHost.current?.information?.pointee.memory, budget > 0 else { return 0 }
    return max(0, Int(clamping: budget) - residentMemory())
}

/// The process's memory at present, in bytes.
private func residentMemory() -> Int {
    // Pages: of address space, resident, shared with files, …
    let numbers = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    guard numbers.count > 2, let resident = Int(numbers[1]), let shared = Int(numbers[2]) else { return 0 }
    return (resident - shared) * Int(sysconf(Int32(_SC_PAGESIZE)))
}
