import Foundation
import Glibc
import TaskModel
import TestSupport
import Testing
import Wire

@testable import Transfer

@Suite("A device that is full for a while")
struct FullDeviceTests {
    /// A file system of 160 MiB on a device whose backing has less, mounted at a folder.
    private final class Device {
        let folder: TestSupport.Folder
        private let backing: TestSupport.Folder

        init(megabytes: Int) throws {
            (folder, backing) = (try TestSupport.Folder(), try TestSupport.Folder())
            try Self.shell(
                """
                mount -t tmpfs -o size=\(megabytes)m none "$0"
                truncate -s 160m "$0/image"
                mkfs.ext4 -q -E nodiscard,lazy_itable_init=1 -O ^has_journal "$0/image"
                mount -o loop "$0/image" "$1"
                """, backing.path, folder.path)
        }

        deinit { try? Self.shell("umount -l \"$1\"; umount -l \"$0\"", backing.path, folder.path) }

        func grow() throws { try Self.shell("mount -o remount,size=200m \"$0\"", backing.path) }

        private static func shell(_ script: String, _ words: String...) throws {
            let end = try Command.run("sh", ["-ec", script] + words)
            guard end.succeeded else { throw Problem("\(script): \(end)") }
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root has loop devices"))
    func `What it lost is fetched again, and nothing else is delivered`() throws {
        let piece = Bench.content(300_000)
        var content: [UInt8] = []
        content.reserveCapacity(101 << 20)
        while content.count < 100 << 20 { content += piece }
        let server = try Origin()
        try server.add("file", content)
        let device = try Device(megabytes: 40)
        let bench = try Bench(folder: device.folder)
        let first = bench.order(server.url("late?file=file&sent=\(64 << 20)&seconds=6"))
        let result = try bench.run(first)
        #expect([.interrupted, .noSpace].contains(result.kind), "\(result)")
        let kept = try bench.bytes()
        #expect(result.received == Int64(kept.count) && Data(kept) == Data(content.prefix(kept.count)), "\(result)")
        try device.grow()
        var next = bench.order(server.url("late?file=file&sent=\(64 << 20)&seconds=0"))
        (next.offset, next.durable, next.validator) = (Int64(kept.count), Int64(kept.count), "\"late\"")
        #expect(try bench.run(next).kind == .finished)
        #expect(try Data(bench.bytes()) == Data(content))
    }
}
