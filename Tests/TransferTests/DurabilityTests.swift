import Foundation
import TaskModel
import TestSupport
import Testing
import Wire

@testable import Transfer

@Suite("What a failed sync costs", .disabled(if: Places.isSanitized, "the built program is another one"))
struct DurabilityTests {
    private static let content = Bench.content(300_000)

    /// The transfer process under a kernel that fails a sync once.
    private func bench(_ call: String, use: Int = 1, code: Int32 = EIO) throws -> Bench {
        let folder = try TestSupport.Folder()
        let life = try KernelPlayer.Life(
            KernelPlayer.Fault(.transfer, call, use: use, code: code), at: folder.file("played"))
        let words = try life.environment.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
        let script = try folder.writeProgram("transfer", "#!/bin/sh\nexec env \(words) '\(Places.transfer)' \"$@\"\n")
        return try Bench(folder: folder, executable: script.path)
    }

    private func server(_ content: [UInt8] = content) throws -> Origin {
        let server = try Origin()
        try server.add("file", content)
        return server
    }

    @Test(arguments: [(EIO, TransferResult.Kind.interrupted), (ENOSPC, .noSpace)])
    func `A file that cannot be synced is cut to its last durable byte`(
        _ code: Int32, _ kind: TransferResult.Kind
    ) throws {
        let server = try server()
        let bench = try bench("fdatasync", code: code)
        try bench.folder.write("part", Self.content.prefix(70_000))
        var order = bench.order(server.url("flap?file=file&times=0"))
        (order.offset, order.durable, order.validator) = (70_000, 50_000, "\"flap\"")
        let result = try bench.run(order)
        #expect(result.kind == kind && result.received == 50_000 && !result.isFileUseless, "\(result)")
        #expect(try bench.bytes() == Array(Self.content.prefix(50_000)))
        // And is fetched again.
        var next = bench.order(order.url)
        (next.offset, next.durable, next.validator) = (50_000, 50_000, "\"flap\"")
        #expect(try bench.run(next).kind == .finished)
        #expect(try bench.bytes() == Self.content)
    }

    @Test func `Without its folder's entry nothing of a file is durable`() throws {
        let server = try server()
        let bench = try bench("fsync")
        let result = try bench.run(bench.order(server.url("flap?file=file&times=0")))
        #expect(result.kind == .interrupted && result.isFileUseless && result.received == 0, "\(result)")
        #expect(try bench.bytes().isEmpty)
    }

    @Test
    func `A checkpoint that fails ends the attempt, though the next sync would succeed`() throws {
        var content: [UInt8] = []
        content.reserveCapacity(80 << 20)
        while content.count < (64 << 20) + 300_000 { content += Self.content }
        let server = try server(content)
        let bench = try bench("fdatasync")
        let first = bench.order(server.url("late?file=file&sent=\(64 << 20)&seconds=6"))
        let result = try bench.run(first)
        #expect(result.kind == .interrupted && result.received == 0, "\(result)")
        #expect(try bench.bytes().isEmpty)
    }

    @Test func `Checkpoints of bytes that were cut away count no more`() {
        var standing = Durability(of: 10)
        standing.checkpointBegan()
        standing.cut(to: 5)
        #expect(standing.bytes == 5)
        standing.checkpointBegan()
        let isOld = standing.reached(100)
        #expect(!isOld)
        standing.checkpointEnded()
        let isFresh = standing.reached(50)
        #expect(isFresh && standing.bytes == 50 && standing.isBusy)
        standing.checkpointEnded()
        #expect(!standing.isBusy)
    }
}
