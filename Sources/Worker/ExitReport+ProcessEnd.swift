import Linux
import Wire

extension ExitReport {
    init(_ end: ProcessEnd) {
        self.init(
            pid: end.pid, signal: end.signal?.rawValue ?? 0, status: end.status, cpuTime: end.cpu, peakMemory: end.peak)
    }
}
