import Foundation
import Linux
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Worker

@Suite("The threads of a worker")
struct ThreadTeamTests {
    /// Frames to be received, and what was acted on.
    private final class Wire: Sendable {
        let acted = Mutex<[Int]>([])
        let starts = Atomic(0)
        private let next = Atomic(0)

        /// Until so many frames were asked for.
        func waitForReading(of number: Int) {
            var patience = Patience()
            while next.load(ordering: .relaxed) < number && patience.milliseconds() != nil { usleep(1000) }
        }

        /// The number of the next frame as its length; waits for ever after the third.
        func receive() -> Int {
            let number = next.wrappingAdd(1, ordering: .relaxed).newValue
            while number > 3 { sleep(1000) }
            return number
        }

        func wait(for number: Int) -> Bool {
            var patience = Patience()
            while patience.milliseconds() != nil {
                if acted.withLock({ $0.contains(number) }) { return true }
                usleep(1000)
            }
            return false
        }
    }

    @Test("read on while a handler keeps one, though the first could not be started")
    func startsAgain() {
        let wire = Wire()
        let team = ThreadTeam(
            bufferSize: 64, receive: { _ in wire.receive() },
            act: { frame in
                // The first keeps its thread until the last has been acted on, which takes another thread.
                if frame.count == 1 { _ = wire.wait(for: 3) }
                wire.acted.withLock { $0.append(frame.count) }
            },
            start: { body in
                // The limit of processes was reached when the team began.
                wire.starts.wrappingAdd(1, ordering: .relaxed).newValue > 1 ? DetachedThread.start(body) : false
            })
        #expect(DetachedThread.start { team.lead() })
        #expect(wire.wait(for: 1), "acted on \(wire.acted.withLock { $0 })")
        #expect(wire.acted.withLock { $0 } == [2, 3, 1])
        #expect(wire.starts.load(ordering: .relaxed) >= 2)
    }

    @Test("act on frames that have an order as they came, though one is kept from working in between")
    func inOrder() {
        let wire = Wire()
        let team = ThreadTeam(
            bufferSize: 64, receive: { _ in wire.receive() }, hasOrder: { _ in true },
            act: { frame in
                // The third has come as well by then.
                if frame.count == 1 { wire.waitForReading(of: 4) }
                wire.acted.withLock { $0.append(frame.count) }
            })
        #expect(DetachedThread.start { team.lead() })
        #expect(wire.wait(for: 3) && wire.wait(for: 1))
        #expect(wire.acted.withLock { $0 } == [1, 2, 3])
    }

    @Test(
        "give up the program's text where memory is scarce, when no frame comes, and are awake for the next one",
        arguments: [false, true])
    func text(handlerWaits: Bool) throws {
        let wire = Wire()
        let isUnmapped = Atomic(false)
        @Sendable func waitForUnmapping() {
            var patience = Patience()
            while !isUnmapped.load(ordering: .relaxed) && patience.milliseconds() != nil { usleep(1000) }
        }
        let text = try TouchedText()
        try Patience.wait(for: "the text to be mapped") {
            text.touch()
            return try text.mapped() == TouchedText.pages
        }
        ProgramText.note()
        let team = ThreadTeam(
            bufferSize: 64,
            receive: { _ in
                let number = wire.receive()
                if number == 2 { waitForUnmapping() }
                return number
            },
            act: { frame in
                if frame.count == 1 && handlerWaits { waitForUnmapping() }
                // It keeps its thread until another one reads the wire.
                if frame.count == 2 { _ = wire.wait(for: 3) }
                wire.acted.withLock { $0.append(frame.count) }
            }, isFrugal: true)
        #expect(DetachedThread.start { team.lead() })
        try Patience.wait(for: "the text to be unmapped") { try text.mapped() < TouchedText.pages / 2 }
        isUnmapped.store(true, ordering: .relaxed)
        #expect(wire.wait(for: 1) && wire.wait(for: 2))
    }
}

/// Text of this program, which is mapped where it is read.
private struct TouchedText {
    static let pages = (16 << 20) / size
    private static let size = Int(sysconf(Int32(_SC_PAGESIZE)))

    private let start: UInt

    init() throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let mappings = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n")
        let line = try #require(mappings.first { $0.contains(" r-xp ") && $0.hasSuffix(program) })
        let ends = line.prefix { $0 != " " }.split(separator: "-").map { UInt($0, radix: 16) ?? 0 }
        start = ends[0]
        try #require(ends[1] - ends[0] > Self.pages * Self.size)
    }

    func touch() {
        for page in 0..<Self.pages {
            withExtendedLifetime(UnsafePointer<UInt8>(bitPattern: start + UInt(page * Self.size))?.pointee) {}
        }
    }

    /// How many pages are mapped (the kernel's Documentation/admin-guide/mm/pagemap.rst).
    func mapped() throws -> Int {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/pagemap"))
        try file.seek(toOffset: UInt64(start) / UInt64(Self.size) * 8)
        let entries = try #require(try file.read(upToCount: Self.pages * 8))
        // The most significant bit of each entry.
        return stride(from: 7, to: entries.count, by: 8).count { entries[entries.startIndex + $0] & 0x80 != 0 }
    }
}
