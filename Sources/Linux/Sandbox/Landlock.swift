import CLinux
import Glibc

/// Rules of the files and ports that a process may reach (landlock(7)). They restrict no process until one enters them, and
/// can serve several.
package struct Landlock: ~Copyable, Sendable {
    /// The version of the kernel's interface; 0 where it is missing.
    package static var version: Int32 { max(0, clinux_landlock_abi()) }
    /// The kernel has it, though it may be switched off at boot (landlock_create_ruleset(2): EOPNOTSUPP).
    package static var isBuilt: Bool { clinux_landlock_abi() != -ENOSYS }

    package let descriptor: Descriptor

    /// Everything named here is refused unless a rule allows it; `network` and `scopes` are 0 where the version lacks them.
    package init(files: UInt64, network: UInt64, scopes: UInt64) throws(SystemError) {
        descriptor = Descriptor(
            adopting: try check(clinux_landlock_ruleset(files, network, scopes), "landlock_create_ruleset"))
    }

    /// - Parameter file: `O_PATH` will do; lent.
    package borrowing func allow(_ file: Int32, _ access: UInt64, naming path: String) throws(SystemError) {
        try check(clinux_landlock_allow_file(descriptor.number, file, access), "landlock_add_rule", path)
    }

    package borrowing func allow(port: UInt16, _ access: UInt64) throws(SystemError) {
        try check(clinux_landlock_allow_port(descriptor.number, port, access), "landlock_add_rule", "port \(port)")
    }

    package borrowing func enter() throws(SystemError) { try Self.enter(descriptor.number, logsPrograms: false) }

    /// The same for one that is lent.
    ///
    /// - Parameter logsPrograms: the audit log, if the kernel keeps one, has what is refused to executed programs as well; from
    ///   version 7.
    package static func enter(_ number: Int32, logsPrograms: Bool) throws(SystemError) {
        try check(clinux_landlock_restrict(number, logsPrograms ? 1 : 0), "landlock_restrict_self")
    }

    package consuming func take() -> Int32 { descriptor.take() }
}
