package import TaskModel
package import Linux

/// Limits the workers of one application to the addresses that its manifest grants: two BPF programs and a map, and two
/// programs that all applications share.
///
/// Thread: the host's loop thread only. Ownership: its descriptors close with it; in a control group the programs stay
/// until that is removed.
package final class ConnectGuard {
    private let map: PrefixMap
    private let programs: [Program]
    private let common: DatagramGuard
    private var present: [ConnectRules.Key: Bool] = [:]

    /// - Parameters:
    ///   - capacity: the most entries that there will be.
    ///   - common: the programs for UDP.
    /// - Throws: where the kernel or the host's rights do not allow it.
    package init(_ rules: ConnectRules, capacity: Int, common: DatagramGuard) throws(SystemError) {
        self.common = common
        map = try PrefixMap(keySize: ConnectRules.Key.size, capacity: capacity)
        programs = [
            try Program(ConnectProgram(.v4, map: map.descriptor.number), at: .connect4),
            try Program(ConnectProgram(.v6, map: map.descriptor.number), at: .connect6),
        ]
        try update(rules)
    }

    /// Whether this process could restrict control groups to addresses: by trying it without lasting effects.
    package static func isPossible(_ layout: CgroupLayout = .current()) -> Bool {
        layout.folders[.unified] != nil && (try? DatagramGuard()) != nil
    }

    /// Updates the map. A connection at that moment is decided by the old rules or by the new ones.
    package func update(_ rules: ConnectRules) throws(SystemError) {
        for (key, allows) in rules.entries where present[key] != allows {
            try map.set(key.bytes, allows ? 1 : 0)
            present[key] = allows
        }
        for key in present.keys where rules.entries[key] == nil {
            try map.remove(key.bytes)
            present[key] = nil
        }
    }

    /// Restricts every process of a folder of cgroup 2, for the folder's lifetime. A socket belongs to the group in which it
    /// was created.
    ///
    /// The program for IPv4 connections comes last: where it works, as a worker tries out, all work.
    func hold(_ folder: Int32) throws(SystemError) {
        for program in common.programs + programs.reversed() { try program.attach(to: folder) }
    }

    /// A program that was loaded.
    final class Program {
        private let program: SocketProgram

        init(_ program: ConnectProgram, at hook: SocketHook) throws(SystemError) {
            self.program = try SocketProgram(program.instructions, at: hook)
        }

        func attach(to folder: Int32) throws(SystemError) { try program.attach(to: folder) }
    }
}

/// Refuses UDP, which no grant is about: the system call filter does first. Its programs serve all applications.
package final class DatagramGuard {
    let programs: [ConnectGuard.Program]

    /// - Throws: where the kernel or the host's rights do not allow it.
    package init() throws(SystemError) {
        programs = [
            try ConnectGuard.Program(.refusal, at: .datagram4),
            try ConnectGuard.Program(.refusal, at: .datagram6),
        ]
    }
}
