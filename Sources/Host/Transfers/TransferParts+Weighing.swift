import Linux
import TaskModel
import Transfers
import Workers

// Finished files count towards their applications' `disk`, also without project quotas of the file system.
extension TransferParts {
    /// The size of an application's folders, as transfers know it.
    struct FolderUse {
        /// Bytes when they were weighed last; nil: never.
        var weight: UInt64?
        /// Bytes of files that were finished since.
        var added: UInt64 = 0
        /// Files that may not fit: the folders are measured first.
        var waiting: [TransferHandle: TransferAttempt] = [:]

        func holds(_ size: UInt64, within budget: UInt64) -> Bool {
            guard let weight, weight <= budget else { return false }
            let (sum, overflow) = added.addingReportingOverflow(size)
            return !overflow && sum <= budget - weight
        }
    }

    /// Whether the application may have a finished file of this size in addition to its files.
    ///
    /// - Returns: false: its folders are weighed first, and `finished` is called again.
    func hasRoom(
        for size: Int64, _ handle: TransferHandle, of application: ApplicationIndex, _ attempt: TransferAttempt
    ) throws(TransferRefusal) -> Bool {
        let budget = quotas.budget(of: application)
        // With a quota the file system refuses excess.
        guard size > 0, budget.bytes < .max, quotas.hold(of: application).project == nil else { return true }
        var use = uses[application] ?? FolderUse()
        defer { uses[application] = use }
        if use.holds(UInt64(clamping: size), within: budget.bytes) {
            use.added += UInt64(clamping: size)
            return true
        }
        guard !attempt.isWeighed else {
            throw TransferRefusal(.tooLarge, Self.sentence(on: use, UInt64(clamping: size), budget))
        }
        decider.ask { _ = $0.attemptEnded(handle, .weighed, at: $1) }
        use.waiting[handle] = attempt
        if use.waiting.count == 1 { weighFolders(application) }
        return false
    }

    private static func sentence(on use: FolderUse, _ size: UInt64, _ budget: ByteCount) -> String {
        let weight = use.weight ?? .max
        let held =
            weight == .max
            ? "its folders cannot be weighed" : "its folders hold \(ByteCount(bytes: weight)) of \(budget)"
        return
            "the file is more than the application's disk holds; \(ByteCount(bytes: size)), and \(held); remove some of "
            + "its files, or raise budget.disk"
    }

    /// The application's folders were weighed.
    ///
    /// - Returns: attempts that waited for that, oldest first.
    func weighed(_ application: ApplicationIndex, _ weight: ByteCount) -> [(TransferHandle, TransferAttempt)] {
        guard let use = uses[application] else { return [] }
        uses[application] = FolderUse(weight: weight.bytes)
        return use.waiting.sorted { $0.key.index < $1.key.index }.map { handle, attempt in
            var attempt = attempt
            attempt.isWeighed = true
            return (handle, attempt)
        }
    }

    /// The transfer is over: its file needs no space check any more.
    func stopWeighing(_ handle: TransferHandle, of application: ApplicationIndex) {
        uses[application]?.waiting[handle] = nil
    }
}
