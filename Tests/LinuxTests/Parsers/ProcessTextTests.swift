import Glibc
import Linux
import Testing

@Suite("What /proc says about a process")
struct ProcessTextTests {
    private func status(_ line: String) -> ProcessStatus? { ProcessStatus(parsing: line.utf8.span) }

    @Test("A name with blanks and brackets does not confuse the fields")
    func oddName() throws {
        let line = "411 (a) b (c) S 400 411 398 0 -1 4194560 1 2 3 4 50 6 70 8 20 0 3 0 99 1 2 3\n"
        let status = try #require(self.status(line))
        #expect(status.pid == 411)
        #expect(status.state == "S")
        #expect(status.parent == 400)
        #expect(status.group == 411)
        #expect(status.session == 398)
        #expect(status.ticks == 56)
        #expect(status.childTicks == 78)
        #expect(status.threads == 3)
        #expect(status.start == 99)
    }

    @Test(
        "A zombie lives only while it has other threads",
        arguments: [("Z", 1, false), ("Z", 2, true), ("X", 1, false), ("S", 1, true), ("T", 1, true)])
    func life(_ state: String, _ threads: Int, _ lives: Bool) throws {
        let line = "4 (x) \(state) 1 4 4 0 -1 0 0 0 0 0 0 0 0 0 20 0 \(threads) 0 0"
        #expect(try #require(status(line)).isAlive == lives)
    }

    @Test("Other text is no status", arguments: ["", "4 x S 1", "4 (x", ") 4 (", "4 (x) S 1 4 4", "y (x) S 1 4 4 0 0"])
    func refused(_ line: String) {
        #expect(status(line) == nil)
    }

    @Test("Memory fields are read with their unit, others are not taken for them")
    func memoryFields() {
        #expect(ProcessMemory.residentPages(in: "900 70 60 1 0 30 0\n".utf8.span) == 70)
        #expect(ProcessMemory.residentPages(in: "900".utf8.span) == nil)
        let text = "Rss:  90 kB\nPss_Dirty:   3 kB\nPss:                 812 kB\n"
        #expect(ProcessMemory.kibibytes(of: "Pss:", in: text) == 812)
        #expect(ProcessMemory.kibibytes(of: "Swap:", in: text) == nil)
        #expect(ProcessMemory.kibibytes(of: "VmHWM:", in: "VmHWM:\t many kB\n") == nil)
    }

    @Test("This process finds itself, its memory and its CPU time")
    func ourselves() throws {
        let status = try #require(ProcessStatus(of: getpid()))
        #expect(status.parent == getppid())
        #expect(status.isAlive)
        #expect(ProcessStatus.all().contains { $0.pid == getpid() })
        #expect(try #require(ProcessMemory.resident(of: getpid())) > 0)
        #expect(try #require(ProcessMemory.peak(of: getpid())) > 0)
        #expect(try #require(ProcessHandle.cpuTime(of: getpid())) > 0)
    }
}

@Suite("Small files")
struct FileTextTests {
    @Test("A file beyond the limit is refused")
    func limit() throws {
        let error = #expect(throws: SystemError.self) { try FileText.read("/proc/self/maps", limit: 16) }
        #expect(error?.code == .EFBIG)
    }

    @Test("A missing file and a missing folder say which")
    func missing() throws {
        #expect(throws: SystemError("open", code: .ENOENT, object: "/proc/self/nothing")) {
            try FileText.read("/proc/self/nothing")
        }
        #expect(throws: SystemError("open", code: .ENOENT, object: "/proc/self/nothing")) {
            try Folder.children(of: "/proc/self/nothing")
        }
        let folder = try Folder.open("/proc")
        #expect(throws: SystemError("open", code: .ENOENT, object: "nothing")) {
            try FileText.read(at: folder.number, "nothing")
        }
    }

    @Test("The start of a file can be read again and again")
    func start() throws {
        let file = try Descriptor.open("/proc/self/stat", .O_RDONLY)
        for _ in 0..<3 {
            #expect(FileText.withStart(of: file.number) { $0[0] } == "\(getpid())".utf8.first)
        }
        #expect(FileText.withStart(of: -1) { $0.count } == nil)
    }
}
