import CLinux
import CTaskHost
import Glibc
import Synchronization
import TaskModel
import Wire

/// A worker: one application's tasks, in this process, until the host asks it to leave.
///
/// Its parts are global because the plugin calls us through bare function pointers. They are made before the plugin's
/// library is mapped and never replaced.
enum WorkerProcess {
    /// Descriptors in a worker.
    static let wireDescriptor: Int32 = 3
    static let libraryDescriptor: Int32 = 4

    static let wire = WireChannel(descriptor: wireDescriptor)
    static let runs = RunTable()
    static let tasks = TaskTable()
    private static let team = ThreadTeam(bufferSize: FrameHeader.maximumFrame, receive: receive, act: act)
    private static let application = Mutex<ApplicationHooks?>(nil)
    /// Set once, before any handler runs.
    nonisolated(unsafe) private static var folders = Folders(plan: nil)

    struct Folders {
        let state: taskhost_bytes
        let cache: taskhost_bytes
        let manifest: taskhost_bytes
        let variables: [(name: String, value: String)]

        init(plan: LaunchPlan?) {
            let (state, cache, manifest) =
                (plan?.stateDirectory ?? "", plan?.cacheDirectory ?? "", plan?.manifestDirectory ?? "")
            self.state = taskhost_bytes(copying: state)
            self.cache = taskhost_bytes(copying: cache)
            self.manifest = taskhost_bytes(copying: manifest)
            variables = [("$STATE", state), ("$CACHE", cache), ("$MANIFEST", manifest)]
        }
    }

    /// Serves the host. The process is confined already; the plugin's code is mapped here. Never returns.
    static func serve(_ plan: LaunchPlan, report: ConfinementReport) -> Never {
        folders = Folders(plan: plan)
        clinux_line_buffer_stdout()
        receiveTasks()
        var hooks: ApplicationHooks?
        do throws(LoadError) {
            if !plan.library.isEmpty {
                let library = try Library.open(reachablePath(of: plan))
                tasks.use(library)
                if plan.isApplication {
                    hooks = try ApplicationHooks.launch(
                        library, plan, folders, register: { tasks.register($0, $1) })
                }
            }
        } catch {
            wire.send(.refused, sentence: error.sentence)
            _exit(WorkerExitStatus.refused)
        }
        // Without a library that number is somebody else's by now.
        if plan.sendsLibrary { close(libraryDescriptor) }
        application.withLock { $0 = hooks }
        wire.send(report.frame())
        if let runMain = hooks?.runMain {
            team.leadElsewhere()
            runMain()
            _exit(WorkerExitStatus.asked)
        }
        team.lead()
    }

    /// Goes through the motions of a worker in the process that workers are forked from: what Swift and the loader do only
    /// at first use (metadata, lazy globals, symbols) is then done once and not in every worker.
    static func rehearse() {
        clinux_line_buffer_stdout()
        _ = (wire, team, HostServices.table)
        _ = Folders(plan: nil)
        let function = ForeignFunction(
            library: "libc.so.6", symbol: "abs", signature: Signature(result: .i32, parameters: [.i32]),
            arguments: [.integer(0)], success: .compare(.equal, .integer(0)))
        for handler in [Handler.symbol("abs"), .foreign(function), .registered] {
            var frame = FrameWriter(.task)
            TaskPlan(identifier: "rehearsal", kind: .processing, handler: handler, settings: "{}").write(to: &frame)
            (frame.finished() ?? []).withUnsafeBytes { bytes in
                var reader = FrameReader(body: bytes)
                _ = (try? TaskPlan(from: &reader)).map { TaskEntry($0) }
            }
        }
        _ = ConfinementReport(landlockABI: 0, seccomp: false, ownUser: false, degraded: ["rehearsal"]).frame()
        let state = runs.make(RunHandle(index: .max, generation: .max), host: HostServices.table)
        state.pointee.reserve(256)
        if let library = try? Library.open("libc.so.6"), let address = try? library.address(of: "abs"),
            let call = try? ForeignCall(function, address: address, variables: [])
        {
            _ = try? call.call(ForeignRun.rehearsal(state))
        }
        runs.recycle(state)
    }

    /// The path when it still leads to the verified file (so that `$ORIGIN` works), else the descriptor.
    private static func reachablePath(of plan: LaunchPlan) -> String {
        var sent = clinux_stat_t()
        var found = clinux_stat_t()
        guard plan.sendsLibrary, clinux_fstat(libraryDescriptor, &sent) == 0 else { return plan.library }
        let probe = clinux_open(plan.library, O_RDONLY, 0)
        defer { close(probe) }
        if probe >= 0 && clinux_fstat(probe, &found) == 0 && found.device == sent.device && found.inode == sent.inode {
            return plan.library
        }
        return "/proc/self/fd/\(libraryDescriptor)"
    }

