import Confining
import Linux
import TaskModel
import Wire

/// A process beside a worker, which is told of the worker's calls and tells the host which of them confinement refuses. It is of the run's
/// user and in the run's tree, and ends with the last process that has the worker's filter. It maps no code of the application.
///
/// It is no child of the worker's: code that waits for its children would wait for it.
struct WorkerExplainer {
    let process: Int32
    /// Until the descriptors are arranged.
    let channel: Int32
    private let filter: ExplainedFilter

    /// Descriptors of the process.
    private static let (wire, listening) = (Int32(3), Int32(4))

    /// The worker talks to its host by it.
    private static let talking: Set<String> = ["sendmsg", "sendmmsg"]

    /// Starts it, before the caller is confined.
    ///
    /// - Returns: nil where no process can be made or there is no Landlock: nobody tells then.
    ///
    /// *Thread*: for a process with one thread.
    static func start(_ plan: LaunchPlan, wire: Int32) -> WorkerExplainer? {
        let abi = Landlock.version
        let policy = PreparedConfinement.policy(
            plan, ConfinementTemplate.policy(isRoot: ThisProcess.isRoot, landlockABI: abi), landlockABI: abi)
        guard abi > 0,
            let filter = try? ExplainedFilter(policy, asking: SystemCallPolicy.leading.subtracting(talking)),
            var ends = try? DescriptorPair.sockets(), let child = try? ForkedProcess()
        else { return nil }
        if child.pid == 0 {
            if let orphan = try? ForkedProcess(), orphan.pid == 0 {
                run(plan, filter, wire: wire, channel: ends.takeFar().take())
            }
            ThisProcess.exitAtOnce(WorkerExitStatus.asked)
        }
        ProcessEnd.reap(child.pid)
        _ = ends.takeFar()
        let near = ends.takeNear()
        guard let message = try? near.read(MemoryLayout<Int32>.size), message.count == MemoryLayout<Int32>.size else {
            return nil
        }
        let process = message.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        return WorkerExplainer(process: Int32(bitPattern: process), channel: near.take(), filter: filter)
    }

    // MARK: In the worker

    /// Installs the worker's filter, and lets the process know of its calls.
    ///
    /// - Parameters:
    ///   - channel: the descriptor's number now; it is closed.
    ///   - other: installed where the kernel tells nobody of this worker's calls, as in a container whose manager is told of them.
    /// - Returns: whether the process is told.
    func install(over channel: Int32, else other: () -> FilterProgram) throws(ConfinementError) -> Bool {
        let channel = Descriptor(adopting: channel)
        let listener: Descriptor
        do throws(SystemError) {
            listener = try CallListener.install(filter: filter.program.pinned(to: ThisProcess.pid).instructions)
        } catch {
            try ConfinementError.at(.lifetime, Sandbox.makeUndumpable)
            try other().install()
            return false
        }
        // Without the process its calls would fail in ways that no code expects.
        if let code = MessageSocket(lent: channel.number).send([0], descriptors: [listener.number]) {
            throw ConfinementError(.filter, code: code.rawValue, object: "the process that is told of its calls")
        }
        return true
    }

    // MARK: The process

    private static func run(_ plan: LaunchPlan, _ filter: ExplainedFilter, wire: Int32, channel: Int32) -> Never {
        ThisProcess.setName(ThisProcess.brokerName)
        for signal in [Signal.SIGTERM, .SIGINT, .SIGHUP] { Signal.outlive(signal) }
        if let listener = try? listener(for: plan, wire: wire, channel: channel) {
            let explainer = Explainer(of: listener, filter, plan) { denial in
                // The host is behind, or gone: the worker does not wait for it.
                _ = MessageSocket(lent: Self.wire).send(
                    denial.frame(run: RunHandle(index: 0, generation: 0)), waits: false)
            }
            while let notice = listener.next() { explainer.answer(notice) }
        }
        ThisProcess.exitAtOnce(WorkerExitStatus.asked)
    }

    /// Becomes the run's user, and waits for the worker's calls; nil: it has ended before.
    private static func listener(
        for plan: LaunchPlan, wire: Int32, channel: Int32
    ) throws(SystemError) -> CallListener? {
        try Sandbox.startSession()
        try Sandbox.forbidNewPrivileges()
        let null = try Descriptor.open("/dev/null", .O_RDWR)
        try Sandbox.arrange([null.number, null.number, null.number, wire, channel])
        // What it was opened as is closed.
        _ = null.take()
        if ThisProcess.isRoot {
            try Sandbox.become(user: plan.identity.user, group: plan.identity.group, groups: plan.identity.groups)
        }
        try Sandbox.makeUndumpable()
        let channel = MessageSocket(lent: listening)
        let process = UInt32(bitPattern: ThisProcess.pid)
        guard channel.send((0..<4).map { UInt8(truncatingIfNeeded: process >> (8 * $0)) }) == nil else { return nil }
        var found: CallListener?
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { unsafe room.deallocate() }
        _ = try unsafe channel.receive(into: room, waits: true) { found = CallListener(adopting: $0) }
        return found
    }
}
