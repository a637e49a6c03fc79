import CLinux
import Foundation
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing
import Wire
import Workers

/// A host of a test's own, with a real zygote and a real worker behind it: it sends what the test says and waits for what
/// the worker says.
final class ScriptedHost {
    /// A frame of the worker.
    struct Received {
        var kind: FrameKind
        var run: RunHandle
        var bytes: [UInt8]

        func read<Value>(_ decode: (inout FrameReader) throws(WireError) -> Value) throws -> Value {
            try bytes.withUnsafeBytes { frame in
                var reader = FrameReader(body: frame)
                return try decode(&reader)
            }
        }
    }

    static let application = "org.example.services"
    static let tasks: [(String, TaskKind)] = [
        ("org.example.services.refresh", .appRefresh), ("org.example.services.process", .processing),
        ("org.example.services.export.*", .continuedProcessing), ("org.example.services:fetch", .backgroundFetch),
        ("org.example.services:push", .remoteNotification),
    ]
    private static let user: UInt32 = 61_777

    let folder: TestSupport.Folder
    private let zygote: ZygoteProcess
    private let channel: WorkerChannel
    private let library: Int32
    private var frames: [Received] = []
    private var text = ""
    private var lines: [String] = []
    private var runs: UInt32 = 0
    private let room = FrameRoom()
    private var printed = [UInt8](repeating: 0, count: 64 << 10)
    private(set) var exit: ExitReport?

    /// Launches the worker of the application `library` (a fixture's name); does not wait for it.
    ///
    /// - Parameters:
    ///   - launch: the lines that it performs while it launches.
    ///   - status: what it gets before its tasks; nil: nothing.
    init(
        _ name: String = "services", launch: [String] = [], status: ApplicationStatus? = nil, strict: Bool = false,
        resources: UInt32 = 0
    ) throws {
        folder = try TestSupport.Folder()
        try folder.write("state/launch", launch.map { $0 + "\n" }.joined())
        try folder.write("cache/empty", "")
        let isRoot = geteuid() == 0
        if isRoot {
            for path in ["state", "cache"] { _ = chown(folder.file(path).path, Self.user, Self.user) }
        }
        let path = try Places.built.get().appending(path: "lib\(name).so").path
        library = open(path, O_RDONLY | O_CLOEXEC)
        guard library >= 0 else { throw Problem("no \(path)") }
        let variables = [("PATH", "/usr/bin:/bin"), ("SWIFT_BACKTRACE", "enable=no")]
        zygote = try ZygoteProcess(executable: try Places.worker, role: "zygote", environment: variables)
        let (channel, far) = try WorkerChannel.make()
        self.channel = channel
        let plan = LaunchPlan(
            application: Self.application, library: path, sendsLibrary: true, isApplication: true, exec: false,
            identity: isRoot ? .own(Self.user) : .host(), stateDirectory: folder.file("state").path,
            cacheDirectory: folder.file("cache").path, manifestDirectory: folder.path, read: [], write: [], ports: [],
            fileSize: 1 << 20, dataSize: 0, processes: 0, placements: 0, bestEffort: true, strict: strict,
            supportedResources: resources)
        var launchFrame = FrameWriter(.launch)
        plan.write(to: &launchFrame)
        try zygote.launch(
            launchFrame.finished() ?? [], callID: RunHandle(index: 1, generation: 1),
            descriptors: far.numbers + [library])
        if let status { send(status.frame()) }
        for (identifier, kind) in Self.tasks {
            var frame = FrameWriter(.task)
            TaskPlan(
                identifier: identifier, kind: kind, handler: kind.isEvent ? .event : .registered, settings: "{}"
            ).write(to: &frame)
            send(frame.finished() ?? [])
        }
        send(FrameWriter(.task).finished() ?? [])
    }

    deinit {
        zygote.end()
        close(library)
    }

    // MARK: Saying

    func send(_ frame: [UInt8]) {
        channel.enqueue(frame)
        _ = channel.flush()
    }

    func send(_ kind: FrameKind) { send(FrameWriter(kind).finished() ?? []) }

