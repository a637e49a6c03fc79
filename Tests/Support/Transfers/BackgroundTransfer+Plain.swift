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
}
