import CLinux
import Foundation
import Glibc
import Linux
import TaskModel
import TestSupport
import Transferring
import Wire

/// The transfer process as the host has it, with a folder for what it fetches.
final class Bench {
    let process: TransferProcess
    let loop: TestLoop
    let folder: TestSupport.Folder
    private(set) var reports: [TransferHandle: [TransferReport]] = [:]
    private(set) var losses: [String] = []
    private var begun: UInt32 = 0

    /// - Parameter folder: nil: a new one.
    init(folder: TestSupport.Folder? = nil, executable: String? = nil) throws {
        self.folder = try folder ?? TestSupport.Folder()
        process = TransferProcess(executable: try executable ?? Places.transfer, user: 1_999_999_999)
        loop = try TestLoop(process)
        process.report = { [unowned self] in reports[$0, default: []].append($1) }
        process.lost = { [unowned self] in losses.append($0) }
    }

    deinit { process.close() }

    func order(_ url: String, kind: TransferKind = .download, method: String = "GET") -> TransferOrder {
        begun += 1
        var order = TransferOrder(
            transfer: TransferHandle(index: begun, generation: 7), kind: kind, url: url, method: method)
        order.grants = [NetworkGrant(.loopback, port: nil)]
        order.timeout = .seconds(20)
        return order
    }

    /// Begins it with a file of that name in the folder.
    func begin(_ order: TransferOrder, file: String = "part") throws {
        try process.begin(
            order, file: .open(folder.file(file).path, [.O_RDWR, .O_CREAT], mode: 0o600),
            folder: .open(folder.path, [.O_RDONLY, .O_DIRECTORY]))
        commit()
    }

    /// What was said to the process leaves, as at the end of a turn.
    func commit() { _ = process.afterCommit(at: Clock.moment()) }

    func wait(_ what: String, until isDone: () -> Bool) throws {
        guard try loop.run(until: isDone) else { throw Problem("\(what) does not come: \(reports) \(losses)") }
    }

    func result(of order: TransferOrder) throws -> TransferResult {
        try wait("the end", until: { end(of: order) != nil || !losses.isEmpty })
        guard let end = end(of: order) else { throw Problem("it is lost: \(losses)") }
        return end
    }

    /// Begins it and waits for its end.
    func run(_ order: TransferOrder, file: String = "part") throws -> TransferResult {
        try begin(order, file: file)
        return try result(of: order)
    }

    func end(of order: TransferOrder) -> TransferResult? {
        guard case .ended(let result)? = reports[order.transfer]?.last else { return nil }
        return result
    }

    /// What was reported of its answer.
    func answer(of order: TransferOrder) -> (
        response: TransferResponse, offset: Int64, total: Int64?, validator: String
    )? {
        for case .answered(let response, _, let offset, let total, let validator) in reports[order.transfer] ?? [] {
            return (response, offset, total, validator)
        }
        return nil
    }

    /// Bytes received, as they were reported on the way.
    func progress(of order: TransferOrder) -> [Int64] {
        (reports[order.transfer] ?? []).compactMap { report in
            guard case .progress(let received, _) = report else { return nil }
            return received
        }
    }

    func bytes(_ file: String = "part") throws -> [UInt8] { try Array(Data(contentsOf: folder.file(file))) }

    /// Bytes that show their own offset.
    static func content(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    }
}
