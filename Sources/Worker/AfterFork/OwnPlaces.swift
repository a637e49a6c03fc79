import Linux
import Wire

/// What the programs of a root host's applications have for themselves: shared memory, and a user with a name.
enum OwnPlaces {
    /// Where POSIX shared memory and semaphores are (shm_overview(7), sem_overview(7)).
    static let memory = "/dev/shm"
    /// Of the files with names of users and groups.
    private static let mostBytes = 4 << 20

    /// Makes them, in a process that is root still.
    ///
    /// - Returns: false: the machine does not let it, as containers may. Then both are the machine's.
    static func make(_ plan: LaunchPlan) -> Bool {
        guard plan.sharedMemory > 0, ThisProcess.isRoot else { return false }
        let identity = plan.identity
        do throws(SystemError) {
            try OwnMounts.begin()
            try OwnMounts.memory(
                at: memory, size: plan.sharedMemory == .max ? nil : plan.sharedMemory, user: identity.user,
                group: identity.group)
        } catch {
            return false
        }
        guard identity.kind == .own else { return true }
        // As passwd(5) and group(5) have it. Without a name it works all the same.
        let name = "taskhost-\(identity.user)"
        add("\(name):x:\(identity.user):\(identity.group)::\(plan.stateDirectory):/bin/sh", to: "/etc/passwd")
        add("\(name):x:\(identity.group):", to: "/etc/group")
        return true
    }

    private static func add(_ line: String, to file: String) {
        guard let open = try? Descriptor.open(file, .O_RDONLY),
            var bytes = try? FileSystem.read(open, limit: mostBytes, naming: file)
        else { return }
        if let last = bytes.last, last != 0x0A { bytes.append(0x0A) }
        try? OwnMounts.replace(file, by: bytes + Array(line.utf8) + [0x0A], in: memory)
    }
}
