import Linux
import TaskModel

/// The memory controller of one folder, of either version. Its counters are descriptors kept open.
final class MemoryControl {
    private let folder: CgroupFolder
    private let interface: MemoryInterface
    private let current: Descriptor
    /// `memory.peak` where it can be reset, and else where it can only be read.
    private let resettablePeak: Descriptor?
    private let readablePeak: Descriptor?
    private let events: Descriptor
    /// Version 1 raises a counter when memory runs out; version 2 announces it on `memory.events` itself.
    private let counter: Descriptor?
    private var killsAtRecycle: UInt64 = 0
    /// The kernel's peak when it could not be reset (`memory.peak` before Linux 6.12); nil while it can be taken as it is.
    private var stalePeak: UInt64?
    private var sampledPeak: UInt64 = 0

    init(_ folder: CgroupFolder) throws(SystemError) {
        self.folder = folder
        interface = folder.hierarchy == .unified ? .unified : .legacy
        current = try folder.open(interface.current, .O_RDONLY)
        events = try folder.open(interface.events, .O_RDONLY)
        // Resets of memory.peak belong to the descriptor that wrote them, so one is kept for both; the file may be
        // read-only, or missing before Linux 5.19.
        resettablePeak = try? folder.open(interface.peak, .O_RDWR)
        if resettablePeak.number == nil {
            readablePeak = try? folder.open(interface.peak, .O_RDONLY)
        } else {
            readablePeak = nil
        }
        counter = folder.hierarchy == .unified ? nil : try Descriptor.eventCounter()
        if let number = counter.number {
            // "<eventfd> <memory.oom_control>" (cgroup-v1 memory documentation, 10. OOM Control).
            try folder.write("\(number) \(events.number)", to: "cgroup.event_control")
        }
    }

    /// True when the kernel now limits the folder to `bytes`, including swap.
    func limit(_ bytes: ByteCount) -> Bool {
        let text = String(bytes.bytes)
        if !interface.swapIsIncluded {
            // Files that may be missing: swap accounting is an option, oom.group came with Linux 4.19.
            try? folder.write("0", to: interface.swapLimit)
            try? folder.write("1", to: "memory.oom.group")
            return (try? folder.write(text, to: interface.limit)) != nil
        }
        // Version 1 keeps memory ≤ memory + swap at every moment, so the order depends on the direction.
        if (try? folder.write(text, to: interface.limit)) == nil {
            guard (try? folder.write(text, to: interface.swapLimit)) != nil,
                (try? folder.write(text, to: interface.limit)) != nil
            else { return false }
        }
        guard folder.has(interface.swapLimit) else { return true }
        return (try? folder.write(text, to: interface.swapLimit)) != nil
    }

    func currentBytes() -> UInt64? {
        let bytes = FileText.withStart(of: current.number) { CounterText.number(in: $0) }
        if let bytes { sampledPeak = max(sampledPeak, bytes) }
        return bytes
    }

    func peakBytes() -> UInt64? {
        let kernel = kernelPeak()
        guard let stalePeak else { return kernel ?? sampled() }
        if let kernel, kernel > stalePeak { return kernel }
        return sampled()
    }

    func resetPeak() {
        if let number = resettablePeak.number,
            (try? FileText.write(interface.peakReset, to: number, naming: interface.peak)) != nil
        {
            stalePeak = nil
        } else {
            stalePeak = kernelPeak() ?? .max
        }
        sampledPeak = currentBytes() ?? 0
    }

    /// Readable (version 1) or of `EPOLLPRI` (version 2) when memory has run out.
    var announcement: (descriptor: Int32, isUrgent: Bool) {
        if let number = counter.number { (number, false) } else { (events.number, true) }
    }

    /// Clears the event; `kills` says what happened.
    func clearAnnouncement() {
        switch counter {
        case .some(let counter): counter.clear()
        case .none: _ = kills
        }
    }

    var kills: Int {
        let count = FileText.withStart(of: events.number) { CounterText.value(of: "oom_kill", in: $0) } ?? 0
        return Int(clamping: count - min(count, killsAtRecycle))
    }

    /// Resets the counters; false when an ended worker left more than `leftover` charged.
    func recycle(leftover: ByteCount) -> Bool {
        guard let bytes = currentBytes(), bytes <= leftover.bytes else { return false }
        killsAtRecycle += UInt64(kills)
        resetPeak()
        return true
    }

    private func kernelPeak() -> UInt64? {
        guard let number = resettablePeak.number ?? readablePeak.number else { return nil }
        return FileText.withStart(of: number) { CounterText.number(in: $0) }
    }

    private func sampled() -> UInt64? {
        let now = currentBytes()
        return now == nil && sampledPeak == 0 ? nil : sampledPeak
    }
}
