import CTaskHost
import Linux
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
    static let runs = LiveRuns()
    static let tasks = TaskTable()
    private static let team = unsafe ThreadTeam(
        bufferSize: FrameHeader.maximumFrame, receive: receive, hasOrder: hasOrder, act: act,
        isFrugal: ProgramText.isScarce)
    static let questions = HostQuestions()
    static let life = ApplicationLife()
    static let assertions = Assertions(life)
    static let network = NetworkWatch()
    static let suspensions = SuspensionWatch()
    static let sessions = TransferSessions()
    private static let application = Mutex<ApplicationHooks?>(nil)
    /// Calls of state_changed and will_terminate, kept until launch() is over.
    private static let callbacks = CallbackQueue(isOpen: false)
    /// Set once, before any handler runs.
    nonisolated(unsafe) private static var folders = Folders(plan: nil)
    nonisolated(unsafe) private(set) static var isStrict = false
    /// The plan, where a broker confines its programs, in a file in memory; nil: they inherit what confines them, or nothing does.
    nonisolated(unsafe) private(set) static var brokered: BrokerPlan?
    /// nil: its handlers are not checked.
    nonisolated(unsafe) private(set) static var watch: HandlerWatch?
    nonisolated(unsafe) private(set) static var supportedResources: UInt32 = 0
    nonisolated(unsafe) private(set) static var information = ApplicationInformation()

    // Its texts live as long as the process.
    @safe struct Folders {
        let state: taskhost_bytes
        let cache: taskhost_bytes
        let manifest: taskhost_bytes
        let variables: [(name: String, value: String)]

        init(plan: LaunchPlan?) {
            let (state, cache, manifest) =
                (plan?.stateDirectory ?? "", plan?.cacheDirectory ?? "", plan?.manifestDirectory ?? "")
            unsafe self.state = taskhost_bytes(copying: state)
            unsafe self.cache = taskhost_bytes(copying: cache)
            unsafe self.manifest = taskhost_bytes(copying: manifest)
            variables = [("$STATE", state), ("$CACHE", cache), ("$MANIFEST", manifest)]
        }
    }

    /// Serves the host. The process is confined already; the plugin's code is mapped here. Never returns.
    ///
    /// - Parameters:
    ///   - broker: for the broker of its programs; nil: they have none.
    ///   - files: the files that its confinement names, as they are when it is called; nil: none is fixed at its birth.
    static func serve(
        _ plan: LaunchPlan, report: ConfinementReport, broker: BrokerPlan? = nil,
        files: () -> RulesFingerprint? = { nil }
    ) -> Never {
        unsafe folders = Folders(plan: plan)
        unsafe isStrict = plan.strict
        unsafe supportedResources = plan.supportedResources
        unsafe information = plan.information
        unsafe brokered = broker
        if ProgramText.isScarce { ProgramText.note() }
        GrantedNames.set(plan.hosts)
        CrashHandler.arm(
            wire: wireDescriptor, kind: FrameKind.crashing.rawValue, version: FrameHeader.version, library: plan.library
        )
        StandardStream.lineBuffer()
        // The host warns a run's program by it, in the worker's process group.
        if !plan.execute.isEmpty { Signal.ignore(.SIGTERM) }
        if plan.isChecked { unsafe watch = HandlerWatch() }
        awaitTasks(files)
        // Before any code of the plugin is mapped: only this process's own code can have sent it. Of one that was made ahead it says as
        // well that a run has it.
        wire.send(report.frame())
        if plan.pause > 0 { Clock.pause(TimeSpan(nanoseconds: Int64(clamping: plan.pause))) }
        receiveTasks()
        var hooks: ApplicationHooks?
        do throws(LoadError) {
            if !plan.library.isEmpty {
                try PinnedLibrary.check(plan, descriptor: libraryDescriptor)
                let library = try LoadedLibrary(reachablePath(of: plan))
                tasks.use(library)
                if plan.isApplication {
                    let found = try ApplicationHooks(library)
                    application.withLock { $0 = found }
                    tasks.use(found)
                    try unsafe found.launch(plan, folders, register: { unsafe tasks.register($0, $1) })
                    hooks = found
                }
            }
        } catch {
            StandardStream.flush()
            wire.send(LaunchRefusal(code: 0, sentence: error.sentence), as: .refused)
            ThisProcess.exitAtOnce(WorkerExitStatus.refused)
        }
        // Without a library another file has that number by now.
        if plan.sendsLibrary { _ = Descriptor(adopting: libraryDescriptor) }
        // The main thread of an application is its own: its callbacks or its main loop have it while handlers work.
        if hooks != nil && !team.leadElsewhere() { refuseThreadless() }
        wire.send(.ready, run: RunHandle(index: 0, generation: 0))
        guard let hooks else { team.lead() }
        guard let runMain = hooks.runMain else { callbacks.serve() }
        callbacks.open()
        runMain()
        ThisProcess.exitAtOnce(WorkerExitStatus.asked)
    }

    /// Call this before a thread waits for a reply of the host: it ensures that another thread reads the wire. In launch()
    /// none does yet.
    static func prepareToWait() {
        if application.withLock({ $0 != nil }) && !team.leadElsewhere() { refuseThreadless() }
        team.handOver()
    }

    /// Without a thread that reads the wire, no frame of the host could arrive.
    private static func refuseThreadless() -> Never {
        let sentence = "no thread can be started beside its main thread; it has used up its limit of processes"
        wire.send(LaunchRefusal(code: 0, sentence: sentence), as: .refused)
        ThisProcess.exitAtOnce(WorkerExitStatus.refused)
    }

    /// Goes through the motions of a worker in the process that workers are forked from: what Swift and the loader do only
    /// at first use (metadata, lazy globals, symbols) is then done once and not in every worker.
    static func rehearse() {
        StandardStream.lineBuffer()
        CrashHandler.prepare()
        _ = unsafe (wire, team, HostServices.table)
        _ = Folders(plan: nil)
        let function = ForeignFunction(
            library: "libc.so.6", symbol: "abs", signature: Signature(result: .i32, parameters: [.i32]),
            arguments: [.integer(0)], success: .compare(.equal, .integer(0)))
        for handler in [Handler.symbol("abs"), .foreign(function), .registered] {
            var frame = FrameWriter(.task)
            TaskPlan(identifier: "rehearsal", kind: .processing, handler: handler, settings: "{}").write(to: &frame)
            unsafe (frame.finished() ?? []).withUnsafeBytes { bytes in
                var reader = unsafe FrameReader(body: bytes)
                _ = (try? TaskPlan(from: &reader)).map { TaskEntry($0) }
            }
        }
        _ = ConfinementReport(landlockABI: 0, seccomp: false, ownUser: false, degraded: ["rehearsal"]).frame()
        let state = unsafe runs.make(RunHandle(index: .max, generation: .max), host: HostServices.table)
        unsafe state.pointee.reserve(256)
        if let library = try? LoadedLibrary("libc.so.6"), let address = try? unsafe library.address(of: "abs"),
            let call = try? unsafe ForeignCall(function, address: address, variables: [])
        {
            _ = try? unsafe call.call(ForeignRun.rehearsal(state))
        }
        unsafe runs.recycle(state)
    }

    /// The path when it still leads to the verified file (so that `$ORIGIN` works), else the descriptor.
    private static func reachablePath(of plan: LaunchPlan) -> String {
        guard plan.sendsLibrary, let sent = FileSystem.facts(lent: libraryDescriptor) else { return plan.library }
        if let probe = try? Descriptor.open(plan.library, .O_RDONLY), let found = try? FileSystem.facts(of: probe),
            found.device == sent.device, found.inode == sent.inode
        {
            return plan.library
        }
        return "/proc/self/fd/\(libraryDescriptor)"
    }

    /// One that was made ahead waits here for its run. A rule holds a file and not its name: what was replaced meanwhile would be
    /// refused to the run.
    private static func awaitTasks(_ files: () -> RulesFingerprint?) {
        guard Descriptor.ready([wireDescriptor], within: 0) == nil, let then = files() else { return }
        _ = Descriptor.ready([wireDescriptor])
        guard files() != then else { return }
        wire.send(.stale, as: .refused)
        ThisProcess.exitAtOnce(WorkerExitStatus.refused)
    }

    /// The host sends the application's state and the tasks first, an empty `task` frame last.
    private static func receiveTasks() {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FrameHeader.maximumFrame, alignment: 16)
        defer { unsafe buffer.deallocate() }
        while true {
            let length = unsafe receive(buffer)
            let frame = unsafe UnsafeRawBufferPointer(rebasing: buffer[0..<length])
            do throws(WireError) {
                let header = try unsafe FrameHeader(reading: frame)
                var reader = unsafe FrameReader(body: frame)
                switch FrameKind(rawValue: header.kind) {
                case .task:
                    if length == FrameHeader.size { return }
                    tasks.append(try TaskPlan(from: &reader))
                case .stateChanged: life.prepare(try ApplicationStatus(from: &reader))
                case .hosts: GrantedNames.set(try HostList(from: &reader).lines)
                default: throw .unknownKind(header.kind)
                }
            } catch {
                ThisProcess.exitAtOnce(WorkerExitStatus.protocolFault)
            }
        }
    }

    /// Waits for one frame of the host.
    @Sendable private static func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        var descriptors: [Int32] = []
        guard
            let length = try? unsafe wire.socket.receive(into: buffer, waits: true, { descriptors.append($0.take()) })
        else { ThisProcess.exitAtOnce(WorkerExitStatus.protocolFault) }
        if !descriptors.isEmpty,
            unsafe !StartFrame.adopt(descriptors, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]))
        {
            ThisProcess.exitAtOnce(WorkerExitStatus.protocolFault)
        }
        guard length > 0 else { ThisProcess.exitAtOnce(WorkerExitStatus.hostGone) }
        return length
    }

    /// Frames about one subject, which must stay in order. None of them waits for the plugin.
    @Sendable private static func hasOrder(_ frame: UnsafeRawBufferPointer) -> Bool {
        switch unsafe frame.first.flatMap({ FrameKind(rawValue: $0) }) {
        case .pendingList, .sessionOpened, .transferEvent, .sessionEvents: true
        default: false
        }
    }

    @Sendable private static func act(_ frame: UnsafeRawBufferPointer) {
        do throws(WireError) {
            let header = try unsafe FrameHeader(reading: frame)
            switch FrameKind(rawValue: header.kind) {
            case .start: unsafe start(header.run, try StartFrame(reading: frame), frame)
            case .expire:
                var reader = unsafe FrameReader(body: frame)
                let reason = try reader.integer(UInt32.self)
                guard let state = unsafe runs.retain(header.run) else { return }
                unsafe HostServices.expire(state, reason: reason)
                unsafe HostServices.release(state)
            case .deadline:
                var reader = unsafe FrameReader(body: frame)
                let deadline = try reader.integer(UInt64.self)
                guard let state = unsafe runs.retain(header.run) else { return }
                unsafe state.pointee.deadline.store(deadline, ordering: .relaxed)
                unsafe HostServices.release(state)
            case .stateChanged:
                var reader = unsafe FrameReader(body: frame)
                take(try ApplicationStatus(from: &reader))
            case .terminate: terminate()
            case .expireAssertions: assertions.expire()
            case .census: unsafe watch?.count()
            case .hosts:
                var reader = unsafe FrameReader(body: frame)
                GrantedNames.set(try HostList(from: &reader).lines)
            case .network:
                var reader = unsafe FrameReader(body: frame)
                network.take(try NetworkFrame(from: &reader).access)
            case .submitted:
                var reader = unsafe FrameReader(body: frame)
                let reply = try SubmissionReply(from: &reader)
                try questions.answer(header.run.callID, .submission(reply), more: false)
            case .pendingList:
                var reader = unsafe FrameReader(body: frame)
                let list = try PendingList(from: &reader)
                try questions.answer(header.run.callID, .pending(list.requests), more: list.more)
            case .sessionOpened:
                var reader = unsafe FrameReader(body: frame)
                let opened = try SessionOpened(from: &reader)
                try questions.answer(header.run.callID, .session(opened), more: opened.more)
                if opened.awaitsNext { wire.send(SessionCommand(session: opened.session, .next).frame()) }
            case .transferEvent:
                var reader = unsafe FrameReader(body: frame)
                sessions.take(try TransferEventFrame(from: &reader))
            case .sessionEvents:
                var reader = unsafe FrameReader(body: frame)
                handleEvents(of: try SessionEvents(from: &reader).identifier)
            default: throw .unknownKind(header.kind)
            }
        } catch {
            ThisProcess.exitAtOnce(WorkerExitStatus.protocolFault)
        }
    }

    private static func take(_ status: ApplicationStatus) {
        life.set(status)
        if status.endsSuspension { suspensions.ended() }
        if status.backgroundEnd < .distantFuture { assertions.endWasTold() }
        guard status.callID > 0 else { return }
        let last = life.tell(status.state)
        let answer = RunHandle(callID: status.callID)
        guard let hooks = application.withLock({ $0 }), hooks.hearsOfStates else {
            return wire.send(.returned, run: answer)
        }
        callbacks.add {
            hooks.tell(status.state, after: last)
            wire.send(.returned, run: answer)
        }
    }

    /// The application is called for a session's events before any of them; one that cannot be called has handled them.
    private static func handleEvents(of session: String) {
        guard let hooks = application.withLock({ $0 }), hooks.takesEvents else {
            return wire.send(SessionEvents(identifier: session).frame(.sessionHandled))
        }
        callbacks.add { hooks.handleEvents(of: session, in: life.current.state) }
        sessions.hold(until: callbacks)
    }

    private static func terminate() {
        guard let hooks = application.withLock({ $0 }), hooks.hearsOfEnd else {
            LeftProcesses.awaitEnd(leave)
            leave()
        }
        callbacks.add {
            hooks.tellOfEnd(in: life.current.state)
            leave()
        }
    }

    private static func leave() -> Never {
        StandardStream.flush()
        // Only a check waits for the plugin's atexit(3) functions.
        if unsafe watch != nil { ThisProcess.exit(WorkerExitStatus.asked) }
        ThisProcess.exitAtOnce(WorkerExitStatus.asked)
    }

    private static func start(_ run: RunHandle, _ start: StartFrame, _ frame: UnsafeRawBufferPointer) {
        let secrets = unsafe start.secretCount == 0 ? [] : start.secrets(in: frame)
        let entry: TaskEntry
        let code: TaskEntry.Code
        do throws(LoadError) {
            (entry, code) = try unsafe tasks.code(
                of: start.task, name: start.identifier(in: frame), variables: folders.variables)
        } catch {
            Descriptor.closeLent(secrets)
            wire.send(.declined, run: run, sentence: error.sentence)
            return
        }
        let state = unsafe runs.make(run, host: HostServices.table, deadline: start.deadline)
        unsafe fill(state, entry, start, frame)
        if !secrets.isEmpty {
            unsafe (state.pointee.secretNames, state.pointee.secrets) = (entry.plan.secrets, secrets)
        }
        assertions.runBegins()
        switch code {
        case .handler(let handler):
            // An application's callbacks for the background return before its tasks start.
            callbacks.waitForCalls()
            unsafe perform(run, state) {
                unsafe state.withMemoryRebound(to: taskhost_task.self, capacity: 1) { unsafe handler($0) }
            }
        case .foreign(let call):
            unsafe perform(run, state) { unsafe ForeignRun.perform(call, state) }
        case .command(let command):
            unsafe perform(run, state) { unsafe ProgramRun.perform(command, state) }
        case .event(let hooks):
            // It has no expiration handler, and all of its time.
            unsafe state.pointee.flags.bitwiseOr(HandlerRun.Flags.watches, ordering: .relaxed)
            nonisolated(unsafe) let state = unsafe state
            callbacks.add {
                unsafe perform(run, state) {
                    unsafe state.withMemoryRebound(to: taskhost_task.self, capacity: 1) {
                        unsafe hooks.deliver($0, in: life.current.state)
                    }
                }
            }
        }
    }

    /// Lets the plugin work for the run on this thread, with a reference that is dropped when it returns.
    private static func perform(_ run: RunHandle, _ state: UnsafeMutablePointer<HandlerRun>, _ body: () -> Void) {
        ThreadRun.with(run, body)
        unsafe watch?.look()
        unsafe HostServices.release(state)
    }

    /// Copies the plugin's data into the state; the frame's buffer is used for the next frame.
    private static func fill(
        _ state: UnsafeMutablePointer<HandlerRun>, _ entry: TaskEntry, _ start: StartFrame,
        _ frame: UnsafeRawBufferPointer
    ) {
        let (payload, settings) = (Int(start.payloadLength), Int(start.settingsLength))
        let names = start.namesLength
        unsafe state.pointee.reserve(payload + settings + names + 2 + 27 + 5)
        let storage = unsafe state.pointee.storage
        var used = 0
        var offset = StartFrame.headSize
        func take(_ count: Int) -> taskhost_bytes {
            let target = unsafe UnsafeMutableRawBufferPointer(rebasing: storage[used...])
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: frame[offset..<offset + count]))
            unsafe target[count] = 0
            offset += count
            used += count + 1
            return unsafe bytes(target, count)
        }
        func bytes(_ target: UnsafeMutableRawBufferPointer, _ count: Int) -> taskhost_bytes {
            unsafe taskhost_bytes(
                bytes: target.baseAddress.map { unsafe UnsafePointer($0.assumingMemoryBound(to: CChar.self)) },
                length: UInt64(count))
        }
        unsafe state.pointee.task.payload = take(payload)
        let own = unsafe take(settings)
        unsafe state.pointee.task.settings = settings > 0 ? own : entry.settings
        let id = unsafe UnsafeMutableRawBufferPointer(rebasing: storage[used...])
        let characters = start.id.characters
        for place in characters.indices { unsafe id[place] = characters[place] }
        unsafe id[26] = 0
        unsafe state.pointee.task.run = bytes(id, 26)
        unsafe state.pointee.task.identifier = entry.identifier
        if names > 0 {
            used += 27
            let name = unsafe take(Int(start.identifierLength))
            if start.identifierLength > 0 { unsafe state.pointee.task.identifier = unsafe name }
            unsafe state.pointee.title = take(Int(start.titleLength))
            unsafe state.pointee.subtitle = take(Int(start.subtitleLength))
            unsafe state.pointee.trace = take(Int(start.traceLength))
            unsafe state.pointee.claimKey = take(start.claimKeyLength)
        } else {
            unsafe (state.pointee.title, state.pointee.subtitle) = unsafe (taskhost_bytes(), taskhost_bytes())
            unsafe (state.pointee.trace, state.pointee.claimKey) = unsafe (taskhost_bytes(), taskhost_bytes())
        }
        unsafe state.pointee.claimNumber = start.claimNumber
        unsafe state.pointee.task.state_directory = unsafe folders.state
        unsafe state.pointee.task.cache_directory = unsafe folders.cache
        unsafe state.pointee.task.manifest_directory = unsafe folders.manifest
        unsafe state.pointee.task.kind = UInt32(entry.plan.kind.rawValue)
        unsafe state.pointee.task.attempt = start.attempt
    }
}
