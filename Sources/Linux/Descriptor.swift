import CLinux
import Glibc

/// An open descriptor that its owner closes once.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    /// Takes over a raw descriptor.
    package init(adopting number: Int32) { self.number = number }

    deinit {
        // Linux has freed the number regardless of close's result (close(2)).
        if Glibc.close(number) != 0 && errno == EBADF { Self.isNotOpen("close") }
    }

    /// Ends the process: some code closed a descriptor that it does not own, or used one after its end, and the next such
    /// call may hit another's file.
    static func isNotOpen(_ call: String) -> Never {
        fatalError("a descriptor was used that is not open; \(call); this is a defect of taskhost: please report it")
    }

    /// Gives the raw number away; the receiver closes it.
    package consuming func take() -> Int32 {
        let number = self.number
        discard self
        return number
    }

    /// Opens `path` with O_CLOEXEC.
    package static func open(_ path: String, _ flags: OpenFlags, mode: UInt32 = 0) throws(SystemError) -> Descriptor {
        unsafe Descriptor(adopting: try check(clinux_openat(AT_FDCWD, path, flags.rawValue, mode), "open", path))
    }

    /// Closes numbers that other code may have closed already: a worker's, whose plugin can.
    package static func closeLent(_ numbers: [Int32]) { for number in numbers { _ = Glibc.close(number) } }

    /// An event counter that other threads raise (eventfd(2)).
    package static func eventCounter() throws(SystemError) -> Descriptor {
        Descriptor(adopting: try check(clinux_eventfd(), "eventfd"))
    }

    package func duplicate(above lowest: Int32 = 3) throws(SystemError) -> Descriptor {
        try Self.copy(of: number, above: lowest)
    }

    /// Programs that this process executes from now on have none of that number.
    package static func closeOnExec(_ number: Int32) { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }

    /// The same of one that is lent.
    package static func copy(of number: Int32, above lowest: Int32 = 3) throws(SystemError) -> Descriptor {
        Descriptor(adopting: try check(clinux_dup_above(number, lowest), "fcntl(F_DUPFD)"))
    }
}
