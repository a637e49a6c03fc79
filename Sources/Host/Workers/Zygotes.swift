import Linux
import Setting
import TaskModel
import Wire
import Workers

/// The prepared processes that workers are forked from, started when they are needed. Thread: the loop's.
final class Zygotes {
    private var processes: [ZygoteProcess?] = Array(repeating: nil, count: ZygoteFlavor.allCases.count)
    /// Why one ends that could not start.
    private var faults: [LaunchRefusal?] = Array(repeating: nil, count: ZygoteFlavor.allCases.count)
    private let executable: String
    private let poller: Poller

    /// - Parameter executable: path of `taskhost-worker`.
    init(executable: String, _ poller: Poller) {
        self.executable = executable
        self.poller = poller
    }

    subscript(flavor: ZygoteFlavor) -> ZygoteProcess? { processes[Int(flavor.rawValue)] }

    /// Asks the zygote of that flavor for a worker; it is started if need be.
    ///
    /// - Parameter writable: what applications may write, see `WritableFolders`.
    func launch(
        _ frame: [UInt8], callID: RunHandle, descriptors: [Int32], on flavor: ZygoteFlavor, writable: [String]
    ) throws(SystemError) {
        let zygote = try process(flavor)
        try zygote.tell(writable: writable)
        try zygote.launch(frame, callID: callID, descriptors: descriptors)
        waitForRoom(zygote, flavor)
    }

    private func process(_ flavor: ZygoteFlavor) throws(SystemError) -> ZygoteProcess {
        if let zygote = self[flavor] { return zygote }
        let zygote = try ZygoteProcess(
            executable: executable, role: flavor == .unconfined ? "launcher" : "zygote",
            environment: ZygoteEnvironment.make(executable: executable))
        try poller.add(zygote.control, key: SourceKey(.zygote, index: flavor.rawValue).bits)
        for library in flavor.libraries { try zygote.preload(library) }
        processes[Int(flavor.rawValue)] = zygote
        return zygote
    }

    /// Sends what waits for room in its socket.
    func flush(_ zygote: ZygoteProcess, _ flavor: ZygoteFlavor) {
        // The end of a zygote is detected when its socket is read.
        try? zygote.flush()
        waitForRoom(zygote, flavor)
    }

    /// Waits until its socket is writable while frames are pending.
    private func waitForRoom(_ zygote: ZygoteProcess, _ flavor: ZygoteFlavor) {
        poller.setWritable(zygote.control, zygote.isWaiting, key: SourceKey(.zygote, index: flavor.rawValue).bits)
    }

    /// It reports that it cannot start.
    func fail(_ flavor: ZygoteFlavor, _ refusal: LaunchRefusal) { faults[Int(flavor.rawValue)] = refusal }

    /// Buries a zygote that was lost. A new one is made at the next launch.
    ///
    /// - Returns: why it could not start; every start would fail. nil: it had started.
    func bury(_ zygote: ZygoteProcess, _ flavor: ZygoteFlavor) -> LaunchRefusal? {
        poller.remove(zygote.control)
        processes[Int(flavor.rawValue)] = nil
        zygote.kill()
        defer { faults[Int(flavor.rawValue)] = nil }
        return faults[Int(flavor.rawValue)]
    }

    /// Ends them; their workers end with them.
    func close() {
        for zygote in processes { zygote?.end() }
        processes = Array(repeating: nil, count: processes.count)
    }

    /// A host that fails leaves no processes behind either.
    deinit { close() }
}
