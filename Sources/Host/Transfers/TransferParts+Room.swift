import TaskModel
import Transferring
import Transfers

// Unfinished files count towards their applications' `disk` as finished ones do, and have their room before they are written.
extension TransferParts {
    /// What an attempt reserves whose size is unknown.
    private static let leastReserve: UInt64 = 1 << 20

    /// Reserves an attempt's room beside the application's other unfinished files and its finished ones. Parts that stay for
    /// other tasks give way, the oldest first.
    ///
    /// - Parameters:
    ///   - size: what it has already.
    ///   - total: what it is to have; nil: unknown.
    /// - Returns: nil: it has it. Else why not, for display: it waits until others are over.
    func reserve(
        _ id: Int64, size: UInt64, total: Int64?, of application: ApplicationIndex
    ) -> String? {
        let budget = quotas.budget(of: application)
        let wanted = max(size, total.map { UInt64(clamping: max(0, $0)) } ?? min(Self.leastReserve, budget.bytes / 8))
        guard budget.bytes < .max else { return nil }
        // What is too large by itself ends as too large.
        let want = min(wanted, budget.bytes)
        var others = holdings[application, default: PartLedger()].others(than: id)
        while others > 0, !fits(want, beside: others, of: application, within: budget.bytes),
            let old = holdings[application]?.oldestKept(but: id)
        {
            knownFolder(of: application)?.remove(old)
            holdings[application]?.set(old, 0)
            others = holdings[application]?.others(than: id) ?? 0
        }
        // Alone it may always try: whether its finished file fits is found out then.
        guard others > 0, !fits(want, beside: others, of: application, within: budget.bytes) else {
            holdings[application]?.set(id, want)
            return nil
        }
        // Its files may be fewer than when they were weighed.
        if want <= budget.bytes, others <= budget.bytes - want, uses[application]?.waiting.isEmpty == true {
            weighFolders(application)
        }
        return crowding(others, application)
    }

    private func crowding(_ others: UInt64, _ application: ApplicationIndex) -> String {
        "the application's disk is taken; its unfinished transfers hold \(ByteCount(bytes: others)), and its files "
            + "\(ByteCount(bytes: held(by: application))), of \(quotas.budget(of: application)); cancel some, remove "
            + "files, or raise budget.disk"
    }

    /// Why an attempt had no room for more.
    func crowding(of id: Int64, _ application: ApplicationIndex) -> String {
        crowding(holdings[application]?.others(than: id) ?? 0, application)
    }

    /// Bytes that an attempt may add to what it has, beside the application's other files: the transfer process stops it
    /// there, before a whole answer has come. nil: it is alone, or there is no budget.
    func room(for id: Int64, size: UInt64, of application: ApplicationIndex) -> Int64? {
        let budget = quotas.budget(of: application).bytes
        let others = holdings[application]?.others(than: id) ?? 0
        guard budget < .max, others > 0 else { return nil }
        guard let left = left(beside: others, of: application, within: budget), size <= left else { return 0 }
        return Int64(clamping: left - size)
    }

    private func fits(
        _ want: UInt64, beside others: UInt64, of application: ApplicationIndex, within budget: UInt64
    ) -> Bool {
        left(beside: others, of: application, within: budget).map { want <= $0 } ?? false
    }

    /// What the other unfinished files and the finished ones leave of the budget; nil: they have more than that.
    private func left(beside others: UInt64, of application: ApplicationIndex, within budget: UInt64) -> UInt64? {
        let (sum, isTooMuch) = others.addingReportingOverflow(held(by: application))
        return isTooMuch || sum > budget ? nil : budget - sum
    }

    /// Bytes of its finished files, as far as they were weighed. With a quota the file system counts them.
    private func held(by application: ApplicationIndex) -> UInt64 {
        guard let use = uses[application], let weight = use.weight, weight < .max else { return 0 }
        let (sum, isTooMuch) = weight.addingReportingOverflow(use.added)
        return isTooMuch ? .max : sum
    }

    /// No attempt writes its part any more.
    func settle(_ id: Int64, of application: ApplicationIndex, isOver: Bool) {
        guard let folder = knownFolder(of: application) else { return }
        let size = UInt64(clamping: folder.size(of: id))
        holdings[application, default: PartLedger()].set(id, size, isKept: isOver)
    }
}
