import Confining
import Linux
import TaskModel
import Wire

/// The process that workers are forked from, or their keepers where no control group holds them. It has one thread, maps no
/// plugin code, has no secrets (a worker is a copy of its memory), reaps its children and reports their ends to the host. When the
/// host dies it kills all its descendants, and then exits.
///
/// What its workers inherit is its nursery's: `ConfinedNursery` gives up rights for good, so that the workers of
/// `"confinement": "none"` come from a second process, with an `UnconfinedNursery`.
// Its buffer lives as long as the process, which has one thread.
@safe struct Zygote<Workers: Nursery & ~Copyable>: ~Copyable {
    private static var control: Int32 { 3 }
    /// Soft limit of descriptors, here and in a fresh worker until it has its own.
    private static var openFiles: Int32 { 1024 }

    private let socket = MessageSocket(lent: control)
    private let signals: SignalQueue
    private let score: MemoryScore
    private var nursery: Workers
    /// Call ID of the worker by pid.
    private var workers: [Int32: RunHandle] = [:]
    /// Call ID of its worker by a keeper's pid.
    private var keepers: [Int32: RunHandle] = [:]
    /// Keepers report here. Its end is the sign for them that the zygote has ended.
    private let reports: Descriptor
    /// For them, who share it.
    private let lifeline: Descriptor
    /// Checked after each preload: nothing else here could start a thread.
    private var hasOneThread = ThisProcess.threads == 1
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FrameHeader.maximumFrame, alignment: 16)

    /// Serves the host over descriptor 3; exits when the host does.
    static func run() {
        guard (try? Sandbox.becomeSubreaper()) != nil else { ThisProcess.exitAtOnce(WorkerExitStatus.refused) }
        // The host may have raised its own.
        ThisProcess.lowerDescriptorLimit(to: openFiles)
        do throws(ConfinementError) {
            var zygote = try Zygote()
            zygote.loop()
        } catch {
            WireChannel(descriptor: control).send(
                LaunchRefusal(error), as: .launchFailed, run: LaunchRefusal.ownCallID)
            ThisProcess.exitAtOnce(WorkerExitStatus.refused)
        }
    }

    private init() throws(ConfinementError) {
        EarlyVariables.declare()
        let score = MemoryScore()
        let nursery = try Workers()
        WorkerProcess.rehearse()
        // A terminal's Ctrl-C, and the stop of a service, signal every process of the group: only the host decides about the
        // runs.
        let signals = try ConfinementError.at(.signals) { () throws(SystemError) in
            try SignalQueue([.SIGCHLD, .SIGINT, .SIGTERM, .SIGHUP])
        }
        var ends = try ConfinementError.at(.descriptors) { () throws(SystemError) in try DescriptorPair.sockets() }
        reports = ends.takeNear()
        lifeline = ends.takeFar()
        self.score = score
        self.nursery = nursery
        self.signals = signals
    }

    private mutating func loop() {
        while true {
            let ready = Descriptor.ready([Self.control, signals.descriptor.number, reports.number]) ?? []
            if ready.contains(reports.number) { passReport() }
            if ready.contains(signals.descriptor.number) { reap() }
            if ready.contains(Self.control) { receive() }
        }
    }

    /// Takes every ended child: workers are reported, orphans of workers (we are their subreaper) just vanish.
    private mutating func reap() {
        SignalQueue.clear(signals.descriptor.number)
        while let end = ProcessEnd.reapNext() {
            if let callID = workers.removeValue(forKey: end.pid) {
                send(ExitReport(end).frame(callID: callID), descriptors: [])
            } else if let callID = keepers.removeValue(forKey: end.pid), end.signal != nil || end.status != 0 {
                lost(end, of: callID)
            }
        }
    }

    /// A keeper was killed, and its worker with it. What else belonged to it is an orphan of ours now.
    private func lost(_ keeper: ProcessEnd, of callID: RunHandle) {
        let others = Set(keepers.keys).union(workers.keys)
        for process in Descendants(of: ThisProcess.pid, sparing: others).living {
            ProcessHandle.signal(pid: process.pid, .SIGKILL)
        }
        // The host knows it already if the worker had ended before.
        send(ExitReport(keeper).frame(callID: callID), descriptors: [])
    }

    /// The end of a worker, by its keeper.
    private func passReport() {
        let length = try? unsafe MessageSocket(lent: reports.number).receive(into: buffer)
        guard let length, length > 0 else { return }
        unsafe send(Array(UnsafeRawBufferPointer(rebasing: buffer[0..<length])), descriptors: [])
    }

    private mutating func receive() {
        var numbers: [Int32] = []
        let length = try? unsafe socket.receive(into: buffer, waits: true) { numbers.append($0.take()) }
        let received = DescriptorBundle(adopting: numbers)
        // In the child they are closed when it is confined.
        defer { withExtendedLifetime(received) {} }
        guard let length, length > 0 else { endEverything() }
        let frame = unsafe UnsafeRawBufferPointer(rebasing: buffer[0..<length])
        do throws(WireError) {
            let header = try unsafe FrameHeader(reading: frame)
            var reader = unsafe FrameReader(body: frame)
            switch FrameKind(rawValue: header.kind) {
            case .launch:
                let plan = try LaunchPlan(from: &reader)
                unsafe launch(plan, callID: header.run, LaunchDescriptors(received.numbers, plan: plan), frame)
            case .preload:
                let path = try reader.text()
                // A library that cannot be preloaded is loaded later, or reported, by the worker that needs it.
                LoadedLibrary.preload(path)
                hasOneThread = ThisProcess.threads == 1
            case .writable:
                let paths: [String] = try reader.read()
                nursery.learn(writable: paths.map(GrantResolver.normalized))
            default: throw .unknownKind(header.kind)
            }
        } catch {
            ThisProcess.exitAtOnce(WorkerExitStatus.protocolFault)
        }
    }

    private mutating func launch(
        _ plan: LaunchPlan, callID: RunHandle, _ descriptors: LaunchDescriptors?, _ frame: UnsafeRawBufferPointer
    ) {
        guard let descriptors else {
            // The kernel drops descriptors for which there is no number (unix(7)).
            fail(
                callID,
                LaunchRefusal(code: Errno.EMFILE.rawValue, sentence: "the launch came without all of its descriptors"))
            return
        }
        guard hasOneThread else {
            fail(
                callID,
                LaunchRefusal(
                    code: 0,
                    sentence: "a preloaded library started a thread; a process with threads cannot be forked safely"))
            return
        }
        let prepared: Workers.Preparation
        do throws(ConfinementError) {
            prepared = try nursery.prepare(plan, library: descriptors.library ?? -1)
        } catch {
            fail(callID, LaunchRefusal(error))
            return
        }
        // The child is born with it: when memory runs out, workers go before the host and its helpers, the largest first.
        score.raise()
        defer { score.restore() }
        do throws(SystemError) {
            if plan.placements == 0 {
                unsafe try launchKept(prepared, callID: callID, descriptors, frame)
            } else {
                let worker = unsafe try fork(prepared, descriptors, frame)
                workers[worker] = callID
                send(LaunchReport(pid: worker, keeper: 0).frame(callID: callID), descriptors: [])
            }
        } catch {
            // These errors of clone(2) mean that the worker's group was removed: not the library's fault.
            let code = [.ENOENT, .ENODEV].contains(error.code) ? Errno.EBUSY : error.code
            fail(callID, LaunchRefusal(code: code.rawValue, sentence: "\(error)"))
        }
    }

    /// The worker, whose life begins here in the child.
    private func fork(
        _ prepared: Workers.Preparation, _ descriptors: LaunchDescriptors, _ frame: UnsafeRawBufferPointer
    ) throws(SystemError) -> Int32 {
        var placesItself = false
        let forked: ForkedProcess
        do throws(SystemError) {
            forked = try ForkedProcess(into: descriptors.cgroup)
        } catch {
            guard error.code == .EOPNOTSUPP, descriptors.cgroup != nil else { throw error }
            placesItself = true
            forked = try ForkedProcess()
        }
        guard forked.pid == 0 else { return forked.pid }
        unsafe nursery.begin(prepared, descriptors, frame: frame, placesItself: placesItself)
        ThisProcess.exitAtOnce(WorkerExitStatus.asked)
    }

    /// Without a control group a keeper holds the worker's tree together. It reports the launch itself, before it lets go of the
    /// conversation with the host.
    private mutating func launchKept(
        _ prepared: Workers.Preparation, callID: RunHandle, _ descriptors: LaunchDescriptors,
        _ frame: UnsafeRawBufferPointer
    ) throws(SystemError) {
        let keeper = try ForkedProcess()
        guard keeper.pid == 0 else {
            keepers[keeper.pid] = callID
            return
        }
        nursery.moveHere()
        let worker: Int32
        do throws(SystemError) {
            try Sandbox.becomeSubreaper()
            let own = try ProcessHandle(opening: ThisProcess.pid)
            worker = unsafe try fork(prepared, descriptors, frame)
            let report = LaunchReport(pid: worker, keeper: ThisProcess.pid)
            // The host's end shows at the lifeline.
            _ = socket.send(report.frame(callID: callID), descriptors: [own.descriptor.number])
        } catch {
            fail(callID, LaunchRefusal(code: error.code.rawValue, sentence: "\(error)"))
            ThisProcess.exitAtOnce(WorkerExitStatus.asked)
        }
        Keeper.keep(worker: worker, callID: callID, lifeline: lifeline, signals: signals, null: nursery.null)
    }

    private func fail(_ callID: RunHandle, _ refusal: LaunchRefusal) {
        WireChannel(descriptor: Self.control).send(refusal, as: .launchFailed, run: callID)
    }

    private func send(_ frame: [UInt8], descriptors: [Int32]) {
        if socket.send(frame, descriptors: descriptors) != nil { endEverything() }
    }

    /// The host has ended, in any way: none of its processes may remain. A parent-death signal would reach the workers,
    /// but not their children (prctl(2): it is cleared in a child).
    private func endEverything() -> Never {
        // One call kills a whole group, even one that forks at that moment, and the filter keeps a worker's processes
        // in it.
        for worker in workers.keys { ProcessHandle.signal(group: worker, .SIGKILL) }
        // Keepers end their trees; the orphans, our own children, belong to workers that ended before.
        reports.shutDown()
        TreeEnd.endDescendants(sparing: Set(keepers.keys), signals: signals.descriptor.number)
        ThisProcess.exitAtOnce(WorkerExitStatus.asked)
    }
}