    /// The host sends the tasks first, an empty `task` frame last.
    private static func receiveTasks() {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FrameHeader.maximumFrame, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let length = receive(buffer)
            let frame = UnsafeRawBufferPointer(rebasing: buffer[0..<length])
            do throws(WireError) {
                let header = try FrameHeader(reading: frame)
                guard header.kind == FrameKind.task.rawValue else { throw .unknownKind(header.kind) }
                if length == FrameHeader.size { return }
                var reader = FrameReader(body: frame)
                tasks.append(try TaskPlan(from: &reader))
            } catch {
                _exit(WorkerExitStatus.protocolFault)
            }
        }
    }

    /// Waits for one frame of the host.
    @Sendable private static func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let length = clinux_receive(wireDescriptor, buffer.baseAddress, buffer.count, nil, 0, nil, 0)
        guard length > 0 else { _exit(length == 0 ? WorkerExitStatus.hostGone : WorkerExitStatus.protocolFault) }
        return Int(length)
    }

    @Sendable private static func act(_ frame: UnsafeRawBufferPointer) {
        do throws(WireError) {
            let header = try FrameHeader(reading: frame)
            switch FrameKind(rawValue: header.kind) {
            case .start: start(header.run, try StartFrame(reading: frame), frame)
            case .expire:
                var reader = FrameReader(body: frame)
                let reason = try reader.integer(UInt32.self)
                guard let state = runs.retain(header.run) else { return }
                HostServices.expire(state, reason: reason)
                HostServices.release(state)
            case .stateChanged:
                var reader = FrameReader(body: frame)
                let status = try ApplicationStatus(from: &reader)
                application.withLock { $0 }?.stateChanged?(UInt32(status.state.rawValue))
            case .terminate:
                application.withLock { $0 }?.willTerminate?()
                fflush(nil)
                _exit(WorkerExitStatus.asked)
            default: throw .unknownKind(header.kind)
            }
        } catch {
            _exit(WorkerExitStatus.protocolFault)
        }
    }

    private static func start(_ run: RunHandle, _ start: StartFrame, _ frame: UnsafeRawBufferPointer) {
        let entry: TaskEntry
        let code: TaskEntry.Code
        do throws(LoadError) {
            (entry, code) = try tasks.code(of: start.task, variables: folders.variables)
        } catch {
            wire.send(.declined, run: run, sentence: error.sentence)
            return
        }
        let state = runs.make(run, host: HostServices.table)
        fill(state, entry, start, frame)
        switch code {
        case .handler(let handler):
            state.withMemoryRebound(to: taskhost_task.self, capacity: 1) { handler($0) }
        case .foreign(let call):
            ForeignRun.perform(call, state)
        }
        HostServices.release(state)
    }

    /// Copies what the plugin may read into the state; the frame's buffer is used for the next frame.
    private static func fill(
        _ state: UnsafeMutablePointer<RunState>, _ entry: TaskEntry, _ start: StartFrame,
        _ frame: UnsafeRawBufferPointer
    ) {
        let (payload, settings) = (Int(start.payloadLength), Int(start.settingsLength))
        state.pointee.reserve(payload + settings + 2 + 27)
        let storage = state.pointee.storage
        let body = UnsafeRawBufferPointer(rebasing: frame[StartFrame.headSize...])
        storage.copyMemory(from: UnsafeRawBufferPointer(rebasing: body[0..<payload]))
        storage[payload] = 0
        UnsafeMutableRawBufferPointer(rebasing: storage[(payload + 1)...]).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: body[payload..<payload + settings]))
        storage[payload + 1 + settings] = 0
        let idOffset = payload + settings + 2
        start.id.write(to: UnsafeMutableRawBufferPointer(rebasing: storage[idOffset..<idOffset + 26]))
        storage[idOffset + 26] = 0
        func bytes(_ offset: Int, _ count: Int) -> taskhost_bytes {
            taskhost_bytes(
                bytes: storage.baseAddress.map { UnsafePointer(($0 + offset).assumingMemoryBound(to: CChar.self)) },
                length: UInt64(count))
        }
        state.pointee.task.identifier = entry.identifier
        state.pointee.task.run = bytes(idOffset, 26)
        state.pointee.task.settings = settings > 0 ? bytes(payload + 1, settings) : entry.settings
        state.pointee.task.payload = bytes(0, payload)
        state.pointee.task.state_directory = folders.state
        state.pointee.task.cache_directory = folders.cache
        state.pointee.task.manifest_directory = folders.manifest
        state.pointee.task.deadline = start.deadline.nanoseconds
        state.pointee.task.kind = UInt32(entry.plan.kind.rawValue)
        state.pointee.task.attempt = start.attempt
    }
}
