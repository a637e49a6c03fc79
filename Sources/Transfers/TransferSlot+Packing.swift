import TaskModel

// The policy's form of a transfer.
extension TransferSlot {
    /// Packs what the policy needs to know of a transfer: a new one, or one of the record. One that ran, or asked, tries again.
    ///
    /// - Parameters:
    ///   - url: that of its request; nil: it is none of HTTP.
    ///   - order: grows with each that is added.
    init(
        _ transfer: borrowing BackgroundTransfer, to url: WebURL?, _ session: SessionIndex, _ route: RouteIndex,
        order: Int64
    ) {
        var flags: Flags = transfer.state == .suspended ? .suspended : .begun
        if transfer.isFromBackground { flags.insert(.fromBackground) }
        if transfer.request.allowsExpensive { flags.insert(.expensive) }
        if transfer.request.allowsConstrained { flags.insert(.constrained) }
        if url?.isOfThisMachine != true { flags.insert(.needsNetwork) }
        if transfer.progress.attempts > 0 { flags.insert(.released) }
        self.init(
            session: session, route: route, rank: TransferQueue.rank(transfer.request.priority, order: order),
            earliest: transfer.request.earliest?.nanoseconds ?? Self.none, need: TransferQueue.need(transfer.missing),
            received: transfer.progress.received, flags: flags, place: transfer.state.isOpen ? .parked : .ended,
            kind: transfer.request.kind)
    }
}

extension BackgroundTransfer {
    /// Bytes that a download still needs on disk: of what a server has said, or its application expects before it has begun;
    /// nil: unknown.
    fileprivate var missing: Int64? {
        guard request.kind == .download else { return nil }
        guard let total = progress.total else { return progress.attempts == 0 ? request.expectedReceive : nil }
        return max(0, total.subtractingWithSaturation(progress.received))
    }
}

extension WebURL {
    /// The number of its scheme, host and port (FNV-1a): two with the same number share its connections, which only costs time;
    /// and no table fills up.
    var originNumber: UInt32 { origin.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 } }

    /// It leads to this machine itself, which needs no network.
    fileprivate var isOfThisMachine: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}
