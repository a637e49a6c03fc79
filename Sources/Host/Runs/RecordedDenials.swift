import Conditions
import Linux
import TaskModel

/// What Landlock refuses workers, as the kernel's audit log has it. Thread: the loop's.
package final class RecordedDenials: EventSource {
    /// The version of Landlock that makes records.
    package static let landlock: Int32 = 7
    /// Domains that are known, and refusals whose domain is not known yet.
    private static let (mostDomains, mostUnknown) = (1024, 64)
    /// Of a socket that others keep full.
    private static let mostReads = 16

    private let socket: AuditSocket
    /// The folder of the worker's program, in which its C library looks for libraries in vain.
    private let folder: String
    private var processes: [String: Int32] = [:]
    private var unknown: [(domain: String, denial: Denial)] = []
    /// Receives a refusal of the domain that a process has entered.
    var refused: (Int32, Denial) -> Void = { _, _ in }
    var late = LateDenials()

    /// The host has the capability.
    package static var mayRead: Bool { (try? AuditSocket(LandlockRecord.access, LandlockRecord.domain)) != nil }

    /// nil: this kernel makes no such records, or the host may not read them.
    ///
    /// - Parameter executable: the worker's.
    init?(executable: String) {
        guard ThisProcess.isRoot, Landlock.version >= Self.landlock,
            let socket = try? AuditSocket(LandlockRecord.access, LandlockRecord.domain)
        else { return nil }
        self.socket = socket
        folder = executable.lastIndex(of: "/").map { String(executable[..<$0]) } ?? ""
    }

    /// Takes what the kernel has recorded by now.
    func read() {
        for _ in 0..<Self.mostReads {
            let isAll = socket.read { number, text in
                guard let record = LandlockRecord(number, text) else { return }
                take(record)
            }
            if isAll { return }
        }
    }

    private func take(_ record: LandlockRecord) {
        switch record {
        case .refusal(let domain, let access, let place):
            guard place != folder else { return }
            let denial = Denial(access, place, .recorded)
            if let process = processes[domain] { return refused(process, denial) }
            if unknown.count == Self.mostUnknown { unknown.removeFirst() }
            unknown.append((domain, denial))
        case .domain(let domain, let process):
            if processes.count >= Self.mostDomains { processes.removeAll(keepingCapacity: true) }
            processes[domain] = process
            for (known, denial) in unknown where known == domain { refused(process, denial) }
            unknown.removeAll { $0.domain == domain }
        case .end(let domain): processes[domain] = nil
        }
    }

    // MARK: EventSource

    func attach(to registry: any SourceRegistry) throws(SystemError) {
        try registry.add(socket.descriptor, tag: 0, urgent: false)
    }

    func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) { read() }
    func close() {}
}
