import CLinux
import Foundation
import Glibc
import Linux
import TaskModel
import TestSupport
import Transferring
import Wire

extension Bench {
    /// An order of an upload of so many bytes, which the file `source` of the folder gets.
    func upload(_ url: String, _ bytes: [UInt8], _ upload: TransferOrder.Upload = .plain, method: String = "PUT") throws
        -> TransferOrder
    {
        try folder.write("source", bytes)
        var order = order(url, kind: .upload, method: method)
        order.total = Int64(bytes.count)
        order.upload = upload
        order.sizeLimit = TransferLimit.answerBody
        return order
    }

    func beginUpload(_ order: TransferOrder) throws {
        try process.begin(
            order, file: .open(folder.file("answer").path, [.O_RDWR, .O_CREAT, .O_TRUNC], mode: 0o600),
            folder: .open(folder.path, [.O_RDONLY, .O_DIRECTORY]),
            source: .open(folder.file("source").path, .O_RDONLY))
        commit()
    }

    func runUpload(_ order: TransferOrder) throws -> TransferResult {
        try beginUpload(order)
        return try result(of: order)
    }

    /// Where the server keeps it, as the last report says; nil: there is no report.
    func place(of order: TransferOrder) -> String? {
        for case .uploadCreated(let location) in (reports[order.transfer] ?? []).reversed() { return location }
        return nil
    }

    /// The interim answers that were reported.
    func interim(of order: TransferOrder) -> [TransferResponse] {
        (reports[order.transfer] ?? []).compactMap { if case .informed(let response) = $0 { response } else { nil } }
    }

    var answer: String {
        get throws { String(decoding: try bytes("answer"), as: UTF8.self) }
    }
}
