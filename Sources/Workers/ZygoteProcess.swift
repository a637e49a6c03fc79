package import Linux
package import TaskModel
package import Wire

/// The host's side of a zygote: starts it, requests workers, receives their ends.
package final class ZygoteProcess {
    /// A zygote's report.
    package enum Report {
        /// The worker is alive.
        ///
        /// - Parameter tree: nil: its control group holds what it starts.
        case launched(RunHandle, pid: Int32, tree: ProcessTree?)
        case launchFailed(RunHandle, LaunchRefusal)
        case exited(RunHandle, ExitReport)
        /// It broke the protocol, or ended: all its workers die with it.
        case lost
    }

    /// The conversation's number, for the poller.
    package var control: Int32 { socket.number }
    private let socket: Descriptor
    private let child: ChildProcess
    private var room = [UInt8](repeating: 0, count: 16 << 10)

    /// Starts `executable ROLE` with a clean environment.
    ///
    /// - Parameter role: `zygote`, or `launcher` for workers without confinement.
    package init(executable: String, role: String, environment: [(String, String)]) throws(SystemError) {
        var ends = try DescriptorPair.sockets()
        socket = ends.takeNear()
        let theirs = ends.takeFar()
        child = try ChildProcess(
            executable, ["taskhost-worker", role], environment: environment.map { "\($0.0)=\($0.1)" },
            descriptors: [theirs.number])
    }

    /// Asks for a worker. The descriptors are copied by the kernel; the caller keeps its own.
    package func launch(_ frame: [UInt8], callID: RunHandle, descriptors: [Int32]) throws(SystemError) {
        var frame = frame
        unsafe frame.withUnsafeMutableBytes {
            unsafe FrameHeader(kind: .launch, length: $0.count, run: callID).write(to: $0)
        }
        try send(frame, descriptors)
    }

    /// Loads a library into the zygote, for every worker to come.
    package func preload(_ path: String) throws(SystemError) {
        var frame = FrameWriter(.preload)
        frame.text(path)
        try send(frame.finished() ?? [], [])
    }

    /// Paths of a frame: as long as they may be, they fit.
    private static let pathsAtOnce = 30
    /// How many entries of the host's list it has received.
    private var toldWritable = 0

    /// Sends it the folders that applications may write and that it does not know yet: before the launches that must not
    /// follow links there.
    ///
    /// - Parameter paths: grow at the end only.
    package func tell(writable paths: [String]) throws(SystemError) {
        while toldWritable < paths.count {
            let next = paths[toldWritable...].prefix(Self.pathsAtOnce)
            var frame = FrameWriter(.writable)
            frame.write(Array(next))
            try send(frame.finished() ?? [], [])
            toldWritable += next.count
        }
    }

    /// What its socket did not take yet, in order.
    private var waiting: [Message] = []

    private struct Message {
        var frame: [UInt8]
        /// Our own copies: the caller closes its own.
        var descriptors: DescriptorBundle
    }

    /// Its socket is full: call `flush` when it takes more.
    package var isWaiting: Bool { !waiting.isEmpty }

    /// Sends waiting frames, as far as the socket takes them.
    ///
    /// - Throws: when the other side has closed.
    package func flush() throws(SystemError) {
        var sent = 0
        defer { waiting.removeFirst(sent) }
        while sent < waiting.count {
            guard try sendNow(waiting[sent].frame, waiting[sent].descriptors.numbers) else { return }
            sent += 1
        }
    }

    /// Never waits: the zygote may itself be waiting until its reports are read.
    private func send(_ frame: [UInt8], _ descriptors: [Int32]) throws(SystemError) {
        if waiting.isEmpty, try sendNow(frame, descriptors) { return }
        waiting.append(Message(frame: frame, descriptors: try DescriptorBundle(copying: descriptors)))
    }

    /// False when the socket takes no more at present.
    private func sendNow(_ frame: [UInt8], _ descriptors: [Int32]) throws(SystemError) -> Bool {
        try socket.send(frame, descriptors: descriptors, to: "zygote")
    }

    /// Closes the conversation and waits for its end, which takes it a moment: it has no workers any more.
    package func end() {
        // One that does not hear of the end would be waited for without end.
        if !socket.shutDown() { child.kill() }
        child.wait()
    }

    /// Ends it, and its workers with it.
    package func kill() {
        child.kill()
        child.wait()
    }

    /// The next report; nil when there is none now.
    package func receive() -> Report? {
        var keeper: Descriptor?
        let length: Int
        do throws(SystemError) {
            length = try socket.receive(into: &room, with: &keeper)
        } catch {
            return error.code == .EAGAIN ? nil : .lost
        }
        guard length > 0 else { return .lost }
        var report = Report.lost
        do throws(WireError) {
            try MessageFrames.read(room[..<length]) { (header, reader) throws(WireError) in
                switch FrameKind(rawValue: header.kind) {
                case .launched:
                    let launch = try LaunchReport(from: &reader)
                    report = .launched(header.run, pid: launch.pid, tree: Self.tree(launch, keeper: keeper.take()))
                case .launchFailed: report = .launchFailed(header.run, try LaunchRefusal(from: &reader))
                case .exited: report = .exited(header.run, try ExitReport(from: &reader))
                default: throw .unknownKind(header.kind)
                }
            }
        } catch {
            return .lost
        }
        return report
    }

    private static func tree(_ launch: LaunchReport, keeper: consuming Descriptor?) -> ProcessTree? {
        guard launch.keeper != 0 else { return nil }
        return ProcessTree(leader: launch.pid, keeper: launch.keeper, keeper)
    }
}
