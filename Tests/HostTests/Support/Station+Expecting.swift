import Glibc
import Linux
import Testing

extension Station {
    /// Nothing of its hosts, which have ended, is left: no process, no control group.
    func expectNothingLeft(_ location: SourceLocation = #_sourceLocation) {
        #expect(processes().isEmpty, sourceLocation: location)
        #expect(controlGroups().isEmpty, sourceLocation: location)
    }

    /// Waits for the end of every process that comes from its hosts.
    func expectEveryProcessEnds(within limit: Duration = .seconds(20), _ location: SourceLocation = #_sourceLocation) {
        let deadline = ContinuousClock.now + limit
        var alive = processes()
        while !alive.isEmpty, waitForEnd(ofOneOf: [alive[0]], until: deadline) != nil { alive = processes() }
        #expect(alive.isEmpty, sourceLocation: location)
    }

    /// Waits until one of the processes has ended, and says which; nil when none does so in time.
    func waitForEnd(ofOneOf processes: [Int32], within limit: Duration = .seconds(20)) -> Int32? {
        waitForEnd(ofOneOf: processes, until: ContinuousClock.now + limit)
    }

    private func waitForEnd(ofOneOf processes: [Int32], until deadline: ContinuousClock.Instant) -> Int32? {
        var sources: [pollfd] = []
        defer { for source in sources { close(source.fd) } }
        for process in processes {
            // One that cannot be opened has ended and was reaped.
            guard let handle = try? ProcessHandle(opening: process) else { return process }
            sources.append(pollfd(fd: handle.take(), events: Int16(POLLIN), revents: 0))
        }
        let left = ContinuousClock.now.duration(to: deadline).components
        let milliseconds = max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1)
        guard poll(&sources, nfds_t(sources.count), Int32(clamping: milliseconds)) > 0 else { return nil }
        return zip(sources, processes).first { $0.0.revents != 0 }?.1
    }
}
