import Glibc
import Linux
import TestSupport
import Testing

extension Station {
    /// Nothing of its hosts, which have ended, is left: no process, no control group.
    func expectNothingLeft(_ location: SourceLocation = #_sourceLocation) {
        #expect(processes().isEmpty, sourceLocation: location)
        #expect(controlGroups().isEmpty, sourceLocation: location)
    }

    /// Waits for the end of every process that comes from its hosts.
    func expectEveryProcessEnds(_ location: SourceLocation = #_sourceLocation) {
        var alive = processes()
        while !alive.isEmpty, waitForEnd(ofOneOf: [alive[0]]) != nil { alive = processes() }
        #expect(alive.isEmpty, "\(Surroundings.text)", sourceLocation: location)
    }

    /// Waits until one of the processes has ended, and says which; nil when none does.
    func waitForEnd(ofOneOf processes: [Int32]) -> Int32? {
        var sources: [pollfd] = []
        defer { for source in sources { close(source.fd) } }
        for process in processes {
            // One that cannot be opened has ended and was reaped.
            guard let handle = try? ProcessHandle(opening: process) else { return process }
            sources.append(pollfd(fd: handle.take(), events: Int16(POLLIN), revents: 0))
        }
        var patience = Patience()
        while let milliseconds = patience.milliseconds() {
            guard poll(&sources, nfds_t(sources.count), milliseconds) > 0 else { continue }
            return zip(sources, processes).first { $0.0.revents != 0 }?.1
        }
        return nil
    }
}
