import CLinux
import Glibc
package import Linux
package import TaskModel
package import Wire

/// The host's end of a zygote: starts it, asks it for workers, hears of their ends.
package final class ZygoteProcess {
    /// What a zygote says.
    package enum Report {
        /// The worker is alive. The pidfd is ours; nil where the kernel has none.
        case launched(RunHandle, pid: Int32)
        case launchFailed(RunHandle, LaunchRefusal)
        case exited(RunHandle, ExitReport)
        /// It sent something else, or ended: all its workers die with it.
        case lost
    }

    package let control: Int32
    package let pid: Int32
    private let socket: Descriptor
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)

    /// Starts `executable zygote` with a clean environment.
    package init(executable: String, environment: [(String, String)]) throws(SystemError) {
        var pair: [Int32] = [-1, -1]
        try check(clinux_seqpacket_pair(&pair, 1 << 20), "socketpair")
        socket = Descriptor(adopting: pair[0])
        control = pair[0]
        let theirs = Descriptor(adopting: try check(clinux_dup_above(pair[1], 16), "fcntl(F_DUPFD)"))
        Glibc.close(pair[1])
        let arguments = ["taskhost-worker", "zygote"].map { Self.copy($0) } + [nil]
        let variables = environment.map { Self.copy("\($0.0)=\($0.1)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var descriptors = [theirs.number]
        pid = try check(
            clinux_spawn(executable, arguments, variables, &descriptors, 1), "posix_spawn", executable)
    }

    deinit { buffer.deallocate() }

    private static func copy(_ text: String) -> UnsafeMutablePointer<CChar>? { strdup(text) }

    /// Asks for a worker. The descriptors are copied by the kernel; the caller keeps its own.
    package func launch(_ frame: [UInt8], callID: RunHandle, descriptors: [Int32]) throws(SystemError) {
        var frame = frame
        frame.withUnsafeMutableBytes { FrameHeader(kind: .launch, length: $0.count, run: callID).write(to: $0) }
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
    /// How many of the host's list it was told of.
    private var toldWritable = 0

    /// Tells it the folders that applications may write, as far as it does not know them: before the launches that must not
    /// follow links there.
    ///
    /// - Parameter paths: grow at the end only.
    package func tell(writable paths: [String]) throws(SystemError) {
        while toldWritable < paths.count {
            let next = paths[toldWritable...].prefix(Self.pathsAtOnce)
            var frame = FrameWriter(.writable)
            frame.list(Array(next)) { $0.text($1) }
            try send(frame.finished() ?? [], [])
            toldWritable += next.count
        }
    }

    /// What its socket did not take yet, in order.
    private var waiting: [Message] = []

    private struct Message {
        var frame: [UInt8]
        var descriptors: Copies
    }

    /// Descriptors of our own: whoever asked closes his.
    private final class Copies {
        private(set) var numbers: [Int32] = []

        init(of descriptors: [Int32]) throws(SystemError) {
            for descriptor in descriptors {
                numbers.append(try check(clinux_dup_above(descriptor, 3), "fcntl(F_DUPFD)"))
            }
        }

        deinit { for number in numbers { Glibc.close(number) } }
    }

    /// Its socket is full: call `flush` when it takes more.
    package var isWaiting: Bool { !waiting.isEmpty }

    /// Sends what waits, as far as the socket takes it.
    ///
    /// - Throws: when nobody is there any more.
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
        waiting.append(Message(frame: frame, descriptors: try Copies(of: descriptors)))
    }

    /// False when the socket takes no more at present.
    private func sendNow(_ frame: [UInt8], _ descriptors: [Int32]) throws(SystemError) -> Bool {
        let result = clinux_send(
            control, frame, frame.count, descriptors, Int32(descriptors.count), CLINUX_DONTWAIT)
        // Too many references: descriptors that are under way count against the user's limit (unix(7)).
        if result == -EAGAIN || result == -ENOBUFS || result == -ETOOMANYREFS { return false }
        try check(result, "sendmsg", "zygote")
        return true
    }

    /// Closes the conversation and waits for its end, which takes it a moment: it has no workers any more.
    package func end() {
        _ = Glibc.shutdown(control, Int32(SHUT_RDWR))
        var exit = clinux_exit_t()
        _ = clinux_wait(pid, &exit)
    }

    /// The next report; nil when there is none now.
    package func receive() -> Report? {
        var descriptors: [Int32] = [-1, -1]
        var count: Int32 = 0
        let length = clinux_receive(
            control, buffer.baseAddress, buffer.count, &descriptors, 2, &count, CLINUX_DONTWAIT)
        defer { for index in 0..<Int(count) { Glibc.close(descriptors[index]) } }
        if length == -EAGAIN { return nil }
        guard length > 0 else { return .lost }
        let frame = UnsafeRawBufferPointer(rebasing: buffer[0..<Int(length)])
        do throws(WireError) {
            let header = try FrameHeader(reading: frame)
            var reader = FrameReader(body: frame)
            switch FrameKind(rawValue: header.kind) {
            case .launched: return .launched(header.run, pid: try reader.integer())
            case .launchFailed: return .launchFailed(header.run, try LaunchRefusal(from: &reader))
            case .exited: return .exited(header.run, try ExitReport(from: &reader))
            default: return .lost
            }
        } catch {
            return .lost
        }
    }
}
