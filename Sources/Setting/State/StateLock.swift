import Linux
import TaskModel

/// The lock of a state folder, in two parts: the passage, which each host takes, and behind it the place of those that stay.
///
/// Who stays takes the place first, and then waits for the passage until a verb has given that back; a verb that takes the
/// passage gives way to whom has the place. So a daemon that starts waits for one answer at most, however many verbs ask.
/// Hosts of before take both parts at once, as one.
enum StateLock {
    /// Bytes of the passage, from the first on; the place is all that follow.
    private static let passage: Int64 = 1 << 30

    /// How long a passing stay is waited for before a message, and afterwards.
    private static let quietWait = TimeSpan.seconds(1)
    private static let toldWait = TimeSpan.seconds(30)
    /// The pause between two tries: a verb has the folder for some 50 ms.
    private static let pause = TimeSpan.milliseconds(5)

    static func take(
        _ lock: borrowing Descriptor, _ path: String, for stay: StateFolder.Stay, _ say: (String) -> Void
    ) throws(HostError) {
        let holder: LockHolder
        do throws(SystemError) {
            switch stay {
            case .passing: holder = try pass(lock)
            case .lasting: holder = try settle(lock, path, say)
            }
            if holder == .nobody { try sign(lock, path) }
        } catch {
            throw .stateUnusable(path: path, error)
        }
        guard holder != .nobody else { return }
        throw .stateIsHeld(path: path, pid: number(of: holder, lock, path))
    }

    /// Who has the folder for long, or waits for it.
    static func lastingHolder(of lock: borrowing Descriptor) -> LockHolder { lock.lockHolder(start: passage) }

    /// - Returns: who has it, unless this process has it now.
    private static func pass(_ lock: borrowing Descriptor) throws(SystemError) -> LockHolder {
        let isFree = try lock.lockForProcess(length: passage)
        let lasting = lastingHolder(of: lock)
        return isFree || lasting != .nobody ? lasting : known(lock.lockHolder(length: passage))
    }

    private static func settle(
        _ lock: borrowing Descriptor, _ path: String, _ say: (String) -> Void
    ) throws(SystemError) -> LockHolder {
        guard try lock.lockForProcess(start: passage) else { return known(lastingHolder(of: lock)) }
        let start = Clock.moment().instant
        var hasSaid = false
        while try !lock.lockForProcess(length: passage) {
            let waited = Clock.moment().instant - start
            if waited >= quietWait, !hasSaid {
                hasSaid = true
                say("waiting for a verb that has the state folder; \(path): \(clause(lock)); let it end, or end it")
            }
            if waited >= quietWait + toldWait { return known(lock.lockHolder(length: passage)) }
            Clock.pause(pause)
        }
        return .nobody
    }

    /// It had the lock a moment ago.
    private static func known(_ holder: LockHolder) -> LockHolder { holder == .nobody ? .unknown : holder }

    private static func clause(_ lock: borrowing Descriptor) -> String {
        guard case .process(let pid) = lock.lockHolder(length: passage) else { return "another process has it" }
        let name = ProcessStatus.name(of: pid).map { " (\($0))" } ?? ""
        return "process \(pid)\(name) has it"
    }

    /// Overwrites the contents, then truncates: a full disk does not give a block back. Without one only the lock
    /// counts.
    private static func sign(_ lock: borrowing Descriptor, _ path: String) throws(SystemError) {
        let own = Array("\(ThisProcess.pid)\n".utf8)
        do throws(SystemError) {
            try FileSystem.write(own, to: lock, naming: path + "/" + StateFolder.lockName)
        } catch {
            guard error.code == .ENOSPC || error.code == .EDQUOT else { throw error }
        }
        try lock.setLength(Int64(own.count))
    }

    /// The kernel's word, or else the file's.
    private static func number(of holder: LockHolder, _ lock: borrowing Descriptor, _ path: String) -> Int32? {
        if case .process(let pid) = holder { return pid }
        let text = try? FileSystem.read(lock, limit: 64, naming: path)
        return text.flatMap { Int32(String(decoding: $0, as: UTF8.self).prefix { $0.isNumber }) }
    }
}
