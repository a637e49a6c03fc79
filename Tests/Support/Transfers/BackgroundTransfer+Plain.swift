package import TaskModel

extension BackgroundTransfer {
    /// A suspended one, for tests of the policy, which asks for no name or number of a record.
    ///
    /// - Parameters:
    ///   - origin: the number of its server.
    ///   - needsNetwork: false: its server is on this machine.
    package static func plain(
        _ kind: TransferKind = .download, from origin: UInt32 = 0, needsNetwork: Bool = true, created: Timestamp
    ) -> BackgroundTransfer {
        let url = "http://\(needsNetwork ? "server" : "localhost"):\(origin + 1)/"
        return BackgroundTransfer(
            id: 0, session: 0, of: "", "", number: 0, created: created,
            request: TransferRequest(kind: kind, url: url, method: "GET"))
    }

    /// One of an earlier process, as its application may know it.
    package static func known(
        _ number: UInt32, _ request: TransferRequest, _ state: TransferState = .running, received: Int64 = 0,
        total: Int64? = nil
    ) -> BackgroundTransfer {
        var known = BackgroundTransfer(
            id: 0, session: 0, of: "", "", number: number, created: Timestamp(nanoseconds: 0), request: request,
            state: state)
        (known.progress.received, known.progress.total) = (received, total)
        return known
    }
}