    /// Starts a run whose payload are the lines that the fixture performs.
    @discardableResult
    func start(
        _ commands: [String], task: UInt32 = 0, as identifier: String = "", title: String = "", subtitle: String = ""
    ) -> RunHandle {
        runs += 1
        let run = RunHandle(index: runs, generation: 7)
        let payload = Array(commands.joined(separator: "\n").utf8)
        let names = [identifier, title, subtitle].map { Array($0.utf8) }
        let head = StartFrame(
            task: task, attempt: 1, id: ULID(high: 1, low: UInt64(runs)),
            deadline: Instant(nanoseconds: Clock.monotonic()) + .seconds(60), payloadLength: UInt32(payload.count),
            settingsLength: 0, identifierLength: UInt16(names[0].count), titleLength: UInt16(names[1].count),
            subtitleLength: UInt16(names[2].count))
        var frame = [UInt8](repeating: 0, count: StartFrame.headSize)
        frame.withUnsafeMutableBytes { head.write(run: run, to: $0) }
        send(frame + payload + names.flatMap { $0 })
        return run
    }

    /// Warns a run.
    func expire(_ run: RunHandle) {
        var frame = FrameWriter(.expire, run: run)
        frame.integer(UInt32(1))
        send(frame.finished() ?? [])
    }

    func accept(_ question: Received, _ fault: SubmissionFault? = nil) {
        send(SubmissionReply(fault).frame(callID: question.run.callID))
    }

    // MARK: Hearing

    /// The first frame of that kind that was not taken yet; what else came stays.
    @discardableResult
    func next(_ kind: FrameKind) throws -> Received {
        try wait("a frame \(kind)") {
            guard let place = self.frames.firstIndex(where: { $0.kind == kind }) else { return nil }
            return self.frames.remove(at: place)
        }
    }

    /// Every frame of that kind up to now, without waiting.
    func taken(_ kind: FrameKind) -> [Received] {
        defer { frames.removeAll { $0.kind == kind } }
        return frames.filter { $0.kind == kind }
    }

    /// Every frame that was not taken yet up to the first of that kind, with it, as they came.
    func through(_ kind: FrameKind) throws -> [Received] {
        try wait("a frame \(kind)") {
            guard let place = self.frames.firstIndex(where: { $0.kind == kind }) else { return nil }
            defer { self.frames.removeFirst(place + 1) }
            return Array(self.frames[...place])
        }
    }

    /// What was printed since the last end of line, as far as it has come.
    var unfinishedLine: String { text }

    /// The first printed line that begins so and was not taken yet.
    @discardableResult
    func line(_ beginning: String) throws -> String {
        try wait("a line \"\(beginning)\"") {
            guard let place = self.lines.firstIndex(where: { $0.hasPrefix(beginning) }) else { return nil }
            return self.lines.remove(at: place)
        }
    }

    /// Printed lines that were not taken yet, as far as they have come.
    var unreadLines: [String] { lines }

    /// Waits until the process has ended.
    func end() throws -> ExitReport { try wait("its end") { self.exit } }

    /// Seconds that a worker may take to do what it was asked.
    private static let limit = 60.0

    private func wait<Value>(_ what: String, _ look: () -> Value?) throws -> Value {
        var patience = Patience()
        while true {
            if let value = look() { return value }
            guard let milliseconds = patience.milliseconds() else {
                throw Problem.vain(what, seen: "lines \(lines); frames \(frames.map(\.kind))")
            }
            var sources = [channel.wire, channel.log, zygote.control].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            if exit != nil { sources[0].fd = -1; sources[1].fd = -1 }
            _ = poll(&sources, 3, milliseconds)
            if sources[0].revents != 0 || sources[1].revents != 0 { read() }
            if sources[2].revents != 0 { try hear() }
        }
    }

    private func read() {
        _ = channel.receive(into: room) { header, reader in
            guard let kind = FrameKind(rawValue: header.kind) else { return false }
            // The body alone counts: its reader already has the header.
            var bytes = [UInt8](repeating: 0, count: FrameHeader.size)
            while let byte = try? reader.integer(UInt8.self) { bytes.append(byte) }
            frames.append(Received(kind: kind, run: header.run, bytes: bytes))
            return true
        }
        for ofErrors in [false, true] {
            let n = channel.readLog(ofErrors: ofErrors, into: &printed) ?? 0
            text += String(decoding: printed[..<n], as: UTF8.self)
        }
        var parts = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        text = parts.removeLast()
        for line in parts where line.contains("Sanitizer") { Issue.record("the worker's sanitizer: \(line)") }
        lines += parts
    }

    private func hear() throws {
        while let report = zygote.receive() {
            switch report {
            case .launched: break
            case .launchFailed(_, let refusal): throw Problem(refusal.sentence)
            case .exited(_, let report):
                read()
                exit = report
            case .lost: throw Problem("the zygote is lost")
            }
        }
    }
}
