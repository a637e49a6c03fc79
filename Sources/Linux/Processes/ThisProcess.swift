import CLinux
import Glibc

/// The kernel's data about the running program.
package enum ThisProcess {
    package static var pid: Int32 { getpid() }
    package static var parent: Int32 { getppid() }
    /// The effective user and group.
    package static var user: UInt32 { geteuid() }
    package static var group: UInt32 { getegid() }
    /// Its group, and the supplementary ones.
    package static var groups: [UInt32] {
        let count = Int(getgroups(0, nil))
        guard count > 0 else { return [group] }
        let others = unsafe [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = unsafe max(0, Int(getgroups(Int32(count), buffer.baseAddress)))
        }
        return [group] + others
    }
    package static var isRoot: Bool { user == 0 }
    /// Its executable's real path.
    package static var executable: String { FileSystem.realPath("/proc/self/exe") ?? "/proc/self/exe" }
    /// Processors that the machine has for it, at least 1.
    package static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// All variables of its environment, as `NAME=value`.
    package static var environment: [String] {
        var variables: [String] = []
        var next = unsafe environ
        while let text = unsafe next.pointee {
            unsafe variables.append(String(cString: text))
            unsafe next += 1
        }
        return variables
    }

    /// A variable of its environment; nil when it is not set.
    package static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

    /// Ends it; the C library's buffered output is written (exit(3)).
    package static func exit(_ status: Int32) -> Never { Glibc.exit(status) }
    /// Ends it at once (_exit(2)).
    package static func exitAtOnce(_ status: Int32) -> Never { Glibc._exit(status) }

    /// Whether other processes of the same user may read its memory (PR_SET_DUMPABLE).
    package static func setDumpable(_ on: Bool) throws(SystemError) {
        try check(clinux_set_dumpable(on ? 1 : 0), "prctl(PR_SET_DUMPABLE)")
    }
}
