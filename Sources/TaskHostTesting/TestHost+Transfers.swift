public import Foundation
internal import TaskModel

extension TestHost {
    /// The transfers of background sessions that are not over, of all sessions, also while the process is gone: oldest first.
    public var transfers: [TestTransfer] { core.change { $0.transfers.open } }

    /// Lets the server answer a transfer, whatever status it has. The delegate is called; an application whose process is
    /// gone is launched, and one that is suspended is resumed, when all transfers of the session are over:
    /// `handleEventsForBackgroundURLSession` comes first.
    /// - Parameters:
    ///   - transfer: one of `transfers`.
    ///   - status: of HTTP.
    ///   - headers: the fields of the answer.
    ///   - body: the file of a download, or what an upload is answered.
    /// - Throws: `TestHostError.unknownTransfer` when it is over, or was not resumed.
    public func respond(
        to transfer: TestTransfer, status: Int = 200, headers: [String: String] = [:], body: Data = Data()
    ) async throws {
        let file = core.folder.appending(path: "transfer-\(UUID().uuidString)")
        try body.write(to: file)
        let size = Int64(body.count)
        let answer = TransferAnswer(
            status: UInt32(clamping: status), headers: headers.sorted { $0.key < $1.key }, path: file.path, size: size)
        try await end(transfer) { $0.answer(transfer, answer) }
    }

    /// Lets a part of a transfer pass: the delegate hears of progress, if the application's process works and has the session
    /// open, as with a daemon. It hears on its own queue, soon after this returns; reports that come faster than that queue
    /// takes them become one.
    /// - Parameters:
    ///   - transfer: one of `transfers`.
    ///   - count: bytes since its beginning, received of a download and sent of an upload.
    ///   - total: of all its bytes; nil: the server does not say.
    /// - Throws: as `respond`.
    public func progress(_ transfer: TestTransfer, to count: Int64, of total: Int64? = nil) async throws {
        guard core.change({ $0.progress(transfer, count, total) }) else {
            throw TestHostError.unknownTransfer("\(transfer.session) \(transfer.identifier)")
        }
        await settle()
    }

    /// Lets a transfer fail.
    /// - Parameters:
    ///   - transfer: one of `transfers`.
    ///   - code: of the error that the delegate gets.
    /// - Throws: as `respond`.
    public func fail(_ transfer: TestTransfer, with code: URLError.Code) async throws {
        try await end(transfer) { $0.fail(transfer, Int32(clamping: code.rawValue)) }
    }

    private func end(_ transfer: TestTransfer, _ change: (HostModel) -> Bool) async throws {
        guard core.change(change) else {
            throw TestHostError.unknownTransfer("\(transfer.session) \(transfer.identifier)")
        }
        await settle()
        _ = await core.wait(within: patience) { model, isIdle in isIdle && !model.transfers.isTelling }
        await settle()
    }
}
