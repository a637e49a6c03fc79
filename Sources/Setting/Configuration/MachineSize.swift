import Linux
package import TaskModel

/// How large a machine is: on a small one the host's defaults are smaller.
package struct MachineSize: Sendable, Equatable {
    /// Of the whole machine.
    package var memory: ByteCount
    /// Of the state folder's file system, free or not.
    package var disk: ByteCount

    package init(memory: ByteCount, disk: ByteCount) {
        self.memory = memory
        self.disk = disk
    }

    /// - Parameter state: the state folder, or where it would be made. What does not say how large it is counts as large.
    package init(state: String) {
        memory = ProcessMemory.ofMachine.map(ByteCount.init(bytes:)) ?? .mebibytes(1 << 20)
        disk = StateSpace.space(for: state).map { ByteCount(bytes: $0.total) } ?? .mebibytes(1 << 20)
    }

    /// Runs at once: one for each 16 MiB of memory, 4 to 64.
    package var concurrency: Int { Int(min(64, max(4, memory.bytes / ByteCount.mebibytes(16).bytes))) }
    /// Of the record in use: an eighth of the disk, 16 MiB to 1 GiB.
    package var recordSize: ByteCount {
        min(.mebibytes(1024), max(.mebibytes(16), ByteCount(bytes: disk.bytes / 8)))
    }
    /// Bytes of a run's output that are kept: 64 KiB to 256 KiB, as much of the largest record.
    package var outputLimit: Int { Int(min(256 << 10, max(64 << 10, recordSize.bytes / 4096))) }
}

extension HostConfiguration {
    /// The defaults for a machine of this size.
    package init(on machine: MachineSize) {
        self.init()
        concurrency = machine.concurrency
        retentionSize = machine.recordSize
        outputLimit = machine.outputLimit
    }
}
