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
        while let pid = processes().first, ContinuousClock.now < deadline {
            // The number may be a stranger's by now: the next look tells.
            guard let process = try? ProcessProbe.open(pid) else { continue }
            var source = pollfd(fd: process.number, events: Int16(POLLIN), revents: 0)
            let left = ContinuousClock.now.duration(to: deadline).components
            poll(&source, 1, Int32(clamping: left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1))
        }
        #expect(processes().isEmpty, sourceLocation: location)
    }
}
