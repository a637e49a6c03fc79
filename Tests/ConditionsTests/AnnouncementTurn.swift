import Glibc
import Linux
import TestSupport

/// An announcement of the kernel's devices reaches every process of the machine: as long as one test has the turn, no other makes or
/// awaits one, in this run of the tests or in another.
final class AnnouncementTurn {
    private let file: Descriptor

    init() throws {
        file = try Self.locked()
    }

    private static func locked() throws -> Descriptor {
        let file = try Descriptor.open("/tmp/taskhost-tests-announcements", [.O_RDWR, .O_CREAT])
        guard flock(file.number, LOCK_EX) == 0 else { throw Problem("flock: \(errno)") }
        return file
    }

    /// A real announcement of a device that every machine has, of the subsystem `mem`.
    func announce(_ action: String) throws {
        let device = try Descriptor.open("/sys/devices/virtual/mem/null/uevent", .O_WRONLY)
        try FileText.write(action, to: device.number)
    }
}
